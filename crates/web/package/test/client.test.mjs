// The side of a page: what it sends to a worker, and when it starts another one.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Repository } from '../lib/api.mjs';
import { Client } from '../lib/client.mjs';
import { serve } from '../lib/serve.mjs';

/** A client with workers that answer by a function, and the messages that they got. */
function clientWith(answerOf, source = 'module') {
  const messages = [];
  let workers = 0;
  const client = new Client(() => {
    const number = ++workers;
    let callback;
    let isEnded = false;
    return {
      onMessage: (called) => { callback = called; },
      onError: () => {},
      terminate: () => { isEnded = true; },
      postMessage: (message) => {
        messages.push({ number, ...message });
        Promise.resolve().then(() => answerOf(message, number)).then(
          (answer) => isEnded || callback({ id: message.id, answer }), (error) => isEnded || callback({ id: message.id, error: { message: error.message } }));
      },
    };
  }, source);
  return { client, messages };
}

const run = { status: 0, stdout: new Uint8Array(0), stderr: new Uint8Array(0), written: [] };

test('the worker forgets files that are closed', async () => {
  const { client, messages } = clientWith(({ kind }) => (kind === 'run' ? run : undefined));
  const repository = new Repository(client, { files: { a: '1' } });
  await repository.run([]);
  repository.close();
  const [{ tree }] = messages.filter(({ kind }) => kind === 'files');
  assert.deepEqual(messages.at(-1), { number: 1, kind: 'forget', tree });
  await assert.rejects(repository.run([]), { code: 'closed' });
});

test('the next worker gets the module that the first one compiled', async () => {
  const { client, messages } = clientWith(({ kind }) => ({ load: 'compiled', run })[kind] ?? new Promise(() => {}));
  const repository = new Repository(client, { files: {} });
  const controller = new AbortController();
  const cancelled = repository.run([], { signal: controller.signal });
  setTimeout(() => controller.abort(), 10);
  await assert.rejects(cancelled, { code: 'cancelled' });
  await client.request({ kind: 'run' });
  assert.deepEqual(messages.filter(({ kind }) => kind === 'load').map(({ number, source }) => [number, source]), [[1, 'module'], [2, 'compiled']]);
});

test('the memory of a large run is given back', async () => {
  const { client, messages } = clientWith(({ kind }) => (kind === 'run' ? { ...run, memory: 300 << 20 } : undefined));
  await client.request({ kind: 'run' });
  await client.request({ kind: 'run' });
  assert.deepEqual(messages.map(({ number, kind }) => [number, kind]), [[1, 'load'], [1, 'run'], [2, 'load'], [2, 'run']]);
});

test('a module that is not loaded is loaded by the next request', async () => {
  let isThere = false;
  const { client, messages } = clientWith(({ kind }) => {
    if (kind === 'load' && !isThere) throw new Error('HTTP 404');
    return run;
  });
  await assert.rejects(client.request({ kind: 'run' }), /HTTP 404/);
  isThere = true;
  await client.request({ kind: 'run' });
  assert.deepEqual(messages.map(({ number, kind }) => [number, kind]), [[1, 'load'], [2, 'load'], [2, 'run']]);
});

test('a language server that has ended says so', async () => {
  const answers = [];
  const port = { postMessage: (message) => answers.push(message) };
  serve(port, { load: async () => undefined });
  port.onmessage({ data: { id: 1, kind: 'editorSend', bytes: new Uint8Array(0) } });
  await new Promise((resolve) => setTimeout(resolve));
  assert.match(answers[0].error.message, /open another editor/);
});
