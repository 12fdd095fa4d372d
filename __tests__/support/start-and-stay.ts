import { startDevServer } from "./dev-server";

// Run as a program by the test that kills it: starts the graph that it is given and stays.
startDevServer({ graphs: { own: process.argv[2] as string } }).then(({ url }) => {
  console.log(url);
  setInterval(() => {}, 1000);
});
