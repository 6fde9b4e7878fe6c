// The engine in a browser.

import { Engine } from './api.mjs';
import { Client } from './client.mjs';

export { Engine, Repository, Editor } from './api.mjs';
export { HieraticError } from './client.mjs';

const WASM = new URL('../hieratic.wasm', import.meta.url);

/** Starts an engine. Nothing is loaded before the first request. */
export function start({ wasm = WASM, worker = () => new Worker(new URL('./worker-browser.mjs', import.meta.url), { type: 'module' }) } = {}) {
  return new Engine(new Client(() => {
    const started = worker();
    return {
      postMessage: (message) => started.postMessage(message),
      onMessage: (callback) => { started.onmessage = ({ data }) => callback(data); },
      onError: (callback) => { started.onerror = callback; },
      terminate: () => started.terminate(),
    };
  }, wasm instanceof URL ? String(wasm) : wasm));
}

let shared;

/** Opens files in memory: their paths with their contents. */
export function open(files) {
  shared ??= start();
  return shared.open(files);
}
