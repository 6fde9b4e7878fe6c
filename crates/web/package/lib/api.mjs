// The typed interface: each function is a verb of the command, with its flags as options and its answer as data.

import { HieraticError } from './client.mjs';
import { parts } from './files.mjs';

/** Where files in memory are, and what is given besides them. */
const FOLDER = '/repository';
const INPUTS = '/inputs';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The messages of a run: one object of JSON on each line, and lines of text that are none. */
function messagesOf(text) {
  return text.split('\n').filter((line) => line.trim() !== '').map((line) => {
    if (line.startsWith('{"severity"')) return JSON.parse(line);
    return { severity: 'note', code: 'log', message: line, labels: [], notes: [], help: [] };
  });
}

const asList = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

const flag = (name, value) => (value === undefined || value === false ? [] : value === true ? [`--${name}`] : [`--${name}=${value}`]);

const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

const entriesOf = (files) => {
  const list = files instanceof Map ? [...files] : Object.entries(files);
  return list.map(([path, content]) => [parts(path).join('/'), content]);
};

/** The flags that are common to verbs, and the files that they name. */
class Flags {
  args = [];
  inputs = [];

  input(name, content) {
    const path = `${INPUTS}/${name}`;
    this.inputs.push([path, typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content)]);
    return path;
  }

  add(...args) {
    this.args.push(...args.flat());
    return this;
  }

  limits({ limits = {} }) {
    return this.add(...Object.entries(limits).map(([name, value]) => `--limit=${name}=${value}`));
  }

  messages() {
    return this.add('--message-format=json');
  }

  node(options) {
    const { node, facts, trusted, variables = {}, puppet, strict, environment, environmentDir } = options;
    this.add(flag('node', node), flag('environment', environment), flag('environment-dir', environmentDir));
    if (facts !== undefined) {
      // A file that is named for a node has the facts of this node.
      const named = typeof facts === 'string' ? facts : this.input(`${node ?? 'facts'}.json`.replaceAll('/', '_'), facts);
      this.add('--facts', named);
    }
    if (trusted !== undefined) this.add('--trusted-data', this.input('trusted.json', trusted));
    for (const [name, value] of Object.entries(variables)) this.add('--var', `${name}=${text(value)}`);
    return this.add(flag('puppet-version', puppet), flag('strict', strict)).limits(options);
  }
}

/** Files that are open: a control repository, documents, jobs, in memory or in a folder. */
export class Repository {
  #client;
  #tree;
  #files;
  #cwd;

  constructor(client, { files, folder, cwd = FOLDER, isWritable = false }) {
    this.#client = client;
    this.#cwd = cwd;
    this.#files = files && new Map(entriesOf(files));
    this.#tree = client.addTree({ files: this.#sent(), folder, isWritable });
  }

