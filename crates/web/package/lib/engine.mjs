// Runs the command in WebAssembly: each run has an instance and a memory for itself, which are gone afterwards.

import { Exit, Input, Output, Wasi } from './wasi.mjs';

/** The largest output of a run, in bytes. */
export const MAX_OUTPUT = 64 << 20;

/** Why an instance ended before it answered, with the name of the limit; `undefined` if it is a fault of the engine. */
function limitOf(error, messages) {
  // The engine bounds steps, bytes and depth itself; these are the stack and the memory of the machine under it.
  if (error instanceof RangeError && /memory/i.test(error.message)) return 'memory';
  if (error instanceof RangeError || /stack/i.test(error.message)) return 'depth';
  if (/memory allocation of \d+ bytes failed|capacity overflow/.test(messages)) return 'memory';
  if (/out of bounds/.test(error.message)) return 'depth';
  return undefined;
}

const explained = {
  memory: 'more memory is needed than a page may have',
  depth: 'it is nested deeper than the stack of WebAssembly allows',
};

const message = (code, text, help) => ({ severity: 'error', code, message: text, labels: [], notes: [], help });

/** An instance of the module over a tree of files. */
export class Instance {
  /** With `joins`, what both streams of output have is kept a second time, in its order. */
  constructor(module, { root, args, cwd = '/', env = {}, stdin = new Uint8Array(0), maxOutput = MAX_OUTPUT, joins = false }) {
    this.both = joins ? new Output(2 * maxOutput) : undefined;
    this.stdin = new Input(stdin);
    this.stdout = new Output(maxOutput, this.both);
    this.stderr = new Output(maxOutput, this.both);
    const wasi = new Wasi({
      root, args: ['hieratic', ...args], env: { ...env, PWD: cwd }, stdin: this.stdin, stdout: this.stdout, stderr: this.stderr,
    });
    const { exports } = new WebAssembly.Instance(module, wasi.imports);
    wasi.memory = exports.memory;
    this.exports = exports;
    exports.__wasm_call_ctors();
  }

  /** Calls an exported function, and returns its status with what was written. */
  call(name) {
    let status;
    let ended;
    try {
      status = this.exports[name]();
    } catch (error) {
      if (error instanceof Exit) status = error.status;
      else if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) ended = error;
      else throw error;
    }
    const [stdout, stderr, both] = [this.stdout.take(), this.stderr.take(), this.both?.take()];
    // Memory of WebAssembly only grows.
    const memory = this.exports.memory.buffer.byteLength;
    if (!ended) return { status, stdout, stderr, both, memory };
    const limit = limitOf(ended, new TextDecoder().decode(stderr));
    const failure = limit
      ? message('limit', `the answer was stopped: ${explained[limit]} (limit: ${limit})`, ['ask for less at a time'])
      : message('internal', `internal error: ${ended.message}. Please report this`, []);
    return { status: 1, stdout, stderr, failure: { ...failure, limit }, memory };
  }
}

/** Runs the command once. */
export function run(module, options) {
  return new Instance(module, options).call('hieratic_run');
}
