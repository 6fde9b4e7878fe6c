// Lookups alone, in a third of the size: in the thread that calls, over files in memory.

import { Instance } from './engine.mjs';
import { HieraticError } from './client.mjs';
import { MemoryFolder, makeFolder, writeFile } from './files.mjs';

export { HieraticError } from './client.mjs';

const FOLDER = '/repository';

/** Opens files in memory with a module that was compiled from `lookups.wasm`. */
export function open(module, files) {
  const ask = (request) => {
    const root = new MemoryFolder();
    makeFolder(root, FOLDER);
    for (const [path, content] of files instanceof Map ? files : Object.entries(files)) writeFile(root, `${FOLDER}/${path}`, content);
    const stdin = new TextEncoder().encode(JSON.stringify(request));
    const { stdout, stderr, status, failure } = new Instance(module, { root, args: [], cwd: FOLDER, stdin }).call('hieratic_lookups');
    if (failure) throw new HieraticError(failure.message, failure);
    const text = new TextDecoder().decode(stdout);
    if (status !== 0) throw new HieraticError(new TextDecoder().decode(stderr) || 'there is no answer', { code: 'internal' });
    const { value, error } = JSON.parse(text);
    if (error) throw new HieraticError(error.message, error);
    return value;
  };
  return {
    lookup: (key, options = {}) => ask({ method: 'lookup', key, ...options }),
    why: (key, options = {}) => ask({ method: 'why', key, ...options }),
    keys: (options = {}) => ask({ method: 'keys', ...options }),
  };
}
