// What the tests share: they are skipped, with a word, where WebAssembly or the command was not built.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test as nodeTest } from 'node:test';

import { start } from '../lib/node.mjs';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** WebAssembly as packaging/web/build leaves it. */
export const wasm = process.env.HIERATIC_WASM ?? path.join(root, 'target/web/hieratic.wasm');
export const lookupsWasm = process.env.HIERATIC_LOOKUPS_WASM ?? path.join(root, 'target/web/lookups.wasm');

/** The command of the same commit. */
export const command = process.env.HIERATIC ?? [process.env.CARGO_TARGET_DIR ?? path.join(root, 'target')]
  .flatMap((target) => ['release', 'debug'].map((profile) => path.join(target, profile, 'hieratic'))).find(existsSync);

/** A test that is skipped if a file is missing. */
export function testWith(files, name, work) {
  const missing = files.find((file) => !file || !existsSync(file));
  if (missing === undefined && files.every(Boolean)) return nodeTest(name, work);
  console.log(`skipped: ${name}: ${missing ?? 'the command'} is not built`);
  return nodeTest(name, { skip: `${missing ?? 'the command'} is not built` }, () => {});
}

/** A test that needs WebAssembly. */
export const test = (name, options, work = options) => (options.skip ? nodeTest(name, options, () => {}) : testWith([wasm], name, work));

let engine;

export function shared() {
  engine ??= start({ wasm });
  return engine;
}

after(() => engine?.close());

/** A folder that is removed after the tests. */
export function temporaryFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hieratic-web-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A small control repository. */
export const files = {
  'hiera.yaml': 'version: 5\nhierarchy:\n  - {name: Node, path: "%{trusted.certname}.yaml"}\n  - {name: Common, path: common.yaml}\n',
  'data/common.yaml': 'port: 80\nlimits: {files: {soft: 1, hard: 2}}\nname: "%{facts.role}"\nlookup_options:\n  limits: {merge: deep}\n',
  'data/web01.yaml': 'port: 8080\nlimits: {files: {soft: 9}}\n',
};
