// Files on disk, for Node. A file is read when it is needed. Nothing is written unless the tree was opened for that.

import fs from 'node:fs';
import path from 'node:path';

import { MemoryFolder, MemoryLink, parts } from './files.mjs';

class DiskFile {
  kind = 'file';
  #bytes;
  #dirty = false;

  constructor(place, about, isWritable) {
    Object.assign(this, { place, inode: about.ino, modified: about.mtimeNs, length: Number(about.size), isWritable });
  }

  get size() {
    return this.#bytes?.length ?? this.length;
  }

  read() {
    this.#bytes ??= fs.readFileSync(this.place);
    return this.#bytes;
  }

  resize(size) {
    const bytes = new Uint8Array(size);
    if (size > 0) bytes.set(this.read().subarray(0, size));
    this.#bytes = bytes;
    this.#dirty = true;
  }

  write(offset, bytes) {
    const old = this.#bytes ?? this.read();
    const grown = new Uint8Array(Math.max(old.length, offset + bytes.length));
    grown.set(old);
    grown.set(bytes, offset);
    this.#bytes = grown;
    this.#dirty = true;
  }

  flush() {
    if (!this.#dirty) return;
    fs.writeFileSync(this.place, this.#bytes);
    this.#dirty = false;
  }
}

/** A folder on disk. */
export class DiskFolder {
  kind = 'folder';

  constructor(place, { isWritable = false } = {}) {
    const about = fs.statSync(place, { bigint: true });
    Object.assign(this, { place, isWritable, inode: about.ino, modified: about.mtimeNs, size: 0 });
  }

  #below(name) {
    // Names come from WebAssembly one by one; a backslash separates folders on Windows.
    if (path.sep !== '/' && name.includes(path.sep)) return undefined;
    return path.join(this.place, name);
  }

  get(name) {
    const place = this.#below(name);
    let about;
    try {
      about = place && fs.lstatSync(place, { bigint: true });
    } catch (error) {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ENAMETOOLONG') return undefined;
      throw error;
    }
    if (!about) return undefined;
    if (about.isFile()) return new DiskFile(place, about, this.isWritable);
    if (about.isDirectory()) return new DiskFolder(place, this);
    if (about.isSymbolicLink()) return new MemoryLink(fs.readlinkSync(place));
    return { kind: 'other', inode: about.ino, modified: about.mtimeNs, size: 0 };
  }

  names() {
    return fs.readdirSync(this.place);
  }

  createFile(name) {
    // WebAssembly cannot say who may read a file: it may hold a key.
    fs.writeFileSync(this.#below(name), '', { flag: 'wx', mode: 0o600 });
    return this.get(name);
  }

  /** Gives a file a further name. */
  link(name, node) {
    if (!(node instanceof DiskFile)) return false;
    fs.linkSync(node.place, this.#below(name));
    return true;
  }

  createFolder(name) {
    fs.mkdirSync(this.#below(name));
    return this.get(name);
  }

  createLink(name, target) {
    fs.symlinkSync(target, this.#below(name));
    return this.get(name);
  }

  remove(name) {
    const place = this.#below(name);
    if (fs.lstatSync(place).isDirectory()) fs.rmdirSync(place);
    else fs.unlinkSync(place);
  }

  rename(name, to, newName) {
    if (!(to instanceof DiskFolder)) return false;
    const [from, place] = [this.#below(name), to.#below(newName)];
    if (from === undefined || place === undefined) return false;
    // WebAssembly has no permissions: a file in the place of another one is for the same people.
    const replaced = fs.lstatSync(place, { throwIfNoEntry: false });
    if (replaced?.isFile() && fs.lstatSync(from).isFile()) fs.chmodSync(from, replaced.mode & 0o777);
    fs.renameSync(from, place);
    return true;
  }
}

/** The path by which WebAssembly knows a path of this system: `C:\a` is `/C:/a`. */
export function posixPath(place) {
  const whole = path.resolve(place);
  return path.sep === '/' ? whole : `/${whole.split(path.sep).join('/')}`;
}

/** A tree with one folder of the disk, at its own path. Nothing else is there. */
export function treeWith(place, options) {
  const root = new MemoryFolder();
  const names = parts(posixPath(place));
  const last = names.pop();
  if (last === undefined) return new DiskFolder(place, options);
  let folder = root;
  for (const name of names) folder = folder.createFolder(name);
  folder.put(last, new DiskFolder(path.resolve(place), options));
  return root;
}
