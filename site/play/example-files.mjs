// The files that the documentation's commands use: examples/ and conformance/ have them, and a page gets those that it needs.

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/** All files below examples/, by their paths from the root of the project. */
export async function exampleFiles(root) {
  const files = {};
  for (const entry of await readdir(path.join(root, 'examples'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const place = path.join(entry.parentPath, entry.name);
    const bytes = await readFile(place);
    // Keys and programs are not shown on a page.
    if (!bytes.includes(0)) files[path.relative(root, place).split(path.sep).join('/')] = bytes.toString('utf8');
  }
  return files;
}
