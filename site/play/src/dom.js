// Elements. Text is always text: nothing here reads markup.

/** Creates an element: attributes, then children, which are elements or text. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'value' || key === 'checked' || key === 'disabled' || key === 'selected') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

export const byId = (id) => document.getElementById(id);

let last = 0;
export const newId = (prefix) => `${prefix}-${++last}`;

/** A field with its label. */
export function field(label, control) {
  control.id ||= newId('field');
  return el('div', { class: 'field' }, el('label', { for: control.id }, label), control);
}

/** A row of tabs that arrow keys move through; `select(name)` is called with the chosen one. */
export function tabs(list, { names, label, chosen, select, panel }) {
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', label);
  list.replaceChildren(...names.map(([name, title]) => el('button', {
    type: 'button', role: 'tab', id: `${list.id}-${name}`, 'aria-selected': String(name === chosen), 'aria-controls': panel,
    tabindex: name === chosen ? '0' : '-1', 'data-name': name, onclick: () => select(name),
  }, title)));
  list.onkeydown = (event) => {
    const buttons = [...list.querySelectorAll('[role=tab]')];
    const at = buttons.indexOf(document.activeElement);
    const moves = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 };
    if (at < 0 || !(event.key in moves)) return;
    event.preventDefault();
    const next = buttons[(moves[event.key] + buttons.length) % buttons.length];
    select(next.dataset.name);
    list.querySelector('[aria-selected=true]')?.focus();
  };
}

/** Calls a function once it has not been asked for some time. */
export function debounced(milliseconds, call) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), milliseconds);
  };
}
