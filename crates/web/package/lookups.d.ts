/// <reference lib="dom" />
import type { Files, JsonValue, Why } from './index.js';
export { HieraticError } from './index.js';

export interface LookupOptions {
  /** The name of the node. */
  node?: string;
  facts?: Record<string, JsonValue>;
  merge?: 'first' | 'unique' | 'hash' | 'deep' | Record<string, JsonValue>;
  default?: JsonValue;
  /** A Puppet data type that the value must have. */
  type?: string;
  limits?: Record<string, number>;
}

export interface Lookups {
  lookup(key: string, options?: LookupOptions): JsonValue;
  why(key: string, options?: LookupOptions): Why;
  keys(options?: Pick<LookupOptions, 'node' | 'facts' | 'limits'>): string[];
}

/** Opens files in memory with the module `lookups.wasm`. Answers come at once, in the thread that asks. */
export function open(module: WebAssembly.Module, files: Files): Lookups;
