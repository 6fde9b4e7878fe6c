// Trees of files that WebAssembly sees: in memory, and on disk (disk.mjs).

let lastInode = 0n;
// The time of the last change is what tells the engine that a file is another one: no two changes have the same.
let lastChange = 0n;

export function nextInode() {
  return ++lastInode;
}

export function now() {
  const time = BigInt(Math.round((globalThis.performance?.timeOrigin ?? 0) + (globalThis.performance?.now() ?? Date.now()))) * 1_000_000n;
  lastChange = time > lastChange ? time : lastChange + 1n;
  return lastChange;
}

/** A file in memory. */
export class MemoryFile {
  kind = 'file';
  inode = nextInode();
  modified = now();

  // Bytes that were given belong to who gave them until the file is written to.
  #isOwn = false;

  constructor(bytes = new Uint8Array(0)) {
    this.bytes = bytes;
  }

  get size() {
    return this.bytes.length;
  }

  read() {
    return this.bytes;
  }

  resize(size) {
    if (size === this.bytes.length) return;
    const bytes = new Uint8Array(size);
    bytes.set(this.bytes.subarray(0, size));
    this.bytes = bytes;
    this.#isOwn = true;
    this.modified = now();
  }

  write(offset, bytes) {
    const end = offset + bytes.length;
    if (end > this.bytes.length) {
      // The room doubles, so that many small writes cost no more than one large one.
      const capacity = this.#isOwn ? this.bytes.buffer.byteLength : this.bytes.length;
      if (this.#isOwn && end <= capacity) {
        this.bytes = new Uint8Array(this.bytes.buffer, 0, end);
      } else {
        const grown = new Uint8Array(new ArrayBuffer(Math.max(end, capacity * 2)), 0, end);
        grown.set(this.bytes);
        this.bytes = grown;
      }
    }
    if (!this.#isOwn && end <= this.bytes.length) this.bytes = this.bytes.slice();
    this.#isOwn = true;
    this.bytes.set(bytes, offset);
    this.modified = now();
  }

  flush() {}
}

/** A symbolic link. */
export class MemoryLink {
  kind = 'link';
  inode = nextInode();
  modified = now();

  constructor(target) {
    this.target = target;
  }

  get size() {
    return this.target.length;
  }
}

/** A folder in memory; its entries may be on disk. */
export class MemoryFolder {
  kind = 'folder';
  inode = nextInode();
  modified = now();
  size = 0;
  entries = new Map();

  get(name) {
    return this.entries.get(name);
  }

  names() {
    return [...this.entries.keys()];
  }

  createFile(name) {
    return this.put(name, new MemoryFile());
  }

  createFolder(name) {
    return this.put(name, new MemoryFolder());
  }

  createLink(name, target) {
    return this.put(name, new MemoryLink(target));
  }

  /** Gives a file a further name. */
  link(name, node) {
    if (!(node instanceof MemoryFile)) return false;
    this.put(name, node);
    return true;
  }

  put(name, node) {
    this.entries.set(name, node);
    this.modified = now();
    return node;
  }

  remove(name) {
    this.entries.delete(name);
    this.modified = now();
  }

  /** Moves an entry to another folder, in the place of what is there. */
  rename(name, to, newName) {
    if (!(to instanceof MemoryFolder)) return false;
    const node = this.entries.get(name);
    this.remove(name);
    to.put(newName, node);
    return true;
  }
}

/** The parts of a path; `..` never leads out of the root. */
export function parts(path) {
  const found = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') found.pop();
    else found.push(part);
  }
  return found;
}

const encoder = new TextEncoder();

/** Makes a folder, with those that lead to it. */
export function makeFolder(root, path) {
  let folder = root;
  for (const part of parts(path)) {
    const next = folder.get(part) ?? folder.createFolder(part);
    if (next.kind !== 'folder') throw new TypeError(`'${path}' is below '${part}', which is a file`);
    folder = next;
  }
  return folder;
}

/** Puts a file into a tree, with the folders that lead to it. */
export function writeFile(root, path, content) {
  const names = parts(path);
  const name = names.pop();
  if (name === undefined) throw new TypeError(`not the name of a file: '${path}'`);
  const folder = makeFolder(root, names.join('/'));
  if (folder.get(name)?.kind === 'folder') throw new TypeError(`'${path}' is a folder`);
  const bytes = typeof content === 'string' ? encoder.encode(content) : content;
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`the content of '${path}' is neither a string nor bytes`);
  folder.put(name, new MemoryFile(bytes));
}

/** Removes a file from a tree; its folders stay. */
export function removeFile(root, path) {
  const names = parts(path);
  const name = names.pop();
  const folder = find(root, names.join('/'));
  if (folder?.get?.(name)?.kind === 'file') folder.remove(name);
}

/** Finds an entry of a tree without following links. */
export function find(root, path) {
  let node = root;
  for (const part of parts(path)) {
    if (node?.kind !== 'folder') return undefined;
    node = node.get(part);
  }
  return node;
}

/** All files in memory below a folder, by their paths. */
export function* walk(folder, prefix = '') {
  for (const [name, node] of folder.entries ?? []) {
    if (node instanceof MemoryFile) yield [prefix + name, node];
    else if (node instanceof MemoryFolder) yield* walk(node, `${prefix}${name}/`);
  }
}
