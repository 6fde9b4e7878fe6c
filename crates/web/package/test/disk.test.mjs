// A folder on disk: what is read and written there, and by `npx hieratic`.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { start } from '../lib/node.mjs';
import { files, temporaryFolder, test, wasm } from './support.mjs';

const isPosix = process.platform !== 'win32';

function folderWith(more = {}) {
  const folder = fs.realpathSync(temporaryFolder());
  for (const [name, text] of Object.entries({ ...files, ...more })) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

/** Runs the command over a folder that may be written to. */
async function run(folder, args, isWritable = true) {
  const engine = start({ wasm });
  const answer = await engine.openFolder(folder, folder, isWritable).run(args);
  engine.close();
  return answer;
}

const modeOf = (file) => (fs.statSync(file).mode & 0o777).toString(8);

test('new files are for their owner, and replaced files for whom they were', async () => {
  const folder = folderWith({ 'site.yaml': 'a: {b: 1}\n', 'new.yaml': 'a: {b: 2}\n' });
  const known = await run(folder, ['check', '--write-baseline', 'known.json']);
  assert.equal(known.stderr.includes('cannot be written'), false, known.stderr);
  assert.ok(fs.existsSync(path.join(folder, 'known.json')));
  const keys = await run(folder, ['secret', 'createkeys']);
  assert.equal(keys.status, 0, keys.stderr);
  fs.chmodSync(path.join(folder, 'site.yaml'), 0o640);
  const restored = await run(folder, ['restore', 'site.yaml', 'new.yaml', '--in-place']);
  assert.equal(restored.status, 0, restored.stderr);
  assert.equal(fs.readFileSync(path.join(folder, 'site.yaml'), 'utf8'), 'a: {b: 2}\n');
  if (isPosix) {
    assert.equal(modeOf(path.join(folder, 'keys/private_key.pkcs7.pem')), '600');
    assert.equal(modeOf(path.join(folder, 'site.yaml')), '640');
  }
  assert.deepEqual(fs.readdirSync(folder).sort(), ['data', 'hiera.yaml', 'keys', 'known.json', 'new.yaml', 'site.yaml']);
});

test('without leave, nothing is written', async () => {
  const folder = folderWith();
  const refused = await run(folder, ['check', '--write-baseline', 'known.json'], false);
  assert.notEqual(refused.status, 0);
  assert.deepEqual(fs.readdirSync(folder).sort(), ['data', 'hiera.yaml']);
});

test('links that lead out of the folder lead nowhere', { skip: !isPosix && 'links need rights on Windows' }, async () => {
  const folder = folderWith();
  const outside = path.join(fs.realpathSync(temporaryFolder()), 'secret.yaml');
  fs.writeFileSync(outside, 'port: 31337\n');
  fs.rmSync(path.join(folder, 'data/web01.yaml'));
  fs.symlinkSync(outside, path.join(folder, 'data/web01.yaml'));
  const { stdout, stderr } = await run(folder, ['lookup', 'port', '--node', 'web01']);
  assert.doesNotMatch(stdout + stderr, /31337/);
});

test('npx hieratic is WebAssembly where no command is installed', async () => {
  const folder = folderWith();
  const program = fileURLToPath(new URL('../bin/hieratic.mjs', import.meta.url));
  const module = fileURLToPath(new URL('../hieratic.wasm', import.meta.url));
  // The package has the module; the repository has it where it is built.
  const isLinked = !fs.existsSync(module);
  if (isLinked) fs.symlinkSync(path.resolve(wasm), module);
  try {
    const env = { PATH: folder, HOME: folder };
    const output = (args, input = '') => execFileSync(process.execPath, [program, ...args], { cwd: folder, env, input, encoding: 'utf8' });
    assert.equal(output(['lookup', 'port', '--node', 'web01']), '--- 8080\n');
    assert.equal(output(['eval'], '1 + 1'), '2\n');
    assert.throws(() => output(['lookup', 'prot', '--node', 'web01']), ({ status, stderr }) => status === 1 && /did you mean/.test(stderr));
  } finally {
    if (isLinked) fs.rmSync(module);
  }
});
