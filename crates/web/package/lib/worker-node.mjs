import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';

import { treeWith } from './disk.mjs';
import { serve } from './serve.mjs';

const port = { postMessage: (message) => parentPort.postMessage(message) };
serve(port, {
  load: async (path) => WebAssembly.compile(await readFile(path)),
  treeOnDisk: (folder, isWritable) => treeWith(folder, { isWritable }),
});
parentPort.on('message', (data) => port.onmessage({ data }));
