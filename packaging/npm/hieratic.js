#!/usr/bin/env node
// Starts the command of the package for this platform, or its WebAssembly build. HIERATIC_BINARY names another command.
"use strict";

const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");
const path = require("node:path");

function binary() {
  if (process.env.HIERATIC_BINARY) {
    return process.env.HIERATIC_BINARY;
  }
  const exe = process.platform === "win32" ? "hieratic.exe" : "hieratic";
  // Windows on ARM runs programs for x64, and macOS on ARM does with Rosetta.
  const machines = process.arch === "arm64" && process.platform !== "linux" ? ["arm64", "x64"] : [process.arch];
  for (const machine of machines) {
    try {
      return path.join(path.dirname(require.resolve(`@hieratic/${process.platform}-${machine}/package.json`)), exe);
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") {
        throw error;
      }
    }
  }
  return undefined;
}

/** The module of the WebAssembly build whose `main(arguments)` runs the command, and returns or promises its exit status. */
function fallback() {
  try {
    return require.resolve("@hieratic/wasm/cli");
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND" && error.code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") {
      throw error;
    }
    return undefined;
  }
}

async function main() {
  const command = binary();
  if (command !== undefined) {
    const done = spawnSync(command, process.argv.slice(2), { stdio: "inherit", windowsHide: false });
    if (done.error) {
      throw new Error(`${command} cannot be started: ${done.error.message}`);
    }
    if (done.signal) {
      return 128 + (constants.signals[done.signal] ?? 0);
    }
    return done.status;
  }
  const module = fallback();
  if (module !== undefined) {
    const { pathToFileURL } = require("node:url");
    const { main } = await import(pathToFileURL(module).href);
    return await main(process.argv.slice(2));
  }
  throw new Error(
    `there is no @hieratic/${process.platform}-${process.arch} here: install without --omit=optional, or install @hieratic/wasm`,
  );
}

main().then(
  (status) => {
    process.exitCode = status;
  },
  (error) => {
    process.stderr.write(`hieratic: ${error.message}\n`);
    process.exitCode = 1;
  },
);
