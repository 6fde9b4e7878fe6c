// Bundles the playground into a folder that any server of files can serve. Nothing is loaded from elsewhere at run time.
//
//     node build.mjs [FOLDER] [--compress]        (default: ../../target/site/play)
//
// With --compress, each file is there compressed as well, for servers that send such files: FILE.br (quality 11) and FILE.gz.
//
// WebAssembly comes from packaging/web/build: ../../target/web/hieratic.wasm.

import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { build } from 'esbuild';

import { exampleFiles } from './example-files.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');
const isFlag = (argument) => argument.startsWith('--');
const out = path.resolve(process.argv.slice(2).find((argument) => !isFlag(argument)) ?? path.join(root, 'target/site/play'));
const compresses = process.argv.includes('--compress');
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
if (compresses) {
  for (const name of await readdir(out)) {
    const bytes = await readFile(path.join(out, name));
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
    const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
    await writeFile(path.join(out, `${name}.br`), await promisify(brotliCompress)(bytes, { params }));
    await writeFile(path.join(out, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
  }
}
console.log(`${out}: version ${version}`);
