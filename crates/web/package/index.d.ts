/// <reference lib="dom" />
export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };

/** Paths with their contents. */
export type Files = Record<string, string | Uint8Array> | Map<string, string | Uint8Array>;

export interface Label {
  file: string;
  line: number;
  column: number;
  end_line?: number;
  end_column?: number;
  text: string;
  primary: boolean;
}

/** A warning, an error or a note, as `--message-format json` has it. */
export interface Message {
  severity: 'error' | 'warning' | 'note';
  code: string;
  message: string;
  labels: Label[];
  notes: string[];
  help: string[];
}

/** What `check` finds. */
export interface Finding extends Message {
  rule: string;
  fingerprint: string;
}

export interface Answer<T> {
  /** The answer as data. */
  value: T;
  /** The answer as the command prints it, byte for byte. */
  text: string;
  messages: Message[];
  /** The exit status of the command. */
  status: number;
}

export interface Limits {
  steps?: number;
  bytes?: number;
  depth?: number;
  time?: number;
  file?: number;
}

export interface CommonOptions {
  limits?: Limits;
  /** Cancels the request: its worker ends. */
  signal?: AbortSignal;
  /** Milliseconds after which the worker ends; 30,000 by default. */
  timeout?: number;
  /** The folder that the command runs in. */
  cwd?: string;
  /** Further flags of the verb. */
  args?: string[];
}

export interface NodeOptions extends CommonOptions {
  node?: string;
  /** Facts, or the path of a file of facts. */
  facts?: Record<string, JsonValue> | string;
  trusted?: Record<string, JsonValue>;
  /** Variables of top scope. */
  variables?: Record<string, JsonValue>;
  environment?: string;
  environmentDir?: string;
  puppet?: '7' | '8' | '9';
  strict?: 'off' | 'warning' | 'error';
}

export interface LookupOptions extends NodeOptions {
  merge?: 'first' | 'unique' | 'hash' | 'deep';
  default?: JsonValue;
  /** A Puppet data type that the value must have. */
  type?: string;
  format?: 'json' | 'yaml' | 's';
}

export interface Origin {
  path: (string | number)[];
  value: JsonValue;
  file?: string;
  line?: number;
  column?: number;
  source?: string;
}

export interface Origins {
  value: JsonValue;
  origins: Origin[];
}

export interface WhyLayer {
  layer: string;
  level?: string;
  location?: string;
  file?: string;
  line?: number;
  column?: number;
  value: JsonValue;
}

export interface Why {
  key: string;
  found: boolean;
  value?: JsonValue;
  merge: { strategy: string; options: Record<string, JsonValue>; chosen_by: string };
  layers: WhyLayer[];
  hidden: WhyLayer[];
  faulty: JsonValue[];
  [name: string]: unknown;
}

export interface Catalog {
  name: string;
  resources: { type: string; title: string; file?: string; line?: number; parameters?: Record<string, JsonValue>; [name: string]: unknown }[];
  edges: { source: string; target: string }[];
  [name: string]: unknown;
}

export interface Run {
  status: number;
  stdout: string;
  stderr: string;
  /** The limit that ended the run, if one did. */
  failure?: Message & { limit?: string };
  /** The files below the paths of `returns`, as the run left them. */
  written: [string, Uint8Array][];
}

export class Repository {
  readonly paths: string[];
  /** Writes a file in memory; without content, removes it. */
  write(path: string, content?: string | Uint8Array): void;
  close(): void;
  lookup(key: string | string[], options?: LookupOptions): Promise<Answer<JsonValue>>;
  origins(key: string | string[], options?: LookupOptions): Promise<Answer<Origins>>;
  why(key: string | string[], options?: LookupOptions & { full?: boolean }): Promise<Answer<Why>>;
  explain(key: string | string[], options?: LookupOptions): Promise<Answer<JsonValue>>;
  eval(code: string, options?: NodeOptions & {
    language?: 'puppet' | 'unfurl' | 'hcl'; kind?: string; tree?: string; start?: string; format?: 'json' | 'yaml' | 's';
  }): Promise<Answer<JsonValue>>;
  check(options?: CommonOptions & {
    paths?: string | string[]; hygiene?: boolean; unused?: boolean; catalogs?: boolean; style?: boolean | 'puppet-lint' | 'vox-pupuli'; targetVersion?: string;
  }): Promise<Answer<Finding[]>>;
  catalog(node: string, options?: NodeOptions & { code?: string; format?: 'json' | 'yaml' | 's' | 'dot'; origins?: boolean }): Promise<Answer<Catalog>>;
  expand(path: string, options?: CommonOptions & {
    origins?: boolean; explain?: boolean; format?: 'yaml' | 'json' | 's' | 'report'; variables?: Record<string, JsonValue>;
  }): Promise<Answer<JsonValue | undefined>>;
  restore(path: string, changed: string, options?: CommonOptions & { diff?: boolean }): Promise<Answer<undefined>>;
  render(path: string, options?: NodeOptions & {
    language?: 'epp' | 'erb' | 'jinja2' | 'hcl'; vars?: Record<string, JsonValue> | string; role?: string; inventory?: string;
  }): Promise<Answer<undefined>>;
  job(path: string | string[], options?: CommonOptions & {
    varFiles?: string | string[]; variables?: Record<string, JsonValue>; base?: string; to?: 'hcl'; diff?: string;
  }): Promise<Answer<JsonValue>>;
  validate(path: string | string[], options?: CommonOptions & {
    varFiles?: string | string[]; variables?: Record<string, JsonValue>; base?: string; lint?: boolean;
  }): Promise<Answer<boolean>>;
  fmt(source: string, options?: CommonOptions): Promise<Answer<undefined>>;
  diff(files: Files, options?: NodeOptions & { key?: string | string[]; nodes?: string; format?: 'json' | 'text' | 'markdown' }): Promise<Answer<JsonValue>>;
  /** Runs the command with these arguments. */
  run(args: string[], options?: {
    stdin?: string | Uint8Array; inputs?: [string, string | Uint8Array][]; folders?: string[]; env?: Record<string, string>; cwd?: string; returns?: string[];
    signal?: AbortSignal; timeout?: number;
  }): Promise<Run>;
}

/** A message of the Language Server Protocol. */
export interface LspMessage {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

export class Editor {
  /** Writes a file that no document has open; without content, removes it. */
  write(path: string, content?: string | Uint8Array): Promise<void>;
  /** Sends messages; returns those of the server. */
  send(...messages: LspMessage[]): Promise<LspMessage[]>;
}

export class Engine {
  open(files: Files): Repository;
  openEditor(files: Files, options?: { args?: string[] }): Promise<Editor>;
  close(): void;
}

export class HieraticError extends Error {
  code?: string;
  /** The limit that ended the request: steps, bytes, depth, time, file or memory. */
  limit?: string;
  help: string[];
  labels: Label[];
  messages: Message[];
  status?: number;
  /** The output before the failure. */
  text?: string;
}

/**
 * Starts an engine in a worker. In a browser, `worker` starts it, and `wasm` is the address of the module; engines can share a module that
 * is compiled.
 */
export function start(options?: { wasm?: string | URL | WebAssembly.Module | Promise<WebAssembly.Module>; worker?: () => Worker }): Engine;
/** Opens files in memory. */
export function open(files: Files): Repository;
/** Opens a folder on disk (Node). Nothing is written unless `writable` is set. */
export function openFolder(folder: string, options?: { writable?: boolean }): Repository;
