#!/usr/bin/env node
// `npx hieratic`: the command of this machine if it is installed, or else WebAssembly.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, isMainThread, workerData } from 'node:worker_threads';

import { DiskFolder, posixPath } from '../lib/disk.mjs';
import { run } from '../lib/engine.mjs';

const own = fs.realpathSync(fileURLToPath(import.meta.url));

/** The command of this machine: a program on the PATH that is not a script of npm. */
function installed() {
  if (process.env.HIERATIC_WASM) return undefined;
  const name = process.platform === 'win32' ? 'hieratic.exe' : 'hieratic';
  return (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute).map((folder) => path.join(folder, name)).find((program) => {
    try {
      fs.accessSync(program, fs.constants.X_OK);
      const real = fs.realpathSync(program);
      // A link or a script that leads back here would run forever.
      return real !== own && !real.split(path.sep).includes('node_modules') && fs.statSync(real).isFile();
    } catch {
      return false;
    }
  });
}

function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(fd, bytes, at);
    } catch (error) {
      if (error.code === 'EPIPE') return;
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

if (isMainThread) {
  const program = installed();
  if (program) {
    const { status, error } = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' });
    if (error) throw error;
    process.exitCode = status ?? 1;
  } else {
    // In a thread with the stack that deep data needs.
    const worker = new Worker(new URL(import.meta.url), {
      argv: process.argv.slice(2), workerData: { cwd: process.cwd() }, resourceLimits: { stackSizeMb: 16 },
    });
    worker.on('exit', (status) => {
      process.exitCode = status;
    });
  }
} else {
  const args = process.argv.slice(2);
  const module = new WebAssembly.Module(fs.readFileSync(new URL('../hieratic.wasm', import.meta.url)));
  const root = new DiskFolder(path.parse(workerData.cwd).root, { isWritable: true });
  const names = ['HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'NO_COLOR', 'CLICOLOR_FORCE', 'COLUMNS'];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => names.includes(name) || name.startsWith('NOMAD_VAR_')));
  const takesInput = !process.stdin.isTTY && (args.includes('-') || ['eval', 'repl', 'catalog'].includes(args[0]));
  const stdin = takesInput ? fs.readFileSync(0) : new Uint8Array(0);
  const { status, stdout, stderr, failure } = run(module, { root, args, cwd: posixPath(workerData.cwd), env, stdin });
  writeAll(1, stdout);
  writeAll(2, stderr);
  if (failure) writeAll(2, new TextEncoder().encode(`Error: ${failure.message}\n`));
  process.exitCode = status;
}
