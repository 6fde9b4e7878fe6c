// Values, findings and messages as elements.

import { el } from './dom.js';

const isObject = (value) => value !== null && typeof value === 'object';

/** The name of a file as the tabs have it. */
export const short = (file) => file?.replace(/^\/repository\//, '');

/** A message of the command. */
export function message({ severity, code, message: text, labels = [], help = [] }, { goTo } = {}) {
  const place = labels.find((label) => label.primary) ?? labels[0];
  const file = short(place?.file);
  return el('div', { class: `message ${severity}` },
    el('span', { class: 'severity' }, `${severity}${code ? ` [${code}]` : ''}: `), text,
    file && goTo ? el('div', {}, el('button', { type: 'button', class: 'leaf', onclick: () => goTo(file, place.line, place.column) },
      `${file}:${place.line}${place.column ? `:${place.column}` : ''}`)) : undefined,
    help.map((line) => el('div', { class: 'help' }, `help: ${line}`)));
}

const scalar = (value) => {
  const kind = typeof value === 'string' ? 'string' : isObject(value) ? 'empty' : 'number';
  return el('span', { class: kind }, JSON.stringify(value));
};

/**
 * A value as a tree. Each leaf that has an origin is a button: its line lights up while it is pointed at or has the focus, and a press goes
 * there.
 */
export function valueTree(value, origins, { lightUp, goTo }) {
  const byPath = new Map(origins.map((origin) => [JSON.stringify(origin.path), origin]));
  const leaf = (part, path) => {
    const origin = byPath.get(JSON.stringify(path));
    if (!origin?.file) return el('span', { class: 'leaf' }, scalar(part), origin?.source ? el('span', { class: 'place' }, origin.source) : undefined);
    const file = short(origin.file);
    const on = () => lightUp(file, [origin.line]);
    const off = () => lightUp(file, []);
    return el('button', {
      type: 'button', class: 'leaf', 'data-file': file, 'data-line': origin.line, onmouseenter: on, onfocus: on, onmouseleave: off, onblur: off,
      onclick: () => goTo(file, origin.line, origin.column),
    }, scalar(part), el('span', { class: 'place' }, `${file}:${origin.line}`));
  };
  const tree = (part, path) => {
    if (!isObject(part) || Object.keys(part).length === 0) return leaf(part, path);
    // Secrets are an object that has an origin itself.
    if (byPath.has(JSON.stringify(path))) return leaf(part, path);
    const entries = Array.isArray(part) ? part.map((one, at) => [at, one]) : Object.entries(part);
    return el('ul', {}, entries.map(([key, one]) => el('li', {}, el('span', { class: 'key' }, `${Array.isArray(part) ? '-' : `${key}:`} `), tree(one, [...path, key]))));
  };
  const found = tree(value, []);
  return el('div', { class: 'value', 'aria-label': 'Value' }, found);
}

/** The levels of a lookup, with what each has. */
export function levels(why, { goTo }) {
  const rows = [...why.layers.map((layer) => ({ ...layer, role: 'used' })), ...why.hidden.map((layer) => ({ ...layer, role: 'overridden' }))];
  if (rows.length === 0) return el('p', { class: 'off' }, 'No level has the key.');
  return el('table', {},
    el('thead', {}, el('tr', {}, ['Level', 'Place', 'Value', 'Use'].map((title) => el('th', { scope: 'col' }, title)))),
    el('tbody', {}, rows.map((row) => el('tr', {},
      el('td', {}, row.level ?? row.layer),
      el('td', {}, row.file && row.line ? el('button', { type: 'button', class: 'leaf', onclick: () => goTo(short(row.file), row.line, row.column) },
        `${short(row.file)}:${row.line}`) : short(row.location) ?? ''),
      el('td', {}, el('code', {}, JSON.stringify(row.value))),
      el('td', {}, row.role)))));
}

/** The lines of a difference. Those of a plan of Nomad are indented. */
export function difference(text, { isPlan = false } = {}) {
  const kind = (whole) => {
    const line = isPlan ? whole.trimStart() : whole;
    return line.startsWith('+/-') ? 'changed' : line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '';
  };
  return el('pre', { class: 'diff', tabindex: '0' }, text.split('\n').map((line) => el('span', { class: kind(line) }, `${line}\n`)));
}

export const block = (text, label = 'Output') => el('pre', { tabindex: '0', 'aria-label': label, role: 'region' }, text);
