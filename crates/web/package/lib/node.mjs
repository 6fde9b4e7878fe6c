// The engine in Node.

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { Engine } from './api.mjs';
import { Client } from './client.mjs';
import { posixPath } from './disk.mjs';

export { Engine, Repository, Editor } from './api.mjs';
export { HieraticError } from './client.mjs';

const WASM = fileURLToPath(new URL('../hieratic.wasm', import.meta.url));

/** The stack of a worker, in megabytes: WebAssembly uses it, too. */
const STACK_MEGABYTES = 16;

/** Starts an engine. Nothing is loaded before the first request. */
export function start({ wasm = WASM } = {}) {
  return new Engine(new Client(() => {
    const worker = new Worker(new URL('./worker-node.mjs', import.meta.url), { resourceLimits: { stackSizeMb: STACK_MEGABYTES } });
    // A program may end while the worker waits for requests.
    worker.unref();
    let waiting = 0;
    return {
      postMessage: (message) => {
        if (waiting++ === 0) worker.ref();
        worker.postMessage(message);
      },
      onMessage: (callback) => worker.on('message', (message) => {
        if (--waiting === 0) worker.unref();
        callback(message);
      }),
      onError: (callback) => worker.on('error', callback),
      terminate: () => worker.terminate(),
    };
  }, wasm instanceof URL ? fileURLToPath(wasm) : wasm));
}

let shared;

/** Opens files in memory: their paths with their contents. */
export function open(files) {
  shared ??= start();
  return shared.open(files);
}

/** Opens a folder on disk. Only what is below it is read, and nothing is written unless `writable` is set. */
export function openFolder(folder, { writable = false } = {}) {
  shared ??= start();
  return shared.openFolder(path.resolve(folder), posixPath(folder), writable);
}