  #sent() {
    return this.#files && [...this.#files].map(([path, content]) => [`${FOLDER}/${path}`, content]);
  }

  /** The paths of the files in memory. */
  get paths() {
    return [...(this.#files?.keys() ?? [])];
  }

  /** Writes a file in memory, or removes it if there is no content. */
  write(path, content) {
    if (!this.#files) throw new TypeError('the files of a folder on disk are changed there');
    const name = parts(path).join('/');
    if (content === undefined) this.#files.delete(name);
    else this.#files.set(name, content);
    this.#client.setTree(this.#tree, { files: this.#sent(), isWritable: false });
  }

  /** Forgets the files. */
  close() {
    this.#client.removeTree(this.#tree);
  }

  /** Runs the command with these arguments, and returns what it writes. */
  async run(args, { stdin = '', inputs = [], folders = [], env, cwd = this.#cwd, returns, joins, signal, timeout } = {}) {
    const bytes = typeof stdin === 'string' ? encoder.encode(stdin) : stdin;
    const request = { kind: 'run', tree: this.#tree, args, cwd, env, stdin: bytes, inputs, folders: [...folders, ...(this.#files ? [cwd] : [])], returns, joins };
    const { status, stdout, stderr, both, failure, written } = await this.#client.request(request, { signal, timeout });
    return { status, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr), both: both && decoder.decode(both), failure, written };
  }

  /** Runs a verb. A status that is not in `allowed` is an error with the first message of the command. */
  async #answer(flags, options, { parse, allowed = [0] }) {
    const args = [...flags.args.slice(0, 1), ...asList(options.args), ...flags.args.slice(1)];
    const { signal, timeout, stdin } = options;
    const answer = await this.run(args, { inputs: flags.inputs, stdin, signal, timeout, cwd: options.cwd });
    const { status, stdout, stderr, failure } = answer;
    if (failure) throw new HieraticError(failure.message, { ...failure, messages: [failure], status, text: stdout });
    const messages = messagesOf(stderr);
    if (!allowed.includes(status)) {
      const first = messages.find(({ severity }) => severity === 'error') ?? messages[0];
      const said = first?.message ?? `the command ended with status ${status}`;
      const limit = limitOf(said);
      throw new HieraticError(said, { ...first, ...(limit && { code: 'limit', limit }), messages, status, text: stdout });
    }
    return { value: parse?.(stdout), text: stdout, messages, status };
  }

  /** The value of a key; of several keys, the first that is found. */
  lookup(key, options = {}) {
    return this.#lookup(key, options, []);
  }

  /** The value with the file and line that every part of it comes from. */
  origins(key, options = {}) {
    return this.#lookup(key, options, ['--origins']);
  }

  /** Which levels made the value, and why. */
  why(key, options = {}) {
    return this.#lookup(key, options, ['--why', ...flag('full', options.full)]);
  }

  /** Every step of the lookup, as a tree. */
  explain(key, options = {}) {
    return this.#lookup(key, options, ['--explain']);
  }

  #lookup(key, options, mode) {
    const { merge, default: fallback, type, format = 'json' } = options;
    const flags = new Flags().add('lookup', mode, `--format=${format}`).messages().node(options);
    flags.add(flag('merge', merge), flag('type', type), fallback === undefined ? [] : [`--default=${text(fallback)}`]);
    flags.add('--', asList(key));
    return this.#answer(flags, options, { parse: format === 'json' ? JSON.parse : undefined });
  }

  /** The value of code: of the Puppet language, of Unfurl's expressions, or of HCL. */
  eval(code, options = {}) {
    const { language, kind, tree, start, format = 'json' } = options;
    const flags = new Flags().add('eval', `--code=${code}`, flag('language', language), flag('kind', kind)).messages();
    flags.add(flag('start', start), `--format=${format}`);
    if (tree !== undefined) flags.add('--tree', tree);
    if (language === 'unfurl' || language === 'hcl') {
      flags.limits(options);
      for (const [name, value] of Object.entries(options.variables ?? {})) flags.add('--var', `${name}=${text(value)}`);
    } else {
      flags.node({ node: 'node', ...options });
    }
    return this.#answer(flags, options, { parse: format === 'json' ? JSON.parse : undefined });
  }

  /** The findings of `check`. */
  check(options = {}) {
    const { paths = [], hygiene, unused, catalogs, style, targetVersion } = options;
    const flags = new Flags().add('check', '--format=json', '--quiet', flag('hygiene', hygiene), flag('unused', unused));
    flags.add(flag('catalogs', catalogs), flag('style', style), flag('target-version', targetVersion), asList(paths));
    flags.limits(options);
    const parse = (stdout) => stdout.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
    return this.#answer(flags, options, { parse, allowed: [0, 1] });
  }

  /** The catalog of a node. */
  catalog(node, options = {}) {
    const { code, format = 'json', origins } = options;
    const flags = new Flags().add('catalog', flag('code', code), flag('origins', origins), `--format=${format}`).messages();
    flags.node({ ...options, node });
    return this.#answer(flags, options, { parse: format === 'json' && !origins ? JSON.parse : undefined });
  }

  /** A document with its merge directives expanded. */
  expand(path, options = {}) {
    const { origins, explain, format = 'yaml', variables = {} } = options;
    const flags = new Flags().add('expand', `--format=${format}`, flag('origins', origins), flag('explain', explain)).messages();
    for (const [name, value] of Object.entries(variables)) flags.add('--var', `${name}=${text(value)}`);
    flags.limits(options).add('--', path);
    return this.#answer(flags, options, { parse: format === 'json' ? JSON.parse : undefined });
  }

  /** The original document with the edits of its expanded form. */
  restore(path, changed, options = {}) {
    const flags = new Flags().add('restore', flag('diff', options.diff)).messages().limits(options).add('--', path, '-');
    return this.#answer(flags, { ...options, stdin: changed }, {});
  }

  /** A template with facts and data. */
  render(path, options = {}) {
    const { language, role, vars, inventory } = options;
    const flags = new Flags().add('render', flag('language', language), flag('role', role), flag('inventory', inventory)).messages();
    if (vars !== undefined) flags.add('--vars', typeof vars === 'string' ? vars : flags.input('vars.json', vars));
    flags.node(options).add('--', path);
    return this.#answer(flags, options, {});
  }

  /** A Nomad job as the API's JSON, or with `diff` its changes from another one. */
  job(path, options = {}) {
    const { varFiles = [], variables = {}, to, base, diff } = options;
    const flags = new Flags().add('job', flag('to', to), flag('base', base), flag('diff', diff)).messages();
    for (const file of asList(varFiles)) flags.add('--var-file', file);
    for (const [name, value] of Object.entries(variables)) flags.add('--var', `${name}=${text(value)}`);
    flags.limits(options).add('--', asList(path));
    const isJson = to === undefined && diff === undefined;
    return this.#answer(flags, options, { parse: isJson ? JSON.parse : undefined, allowed: diff ? [0, 1] : [0] });
  }

  /** Whether a job is valid, as far as that is known without a server. */
  async validate(path, options = {}) {
    const { varFiles = [], variables = {}, base, lint } = options;
    const flags = new Flags().add('job', '--validate', flag('lint', lint), flag('base', base)).messages();
    for (const file of asList(varFiles)) flags.add('--var-file', file);
    for (const [name, value] of Object.entries(variables)) flags.add('--var', `${name}=${text(value)}`);
    flags.limits(options).add('--', asList(path));
    const answer = await this.#answer(flags, options, { allowed: [0, 1] });
    return { ...answer, value: answer.status === 0 };
  }

  /** HCL in the layout of `nomad fmt`. */
  fmt(source, options = {}) {
    return this.#answer(new Flags().add('fmt', '-').messages(), { ...options, stdin: source }, {});
  }

  /** The answers that differ from those of other files, and why. */
  diff(files, options = {}) {
    const { key = [], format = 'json', nodes } = options;
    const flags = new Flags();
    for (const [path, content] of entriesOf(files)) flags.inputs.push([`/against/${path}`, content]);
    flags.add('diff', '--against', '/against', `--format=${format}`).messages();
    for (const one of asList(key)) flags.add('--key', one);
    if (nodes !== undefined) flags.add('--nodes', nodes);
    flags.node(options);
    return this.#answer(flags, options, { parse: format === 'json' ? JSON.parse : undefined, allowed: [0, 1] });
  }
}

/** The limit that a message of the engine names. */
function limitOf(said) {
  const found = /--limit (\w+)=/.exec(said) ?? /more than [\d,]+ (steps|bytes|levels|seconds)/.exec(said);
  return found ? { levels: 'depth', seconds: 'time' }[found[1]] ?? found[1] : undefined;
}

/** An engine in a worker: opens repositories. */
export class Engine {
  #client;

  constructor(client) {
    this.#client = client;
  }

  /** Opens files in memory: their paths with their contents. */
  open(files) {
    return new Repository(this.#client, { files });
  }

  /** Opens a folder on disk, in Node. */
  openFolder(folder, cwd, isWritable) {
    return new Repository(this.#client, { folder, cwd, isWritable });
  }

  /** Starts the language server over files in memory. */
  async openEditor(files, { args } = {}) {
    const sent = entriesOf(files).map(([path, content]) => [`${FOLDER}/${path}`, content]);
    await this.#client.request({ kind: 'editorOpen', files: sent, args, cwd: FOLDER });
    return new Editor(this.#client);
  }

  /** Ends the worker. */
  close() {
    this.#client.close();
  }
}

/** A language server: messages of the Language Server Protocol go in and come out. Documents are below `file:///repository/`. */
export class Editor {
  #client;

  constructor(client) {
    this.#client = client;
  }

  /** Writes a file that no document has open, or removes it if there is no content. */
  async write(path, content) {
    await this.#client.request({ kind: 'editorFile', path: `${FOLDER}/${parts(path).join('/')}`, content });
  }

  /** Sends messages, and returns those of the server: responses, diagnostics, requests. */
  async send(...messages) {
    const bytes = framed(messages.map((message) => ({ jsonrpc: '2.0', ...message })));
    const { stdout, failure } = await this.#client.request({ kind: 'editorSend', bytes });
    if (failure) throw new HieraticError(failure.message, failure);
    return unframed(stdout);
  }
}

/** Messages of the protocol as bytes. */
export function framed(messages) {
  const parts = messages.flatMap((message) => {
    const body = encoder.encode(JSON.stringify(message));
    return [encoder.encode(`Content-Length: ${body.length}\r\n\r\n`), body];
  });
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The messages of the protocol in bytes. */
export function unframed(bytes) {
  const messages = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(10, bytes.indexOf(13, at) + 2) + 1;
    const header = decoder.decode(bytes.subarray(at, end));
    const length = Number(/Content-Length: (\d+)/i.exec(header)?.[1]);
    messages.push(JSON.parse(decoder.decode(bytes.subarray(end, end + length))));
    at = end + length;
  }
  return messages;
}
