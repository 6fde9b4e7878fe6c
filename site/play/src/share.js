// A link that holds everything: the state as JSON, compressed, in the fragment, which browsers send to nobody.

const PREFIX = '#1.';

/** The longest state that is opened from a link, in bytes. */
const MAX_STATE = 16 << 20;

/** The most files that a link may hold: each has a tab. */
const MAX_FILES = 500;

const pump = async (bytes, stream, limit = Infinity) => {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    // A short link may hold much: what it expands to is bounded.
    if (length > limit) throw new Error('the link holds too much');
    chunks.push(part.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
};

/** The fragment for a state. */
export async function fragmentOf(state) {
  const bytes = await pump(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return PREFIX + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The state of a fragment; `undefined` if it holds none. */
export async function stateOf(fragment) {
  if (!fragment.startsWith(PREFIX)) return undefined;
  const text = atob(fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const state = JSON.parse(new TextDecoder().decode(await pump(bytes, new DecompressionStream('deflate-raw'), MAX_STATE)));
  return checked(state);
}

/** A path below the folder of the files, without control characters; `undefined` if nothing is left. */
export function cleanPath(path) {
  const name = path.replace(/[\u0000-\u001f\u007f]/g, '').split('/').filter((part) => part !== '' && part !== '.' && part !== '..').join('/');
  // Names of every object of JavaScript are no names of files here.
  return name === '' || name in Object.prototype ? undefined : name;
}

/** A state of which every part is what it has to be: a stranger may have made the link. */
export function checked(state) {
  const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isObject(state) || !isObject(state.files)) throw new Error('the link holds no files');
  const strings = (object) => Object.fromEntries(Object.entries(object).filter(([name, value]) => typeof value === 'string' && !(name in Object.prototype)));
  const files = Object.fromEntries(Object.entries(strings(state.files)).map(([path, text]) => [cleanPath(path), text]).filter(([path]) => path));
  if (Object.keys(files).length > MAX_FILES) throw new Error(`the link holds more than ${MAX_FILES} files`);
  const forms = isObject(state.forms) ? state.forms : {};
  return {
    files,
    active: typeof state.active === 'string' ? state.active : undefined,
    subject: typeof state.subject === 'string' ? state.subject : 'lookup',
    facts: isObject(state.facts) ? strings(state.facts) : {},
    node: typeof state.node === 'string' ? state.node : 'web01.example.com',
    forms: Object.fromEntries(Object.entries(forms).filter(([, form]) => isObject(form)).map(([name, form]) => [name, strings(form)])),
  };
}
