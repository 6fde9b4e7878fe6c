// The language server in a worker that speaks the protocol itself: each message is an object, as editors in browsers send them.
//
// The first message starts it: `{hieratic: 'start', wasm, files, cwd}`, with the module and the files by their paths. Messages
// `{hieratic: 'file', path, content}` write files later, or remove them if there is no content. All others are those of the protocol.

import { framed, unframed } from './api.mjs';
import { Instance } from './engine.mjs';
import { MemoryFolder, makeFolder, removeFile, writeFile } from './files.mjs';

/** Serves a port with `postMessage` and `onmessage`. */
export function serveEditor(port) {
  const root = new MemoryFolder();
  let instance;
  let last = Promise.resolve();

  const handle = async (message) => {
    if (message.hieratic === 'start') {
      const module = message.wasm instanceof WebAssembly.Module ? message.wasm : await WebAssembly.compile(message.wasm);
      makeFolder(root, message.cwd);
      for (const [path, content] of message.files) writeFile(root, path, content);
      instance = new Instance(module, { root, args: ['lsp'], cwd: message.cwd });
    } else if (message.hieratic === 'file') {
      if (message.content === undefined) removeFile(root, message.path);
      else writeFile(root, message.path, message.content);
    } else {
      instance.stdin.push(framed([message]));
      const { stdout, failure } = instance.call('hieratic_editor');
      unframed(stdout).forEach((answer) => port.postMessage(answer));
      // After that, the instance cannot be called any more: the editor starts another worker.
      if (failure) throw new Error(failure.message);
    }
  };

  port.onmessage = ({ data }) => {
    last = last.then(() => handle(data));
    last.catch((error) => setTimeout(() => { throw error; }));
  };
}

if (typeof WorkerGlobalScope !== 'undefined' && globalThis instanceof WorkerGlobalScope) serveEditor(globalThis);
