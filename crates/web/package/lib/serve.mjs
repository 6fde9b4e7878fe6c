// The side of the worker: it keeps the module and trees of files, and answers one request after the other.

import { Instance, run } from './engine.mjs';
import { MemoryFolder, find, makeFolder, removeFile, walk, writeFile } from './files.mjs';

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

  const openedEditor = () => {
    if (!editor) throw new Error('the language server has ended: open another editor');
    return editor;
  };

  const requests = {
    async load({ source }) {
      module = source instanceof WebAssembly.Module ? source : await load(source);
      return module;
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
      const { root } = openedEditor();
      if (content === undefined) removeFile(root, path);
      else writeFile(root, path, content);
    },

    editorSend({ bytes }) {
      const { instance } = openedEditor();
      instance.stdin.push(bytes);
      const answer = instance.call('hieratic_editor');
      // After that, the instance cannot be called any more.
      if (answer.failure) editor = undefined;
      return answer;
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
