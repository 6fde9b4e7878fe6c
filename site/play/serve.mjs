// Serves the playground on the loopback, with the headers that a host of pages sends.
//
//     node serve.mjs [FOLDER] [PORT]

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm', '.json': 'application/json', '.txt': 'text/plain; charset=utf-8',
};

/** The bytes of a file, compressed if a file beside it has that and the client accepts it. */
async function read(file, accepted) {
  for (const [encoding, ending] of [['br', '.br'], ['gzip', '.gz']]) {
    if (!accepted.split(/\s*,\s*/).includes(encoding)) continue;
    const bytes = await readFile(file + ending).catch(() => undefined);
    if (bytes) return { bytes, encoding };
  }
  return { bytes: await readFile(file) };
}

/** Starts a server of a folder; resolves to it when it listens. */
export function serve(folder, port = 0) {
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const file = path.join(folder, path.normalize(name.endsWith('/') ? `${name}index.html` : name));
    try {
      if (!file.startsWith(path.resolve(folder) + path.sep)) throw new Error('outside');
      const { bytes, encoding } = await read(file, request.headers['accept-encoding'] ?? '');
      response.writeHead(200, {
        'content-type': types[path.extname(file)] ?? 'application/octet-stream', 'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache', vary: 'accept-encoding', ...(encoding && { 'content-encoding': encoding }),
      });
      response.end(bytes);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
    }
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = path.resolve(process.argv[2] ?? path.join(path.dirname(fileURLToPath(import.meta.url)), '../../target/site'));
  const server = await serve(folder, Number(process.argv[3] ?? 8089));
  console.log(`Serving ${folder} on http://127.0.0.1:${server.address().port}/play/`);
}
