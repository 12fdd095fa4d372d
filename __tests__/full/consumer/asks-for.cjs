/** Loads an entry of the package and writes which other packages the package's own files ask for. */
const Module = require("node:module");

const asked = new Set();
const load = Module._load;
Module._load = function (request, parent, ...rest) {
  const byPackage = /node_modules[\\/]ag-ui-langgraph[\\/]/.test(parent?.filename ?? "");
  if (byPackage && !request.startsWith(".") && !Module.isBuiltin(request)) asked.add(packageOf(request));
  return load.call(this, request, parent, ...rest);
};

function packageOf(request) {
  return request
    .split("/")
    .slice(0, request.startsWith("@") ? 2 : 1)
    .join("/");
}

require("ag-ui-langgraph");
console.log(JSON.stringify([...asked].sort()));
