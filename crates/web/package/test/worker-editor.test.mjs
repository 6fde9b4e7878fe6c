// The language server as VS Code for the Web talks to it: messages of the protocol in a worker.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { serveEditor } from '../lib/worker-editor.mjs';
import { files, test, wasm } from './support.mjs';

/** A port whose answers can be waited for. */
function portWith() {
  const answers = [];
  let told = () => {};
  const port = { postMessage: (message) => { answers.push(message); told(); } };
  serveEditor(port);
  return {
    send: (message) => port.onmessage({ data: message }),
    async answer(isWanted) {
      for (;;) {
        const at = answers.findIndex(isWanted);
        if (at >= 0) return answers.splice(at, 1)[0];
        await new Promise((resolve) => { told = resolve; });
      }
    },
  };
}

test('the server in a worker finds faults in documents and in files that change', async () => {
  const port = portWith();
  const uri = 'file:///repository/data/common.yaml';
  const findingsOf = async () => {
    const { params } = await port.answer(({ method, params }) => method === 'textDocument/publishDiagnostics' && params.uri === uri);
    return params.diagnostics.map(({ code }) => code);
  };
  const changed = (path, type) => port.send({ jsonrpc: '2.0', method: 'workspace/didChangeWatchedFiles', params: { changes: [{ uri: `file://${path}`, type }] } });
  port.send({ hieratic: 'start', wasm: await readFile(wasm), cwd: '/repository', files: Object.entries(files).map(([path, text]) => [`/repository/${path}`, text]) });
  port.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { processId: null, rootUri: 'file:///repository', capabilities: {} } });
  assert.equal((await port.answer(({ id }) => id === 1)).result.serverInfo.name, 'hieratic');
  port.send({ jsonrpc: '2.0', method: 'initialized', params: {} });
  const text = 'a: "%{lookup(\'b\')}"\n';
  port.send({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 1, text } } });
  assert.ok((await findingsOf()).length > 0, 'nothing has the key');
  port.send({ hieratic: 'file', path: '/repository/data/web01.yaml', content: 'b: 1\n' });
  changed('/repository/data/web01.yaml', 2);
  assert.deepEqual(await findingsOf(), []);
  port.send({ hieratic: 'file', path: '/repository/data/web01.yaml' });
  changed('/repository/data/web01.yaml', 3);
  assert.ok((await findingsOf()).length > 0, 'the file is gone');
});
