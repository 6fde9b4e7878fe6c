// Bundles the playground into a folder that any server of files can serve. Nothing is loaded from elsewhere at run time.
//
//     node build.mjs [FOLDER]        (default: ../../target/site/play)
//
// WebAssembly comes from packaging/web/build: ../../target/web/hieratic.wasm.

import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { exampleFiles } from './example-files.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');
const out = path.resolve(process.argv[2] ?? path.join(root, 'target/site/play'));
const wasm = process.env.HIERATIC_WASM ?? path.join(root, 'target/web/hieratic.wasm');

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await build({
  entryPoints: {
    play: path.join(here, 'src/main.js'),
    run: path.join(here, 'src/documentation.js'),
    worker: path.join(root, 'crates/web/package/lib/worker-browser.mjs'),
  },
  bundle: true, format: 'esm', minify: true, target: 'es2022', outdir: out, legalComments: 'linked', logLevel: 'warning',
});
for (const name of ['index.html', 'play.css', 'run.css', 'icon.svg']) await cp(path.join(here, name), path.join(out, name));
await cp(wasm, path.join(out, 'hieratic.wasm'));
await writeFile(path.join(out, 'example-files.json'), JSON.stringify(await exampleFiles(root)));

// The worker for use without a network keeps exactly these files; another content is another version.
const names = ['index.html', 'play.css', 'icon.svg', 'play.js', 'worker.js', 'hieratic.wasm'];
const digest = createHash('sha256');
for (const name of names) digest.update(await readFile(path.join(out, name)));
const version = digest.digest('hex').slice(0, 16);
const source = await readFile(path.join(here, 'src/offline.js'), 'utf8');
await writeFile(path.join(out, 'offline.js'), source.replace('VERSION', version).replace("['FILES']", JSON.stringify(names)));
console.log(`${out}: version ${version}`);
