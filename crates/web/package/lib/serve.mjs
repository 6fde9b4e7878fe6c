// The side of the worker: it keeps the module and trees of files, and answers one request after the other.

import { Instance, run } from './engine.mjs';
import { MemoryFolder, find, makeFolder, walk, writeFile } from './files.mjs';

/** Answers the messages of a port. `treeOnDisk` opens folders, where there are some. */
export function serve(port, { treeOnDisk, load }) {
  const trees = new Map();
  let editor;
  let module;

  const treeOf = (files) => {
    const root = new MemoryFolder();
    for (const [path, content] of files) writeFile(root, path, content);
    return root;
  };

  const requests = {
    async load({ source }) {
      module = source instanceof WebAssembly.Module ? source : await load(source);
    },

    files({ tree, files, folder, isWritable }) {
      trees.set(tree, { files, folder, isWritable });
    },

    forget({ tree }) {
      trees.delete(tree);
    },

    run({ tree, args, cwd, env, stdin, joins, inputs = [], folders = [], returns = [] }) {
      const { files = [], folder, isWritable } = trees.get(tree) ?? {};
      // Each run begins with the files as they were given: what it writes is returned, and changes nothing else.
      const root = folder === undefined ? treeOf(files) : treeOnDisk(folder, isWritable);
      for (const path of folders) makeFolder(root, path);
      for (const [path, content] of inputs) writeFile(root, path, content);
      const answer = run(module, { root, args, cwd, env, stdin, joins });
      const written = returns.flatMap((path) => {
        const found = find(root, path);
        if (found?.kind === 'file') return [[path, found.read()]];
        return found ? [...walk(found, `${path.replace(/\/$/, '')}/`)].map(([name, file]) => [name, file.read()]) : [];
      });
      return { ...answer, written };
    },

    editorOpen({ files, args = [], cwd }) {
      editor = { root: treeOf(files) };
      editor.instance = new Instance(module, { root: editor.root, args: ['lsp', ...args], cwd });
    },

    editorFile({ path, content }) {
      writeFile(editor.root, path, content);
    },

    editorSend({ bytes }) {
      editor.instance.stdin.push(bytes);
      return editor.instance.call('hieratic_editor');
    },
  };

  // One after the other, in the order in which they come.
  let last = Promise.resolve();
  port.onmessage = ({ data: { id, kind, ...request } }) => {
    last = last.then(async () => {
      try {
        port.postMessage({ id, answer: await requests[kind](request) });
      } catch (error) {
        port.postMessage({ id, error: { name: error.name, message: error.message } });
      }
    });
  };
}
