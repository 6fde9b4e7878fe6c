#!/usr/bin/env node
// Compares WebAssembly with the command: sizes, the first answer, later answers.
//
//     packaging/web/build && cargo build --profile dist -p hieratic-cli && benches/compare-web.mjs
//
// Prints medians of one run, and their ratios. Both answer the same questions about examples/; the command is started for each answer, and
// WebAssembly has a new instance for each.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { start } from '../crates/web/package/lib/node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const wasm = process.env.HIERATIC_WASM ?? path.join(root, 'target/web/hieratic.wasm');
const command = process.env.HIERATIC ?? path.join(process.env.CARGO_TARGET_DIR ?? path.join(root, 'target'), 'dist/hieratic');

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;

const filesBelow = (folder) => Object.fromEntries(readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => {
  const file = path.join(entry.parentPath, entry.name);
  return [path.relative(folder, file), readFileSync(file)];
}));

for (const file of [wasm, path.join(path.dirname(wasm), 'lookups.wasm')]) {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch {
    console.log(`${file}: not built`);
    continue;
  }
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } });
  const native = readFileSync(command);
  console.log(`${path.basename(file)}: ${megabytes(bytes.length)}, gzip ${megabytes(gzipSync(bytes).length)}, brotli ${megabytes(brotli.length)}; `
    + `${(bytes.length / native.length).toFixed(2)} of the command`);
}

const questions = [
  ['lookup', 'control-repo', ['lookup', 'profile::web::vhosts', '--node', 'web01.example.com', '--fact', 'role=web']],
  ['lookup --why', 'control-repo', ['lookup', 'profile::web::port', '--node', 'web01.example.com', '--why']],
  ['check', 'control-repo', ['check']],
  ['eval', 'control-repo', ['eval', '-e', '[1, 2, 3].map |$x| { $x * 2 }', '--node', 'web01.example.com']],
  ['catalog', 'catalog', ['catalog', 'web01.example.com']],
  ['expand', 'unfurl', ['expand', 'site.yaml']],
  ['job', 'nomad', ['job', 'web.nomad.hcl']],
];

{
  const begun = performance.now();
  const engine = start({ wasm });
  await engine.open(filesBelow(path.join(root, 'examples/control-repo'))).run(questions[0][2]);
  console.log(`first answer, with the start of the worker and the compilation: ${Math.round(performance.now() - begun)} ms`);
  engine.close();
}

console.log('| question | command | WebAssembly | ratio |\n|---|---|---|---|');
const engine = start({ wasm });
for (const [name, folder, args] of questions) {
  const cwd = path.join(root, 'examples', folder);
  const repository = engine.open(filesBelow(cwd));
  const times = { command: [], wasm: [] };
  for (let round = 0; round < 21; round++) {
    let begun = performance.now();
    execFileSync(command, args, { cwd, stdio: 'ignore' });
    times.command.push(performance.now() - begun);
    begun = performance.now();
    await repository.run(args);
    // The first rounds are compiled by the faster of two compilers, and run slower.
    if (round >= 5) times.wasm.push(performance.now() - begun);
  }
  const [one, other] = [median(times.command), median(times.wasm)];
  console.log(`| \`${name}\` | ${one.toFixed(1)} ms | ${other.toFixed(1)} ms | ${(other / one).toFixed(1)} |`);
}
engine.close();
