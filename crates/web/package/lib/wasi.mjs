// What WebAssembly asks of a system (WASI preview 1): arguments, clocks, random numbers, and the files of a tree.
//
// There are no sockets, no programs, and no other files than those of the tree. A tree is made of the nodes of files.mjs and disk.mjs.

const errno = {
  success: 0, access: 2, badFile: 8, exists: 20, tooLarge: 22, invalid: 28, io: 29, isFolder: 31, loop: 32, missing: 44, noSpace: 51,
  unsupported: 52, notFolder: 54, notEmpty: 55, readOnly: 69, seek: 70, crossDevice: 75, notCapable: 76,
};

const fileTypes = { other: 0, folder: 3, file: 4, link: 7 };
const MAX_LINKS = 40;
const ALL_RIGHTS = 0xffff_ffff_ffff_ffffn;

/** Ends a run: `proc_exit` was called. */
export class Exit extends Error {
  constructor(status) {
    super(`exit ${status}`);
    this.status = status;
  }
}

class Failure extends Error {
  constructor(code) {
    super(`errno ${code}`);
    this.code = code;
  }
}

const fail = (code) => {
  throw new Failure(code);
};

/** Output that is kept up to a size: what comes later is refused, as by a full disk. */
export class Output {
  chunks = [];
  length = 0;

  /** All output goes to `other`, too. */
  constructor(limit, other) {
    this.limit = limit;
    this.other = other;
  }

  write(bytes) {
    if (this.length + bytes.length > this.limit) fail(errno.noSpace);
    this.chunks.push(bytes.slice());
    this.length += bytes.length;
    this.other?.write(bytes);
  }

  /** Takes everything that was written. */
  take() {
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const chunk of this.chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    this.chunks = [];
    this.length = 0;
    return all;
  }
}

/** Input that can be added to; at its end, a reader gets nothing for now. */
export class Input {
  constructor(bytes = new Uint8Array(0)) {
    this.bytes = bytes;
    this.at = 0;
  }

  push(bytes) {
    const rest = this.bytes.subarray(this.at);
    const all = new Uint8Array(rest.length + bytes.length);
    all.set(rest);
    all.set(bytes, rest.length);
    this.bytes = all;
    this.at = 0;
  }

  read(length) {
    const bytes = this.bytes.subarray(this.at, this.at + length);
    this.at += bytes.length;
    return bytes;
  }
}

function systemCode(error) {
  if (error instanceof Failure) return error.code;
  const codes = {
    EACCES: errno.access, EPERM: errno.access, EEXIST: errno.exists, ENOENT: errno.missing, ENOTDIR: errno.notFolder,
    EISDIR: errno.isFolder, ENOTEMPTY: errno.notEmpty, ENOSPC: errno.noSpace, EROFS: errno.readOnly, EXDEV: errno.crossDevice,
    ELOOP: errno.loop,
  };
  if (typeof error?.code === 'string') return codes[error.code] ?? errno.io;
  throw error;
}

export class Wasi {
  #memory;
  #files = new Map();
  #next = 4;

  /** `root` is the tree, `args` and `env` are strings; `stdin`, `stdout` and `stderr` are an Input and Outputs. */
  constructor({ root, args, env = {}, stdin = new Input(), stdout, stderr }) {
    const encoder = new TextEncoder();
    const withZero = (text) => encoder.encode(`${text.replaceAll('\0', '\ufffd')}\0`);
    this.args = args.map(withZero);
    this.env = Object.entries(env).map(([name, value]) => withZero(`${name}=${value}`));
    this.#files.set(0, { stream: stdin });
    this.#files.set(1, { stream: stdout });
    this.#files.set(2, { stream: stderr });
    // The root is the one folder that is open from the beginning.
    this.#files.set(3, { node: root, parents: [], preopened: '/' });
  }

  set memory(memory) {
    this.#memory = memory;
  }

