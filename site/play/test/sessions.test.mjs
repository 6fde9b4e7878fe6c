// The examples of the documentation, run in WebAssembly: those that get "Run" print what their pages show.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { runAll } from '../sessions.mjs';

const wasm = process.env.HIERATIC_WASM ?? fileURLToPath(new URL('../../../target/web/hieratic.wasm', import.meta.url));

/** Pages whose examples print something else in a browser, and why. */
const DIFFERENT = {
  'errors/external-backend.md': 'a program is run',
  'errors/lsp.md': 'the language server reads messages of the worker, and no stream',
  'errors/puppetdb.md': 'there is no network',
  'errors/releases.md': 'there is no network',
  'errors/serve.md': 'there is no network',
  'install.md': 'a build of a checkout names its commit',
  'secrets.md': 'an editor is started',
  'service.md': 'there is no network',
};

if (existsSync(wasm)) {
  test('examples of the documentation run in the browser', async () => {
    const { runnable, different } = await runAll(path.resolve(wasm));
    const unexpected = different.filter(({ page }) => !(page in DIFFERENT));
    const same = Object.keys(DIFFERENT).filter((name) => !different.some(({ page }) => page === name));
    assert.deepEqual(same, [], 'these pages print what they show');
    assert.deepEqual(unexpected.map(({ page, command, printed }) => `${page}: $ ${command}\n${printed}`), []);
    assert.ok(runnable.length > 150, `${runnable.length} commands run`);
  });
} else {
  console.log('skipped: examples of the documentation: WebAssembly is not built');
}
