#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { textField } from "../thrown";
import { runDoctor } from "./run-doctor";

const { stdin, stdout, stderr } = process;

// Who reads may have seen enough, as `head` has.
stdout.on("error", () => {});

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  // Where the input ends there is no answer, and none is no.
  const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}

void runDoctor({
  args: process.argv.slice(2),
  out: (line) => void stdout.write(`${line}\n`),
  err: (line) => void stderr.write(`${line}\n`),
  readInput: () => text(stdin),
  ...(stdin.isTTY && stderr.isTTY && { ask }),
  width: Math.max(stdout.columns || 120, 60),
}).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    stderr.write(`The doctor gave up: ${textField(error, "name") ?? "an error"}.\n`);
    process.exitCode = 2;
  },
);