  get imports() {
    const calls = {};
    for (const name of NAMES) {
      const call = this[name];
      calls[name] = call
        ? (...values) => {
            try {
              return call.apply(this, values) ?? errno.success;
            } catch (error) {
              if (error instanceof Exit) throw error;
              return systemCode(error);
            }
          }
        : () => errno.unsupported;
    }
    return { wasi_snapshot_preview1: calls };
  }

  get #view() {
    return new DataView(this.#memory.buffer);
  }

  #bytes(at, length) {
    return new Uint8Array(this.#memory.buffer, at >>> 0, length >>> 0);
  }

  #text(at, length) {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.#bytes(at, length).slice());
  }

  #path(at, length) {
    try {
      return this.#text(at, length);
    } catch {
      // Names of these trees are Unicode: no other name is there.
      return fail(errno.missing);
    }
  }

  #file(fd) {
    return this.#files.get(fd) ?? fail(errno.badFile);
  }

  #folder(fd) {
    const file = this.#file(fd);
    return file.node?.kind === 'folder' ? file : fail(errno.notFolder);
  }

  #lists(values, pointers, at) {
    for (const value of values) {
      this.#view.setUint32(pointers, at, true);
      this.#bytes(at, value.length).set(value);
      pointers += 4;
      at += value.length;
    }
  }

  #sizes(values, count, size) {
    this.#view.setUint32(count, values.length, true);
    this.#view.setUint32(size, values.reduce((sum, value) => sum + value.length, 0), true);
  }

  args_sizes_get(count, size) {
    this.#sizes(this.args, count, size);
  }

  args_get(pointers, at) {
    this.#lists(this.args, pointers, at);
  }

  environ_sizes_get(count, size) {
    this.#sizes(this.env, count, size);
  }

  environ_get(pointers, at) {
    this.#lists(this.env, pointers, at);
  }

  clock_res_get(_, at) {
    this.#view.setBigUint64(at, 1000n, true);
  }

  clock_time_get(clock, _, at) {
    const time = clock === 0 ? BigInt(Date.now()) * 1_000_000n : BigInt(Math.round(performance.now() * 1e6));
    this.#view.setBigUint64(at, time, true);
  }

  random_get(at, length) {
    for (let done = 0; done < length; done += 65_536) {
      crypto.getRandomValues(this.#bytes(at + done, Math.min(65_536, length - done)));
    }
  }

  sched_yield() {}

  proc_exit(status) {
    throw new Exit(status);
  }

  // There is one thread and nothing that changes while it waits, so every wait ends at once.
  poll_oneoff(from, to, count, written) {
    for (let index = 0; index < count; index++) {
      const [read, write] = [from + index * 48, to + index * 32];
      this.#bytes(write, 32).fill(0);
      this.#view.setBigUint64(write, this.#view.getBigUint64(read, true), true);
      this.#view.setUint8(write + 10, this.#view.getUint8(read + 8));
    }
    this.#view.setUint32(written, count, true);
  }

  fd_prestat_get(fd, at) {
    const name = this.#file(fd).preopened ?? fail(errno.badFile);
    this.#view.setUint32(at, 0, true);
    this.#view.setUint32(at + 4, name.length, true);
  }

  fd_prestat_dir_name(fd, at, length) {
    const name = this.#file(fd).preopened ?? fail(errno.badFile);
    this.#bytes(at, Math.min(length, name.length)).set(new TextEncoder().encode(name).subarray(0, length));
  }

  fd_fdstat_get(fd, at) {
    const { node, isAppending } = this.#file(fd);
    this.#bytes(at, 24).fill(0);
    this.#view.setUint8(at, node ? fileTypes[node.kind] : 2);
    this.#view.setUint16(at + 2, isAppending ? 1 : 0, true);
    this.#view.setBigUint64(at + 8, ALL_RIGHTS, true);
    this.#view.setBigUint64(at + 16, ALL_RIGHTS, true);
  }

  fd_fdstat_set_flags() {}

  fd_advise() {}

  fd_close(fd) {
    const file = this.#file(fd);
    this.#files.delete(fd);
    file.node?.flush?.();
  }

  fd_sync(fd) {
    this.#file(fd).node?.flush?.();
  }

  fd_datasync(fd) {
    this.fd_sync(fd);
  }

  fd_renumber(from, to) {
    const file = this.#file(from);
    this.#files.delete(from);
    this.#files.set(to, file);
  }

  #stat(node, at) {
    const view = this.#view;
    this.#bytes(at, 64).fill(0);
    view.setBigUint64(at, 1n, true);
    view.setBigUint64(at + 8, BigInt.asUintN(64, node.inode), true);
    view.setUint8(at + 16, fileTypes[node.kind]);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(node.size), true);
    for (const offset of [40, 48, 56]) view.setBigUint64(at + offset, BigInt.asUintN(64, node.modified), true);
  }

  fd_filestat_get(fd, at) {
    const { node } = this.#file(fd);
    if (node) this.#stat(node, at);
    else {
      this.#bytes(at, 64).fill(0);
      this.#view.setUint8(at + 16, 2);
    }
  }

  fd_filestat_set_size(fd, size) {
    const file = this.#file(fd);
    this.#writable(file.node).resize(Number(size));
  }

  fd_filestat_set_times() {}

  path_filestat_set_times() {}

  #writable(node) {
    if (node?.kind !== 'file') fail(errno.badFile);
    if (node.isWritable === false) fail(errno.readOnly);
    return node;
  }

  fd_seek(fd, offset, whence, at) {
    const file = this.#file(fd);
    if (!file.node) fail(errno.seek);
    const base = whence === 0 ? 0 : whence === 1 ? file.offset : file.node.size;
    const moved = base + Number(offset);
    if (moved < 0) fail(errno.invalid);
    file.offset = moved;
    this.#view.setBigUint64(at, BigInt(moved), true);
  }

  fd_tell(fd, at) {
    const file = this.#file(fd);
    if (!file.node) fail(errno.seek);
    this.#view.setBigUint64(at, BigInt(file.offset), true);
  }

  *#vectors(at, count) {
    for (let index = 0; index < count; index++) {
      yield this.#bytes(this.#view.getUint32(at + index * 8, true), this.#view.getUint32(at + index * 8 + 4, true));
    }
  }

  #read(file, vectors, count, offset) {
    if (file.node?.kind === 'folder') fail(errno.isFolder);
    let done = 0;
    for (const into of this.#vectors(vectors, count)) {
      const bytes = file.stream
        ? (file.stream.read?.(into.length) ?? fail(errno.badFile))
        : file.node.read().subarray(offset + done, offset + done + into.length);
      into.set(bytes);
      done += bytes.length;
      if (bytes.length < into.length) break;
    }
    return done;
  }

  fd_read(fd, vectors, count, at) {
    const file = this.#file(fd);
    const done = this.#read(file, vectors, count, file.offset);
    if (file.node) file.offset += done;
    this.#view.setUint32(at, done, true);
  }

  fd_pread(fd, vectors, count, offset, at) {
    const done = this.#read(this.#file(fd), vectors, count, Number(offset));
    this.#view.setUint32(at, done, true);
  }

  #write(file, vectors, count, offset) {
    let done = 0;
    for (const bytes of this.#vectors(vectors, count)) {
      if (file.stream) (file.stream.write ? file.stream : fail(errno.badFile)).write(bytes);
      else this.#writable(file.node).write(offset + done, bytes);
      done += bytes.length;
    }
    return done;
  }

  fd_write(fd, vectors, count, at) {
    const file = this.#file(fd);
    const start = file.isAppending ? file.node.size : file.offset;
    const done = this.#write(file, vectors, count, start);
    if (file.node) file.offset = start + done;
    this.#view.setUint32(at, done, true);
  }

  fd_pwrite(fd, vectors, count, offset, at) {
    this.#view.setUint32(at, this.#write(this.#file(fd), vectors, count, Number(offset)), true);
  }

  fd_readdir(fd, at, length, cookie, used) {
    const file = this.#folder(fd);
    // A listing is one moment, however many calls it takes.
    if (cookie === 0n || !file.listing) {
      const encoder = new TextEncoder();
      const entries = file.node.names().flatMap((name) => {
        const node = file.node.get(name);
        return node ? [{ name: encoder.encode(name), node }] : [];
      });
      const dot = (name, node) => ({ name: encoder.encode(name), node });
      file.listing = [dot('.', file.node), dot('..', file.parents.at(-1) ?? file.node), ...entries];
    }
    let [done, next] = [0, Number(cookie)];
    for (const { name, node } of file.listing.slice(next)) {
      const entry = new Uint8Array(24 + name.length);
      const view = new DataView(entry.buffer);
      view.setBigUint64(0, BigInt(++next), true);
      view.setBigUint64(8, BigInt.asUintN(64, node.inode), true);
      view.setUint32(16, name.length, true);
      view.setUint8(20, fileTypes[node.kind]);
      entry.set(name, 24);
      const part = entry.subarray(0, length - done);
      this.#bytes(at + done, part.length).set(part);
      done += part.length;
      if (done === length) break;
    }
    this.#view.setUint32(used, done, true);
  }

  /** Finds the folder and the name that a path leads to; `..` leads up, never out of the root. */
  #resolve(fd, path, followsLast) {
    const { node, parents } = this.#folder(fd);
    let stack = [...parents, node];
    const rest = path.split('/').reverse();
    let links = 0;
    while (true) {
      const part = rest.pop();
      if (part === undefined) return { stack, name: undefined, node: stack.at(-1) };
      if (part === '' || part === '.') continue;
      const folder = stack.at(-1);
      if (folder.kind !== 'folder') fail(errno.notFolder);
      if (part === '..') {
        if (stack.length > 1) stack.pop();
        continue;
      }
      const found = folder.get(part);
      const isLast = rest.every((one) => one === '');
      if (found?.kind === 'link' && (!isLast || followsLast || rest.length > 0)) {
        links += 1;
        if (links > MAX_LINKS) fail(errno.loop);
        if (found.target.startsWith('/')) stack = stack.slice(0, 1);
        rest.push(...found.target.split('/').reverse());
        continue;
      }
      if (isLast) {
        if (rest.length > 0 && found && found.kind !== 'folder') fail(errno.notFolder);
        return { stack, folder, name: part, node: found };
      }
      stack.push(found ?? fail(errno.missing));
    }
  }

  #changeable(folder) {
    if (!folder) fail(errno.invalid);
    if (folder.isWritable === false) fail(errno.readOnly);
    return folder;
  }

  path_open(fd, flags, at, length, opening, _rights, _inheriting, fdFlags, into) {
    const [creates, isFolder, isNew, truncates] = [1, 2, 4, 8].map((bit) => (opening & bit) !== 0);
    const found = this.#resolve(fd, this.#path(at, length), (flags & 1) !== 0);
    let { node } = found;
    if (node && creates && isNew) fail(errno.exists);
    if (!node) {
      if (!creates) fail(errno.missing);
      node = this.#changeable(found.folder).createFile(found.name);
    }
    if (node.kind === 'link') fail(errno.loop);
    if (isFolder && node.kind !== 'folder') fail(errno.notFolder);
    if (truncates) this.#writable(node).resize(0);
    const parents = node === found.stack.at(-1) ? found.stack.slice(0, -1) : found.stack;
    const number = this.#next++;
    this.#files.set(number, { node, parents, offset: 0, isAppending: (fdFlags & 1) !== 0 });
    this.#view.setUint32(into, number, true);
  }

  path_filestat_get(fd, flags, at, length, into) {
    this.#stat(this.#resolve(fd, this.#path(at, length), (flags & 1) !== 0).node ?? fail(errno.missing), into);
  }

  path_readlink(fd, at, length, into, room, used) {
    const { node } = this.#resolve(fd, this.#path(at, length), false);
    if (!node) fail(errno.missing);
    if (node.kind !== 'link') fail(errno.invalid);
    const target = new TextEncoder().encode(node.target).subarray(0, room);
    this.#bytes(into, target.length).set(target);
    this.#view.setUint32(used, target.length, true);
  }

  path_create_directory(fd, at, length) {
    const { folder, name, node } = this.#resolve(fd, this.#path(at, length), false);
    if (node) fail(errno.exists);
    this.#changeable(folder).createFolder(name);
  }

  path_symlink(target, targetLength, fd, at, length) {
    const { folder, name, node } = this.#resolve(fd, this.#path(at, length), false);
    if (node) fail(errno.exists);
    this.#changeable(folder).createLink(name, this.#path(target, targetLength));
  }

  path_unlink_file(fd, at, length) {
    const { folder, name, node } = this.#resolve(fd, this.#path(at, length), false);
    if (!node) fail(errno.missing);
    if (node.kind === 'folder') fail(errno.isFolder);
    this.#changeable(folder).remove(name);
  }

  path_remove_directory(fd, at, length) {
    const { folder, name, node } = this.#resolve(fd, this.#path(at, length), false);
    if (!node) fail(errno.missing);
    if (node.kind !== 'folder') fail(errno.notFolder);
    if (node.names().length > 0) fail(errno.notEmpty);
    this.#changeable(folder).remove(name);
  }

  path_link(fd, flags, at, length, toFd, toAt, toLength) {
    const from = this.#resolve(fd, this.#path(at, length), (flags & 1) !== 0);
    const to = this.#resolve(toFd, this.#path(toAt, toLength), false);
    if (!from.node) fail(errno.missing);
    if (to.node) fail(errno.exists);
    if (from.node.kind !== 'file') fail(errno.isFolder);
    from.node.flush?.();
    if (!this.#changeable(to.folder).link(to.name, from.node)) fail(errno.crossDevice);
  }

  path_rename(fd, at, length, toFd, toAt, toLength) {
    const from = this.#resolve(fd, this.#path(at, length), false);
    const to = this.#resolve(toFd, this.#path(toAt, toLength), false);
    if (!from.node) fail(errno.missing);
    if (to.node?.kind === 'folder' && (from.node.kind !== 'folder' || to.node.names().length > 0)) fail(errno.isFolder);
    if (from.node.kind === 'folder' && to.stack.includes(from.node)) fail(errno.invalid);
    from.node.flush?.();
    if (!this.#changeable(from.folder).rename(from.name, this.#changeable(to.folder), to.name)) fail(errno.crossDevice);
  }
}

/** All functions of preview 1: those that this system lacks say so. */
const NAMES = [
  'args_get', 'args_sizes_get', 'clock_res_get', 'clock_time_get', 'environ_get', 'environ_sizes_get', 'fd_advise', 'fd_allocate', 'fd_close',
  'fd_datasync', 'fd_fdstat_get', 'fd_fdstat_set_flags', 'fd_fdstat_set_rights', 'fd_filestat_get', 'fd_filestat_set_size',
  'fd_filestat_set_times', 'fd_pread', 'fd_prestat_dir_name', 'fd_prestat_get', 'fd_pwrite', 'fd_read', 'fd_readdir', 'fd_renumber', 'fd_seek',
  'fd_sync', 'fd_tell', 'fd_write', 'path_create_directory', 'path_filestat_get', 'path_filestat_set_times', 'path_link', 'path_open',
  'path_readlink', 'path_remove_directory', 'path_rename', 'path_symlink', 'path_unlink_file', 'poll_oneoff', 'proc_exit', 'proc_raise',
  'random_get', 'sched_yield', 'sock_accept', 'sock_recv', 'sock_send', 'sock_shutdown',
];
