// The playground: files on the left, answers on the right.

import { HieraticError, start } from '../../../crates/web/package/lib/browser.mjs';
import { load } from '../../../crates/web/package/lib/load.mjs';
import { byId, debounced, el, field, tabs } from './dom.js';
import { Editor } from './editor.js';
import { examples } from './examples.js';
import { LanguageServer } from './language-server.js';
import { checked, cleanPath, fragmentOf, stateOf } from './share.js';
import { subjects } from './subjects.js';
import { message, short } from './values.js';

// One module for all workers: it is loaded and compiled once.
const wasm = load(new URL('hieratic.wasm', document.baseURI));
wasm.catch(() => {}); // Each question says it.
const startEngine = () => start({ wasm, worker: () => new Worker('worker.js', { type: 'module' }) });
const engine = startEngine();
const checker = startEngine();

/** How long an answer may take, in milliseconds. */
const TIMEOUT = 20_000;
/** How long the hands rest before something is asked. */
const PAUSE = 150;
/** How long a question may take before the next one ends it: a new worker costs about as much. */
const PATIENCE = 300;
/** The largest file that is pasted into the editor, in characters: the editor is slow with more. */
const MAX_FILE = 20 << 20;

let state;
let repository;
let server;
let asking = new AbortController();
let checking = new AbortController();
let round = 0;
/** Whether the last question takes longer than the patience for it. */
let isSlow = false;
/** Findings by file, for the underlines. */
let findings = new Map();

const status = (text) => {
  byId('status').textContent = text;
};

const editor = new Editor(byId('editor'), {
  label: 'The chosen file. Escape, then Tab, leaves the editor.',
  changed(path, text) {
    if (text.length > MAX_FILE) status(`${path} has more than ${MAX_FILE} characters: the answer is of the text before`);
    else setFile(path, text);
  },
  moved: (path, line) => lightLeaves(path, line),
  hover: (path, doc, at) => server?.hover(path, doc, at).catch(restartServer),
  complete: async (path, context) => (await server?.complete(path, context).catch(restartServer)) ?? null,
});

function setFile(path, text) {
  state.files[path] = text;
  repository.write(path, text);
  ask();
  check();
}

/** Lights up the lines of a file that a part of the answer comes from. */
function lightUp(path, lines) {
  if (lines.length > 0 && path !== state.active && path in state.files) showFile(path);
  if (path === state.active) editor.light(lines);
}

/** Lights up the parts of the answer that come from a line. */
function lightLeaves(path, line) {
  for (const leaf of byId('answer').querySelectorAll('.leaf[data-file]')) {
    leaf.classList.toggle('lit', leaf.dataset.file === path && Number(leaf.dataset.line) === line);
  }
}

function goTo(path, line, column) {
  if (!(path in state.files)) return;
  showFile(path);
  editor.goTo(line, column);
}

function showFile(path) {
  state.active = path;
  editor.show(path, state.files[path] ?? '');
  tabs(byId('files'), {
    names: Object.keys(state.files).map((name) => [name, name]), label: 'Files', chosen: path, panel: 'editor', select: showFile,
  });
  byId('files').querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  byId('editor').setAttribute('aria-labelledby', `files-${path}`);
  underline();
}

function underline() {
  editor.underline(findings.get(state.active) ?? []);
}

/** The values of the form of a subject. */
function formOf(subject) {
  const values = (state.forms[subject] ??= {});
  return {
    get: (name) => values[name],
    set: (name, value) => {
      values[name] = value;
      ask();
    },
    preset: (name, value) => {
      values[name] = value;
    },
  };
}

const later = debounced(PAUSE, (work) => work());

function context() {
  return {
    repository: limited(), files: state.files, node: state.node, facts: state.facts, lightUp, goTo, later, failure,
    write(path, text) {
      setFile(path, text);
      if (path === state.active) editor.replace(text);
    },
  };
}

/** The repository with the time of the page, and cancelled by the next question. */
function limited() {
  const { signal } = asking;
  return new Proxy(repository, {
    get: (target, name) => {
      const found = target[name];
      if (typeof found !== 'function') return found;
      return (...values) => {
        // Options are the last argument of each function; its length is the number of those without a default.
        const options = { timeout: TIMEOUT, signal, ...(values.length > found.length ? values.pop() : {}) };
        return found.call(target, ...values, options);
      };
    },
  });
}

function failure(error) {
  if (!(error instanceof HieraticError)) return message({ severity: 'error', message: String(error?.message ?? error) });
  const all = error.messages?.length ? error.messages : [{ severity: 'error', code: error.code, message: error.message, help: error.help }];
  return el('div', {}, all.map((one) => message(one, { goTo })));
}

function showSubject() {
  const subject = subjects[state.subject] ?? subjects.lookup;
  tabs(byId('subjects'), {
    names: Object.entries(subjects).map(([name, { title }]) => [name, title]), label: 'Subjects', chosen: state.subject, panel: 'panel',
    select(name) {
      state.subject = name;
      showSubject();
      ask();
    },
  });
  byId('subjects').querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  byId('panel').setAttribute('aria-labelledby', `subjects-${state.subject}`);
  byId('form').replaceChildren(...subject.fields(context(), formOf(state.subject)));
}

const ask = debounced(PAUSE, async () => {
  const own = ++round;
  const subject = subjects[state.subject];
  const begun = performance.now();
  if (isSlow) asking.abort();
  isSlow = false;
  if (asking.signal.aborted) asking = new AbortController();
  // A question that takes long is not worth waiting for once there is another one.
  const slow = setTimeout(() => {
    if (own !== round) return;
    isSlow = true;
    status('Working…');
  }, PATIENCE);
  const inPage = [];
  try {
    const parts = await subject.ask(context(), formOf(state.subject), (work) => inPage.push(work));
    if (own !== round) return;
    byId('answer').replaceChildren(...parts);
    inPage.forEach((work) => work());
    status(`Answered in ${Math.round(performance.now() - begun)} ms`);
  } catch (error) {
    if (own !== round || ['cancelled', 'closed'].includes(error.code)) return;
    byId('answer').replaceChildren(failure(error));
    status(error.limit ? `Stopped by the limit: ${error.limit}` : 'There is no answer');
  } finally {
    clearTimeout(slow);
    if (own === round) isSlow = false;
    document.body.dataset.answered = String(own);
  }
});

const check = debounced(400, async () => {
  const files = { ...state.files };
  // The findings of an older text are of no use.
  checking.abort();
  checking = new AbortController();
  const { signal } = checking;
  const checks = checker.open(files);
  try {
    const { value } = await checks.check({ timeout: TIMEOUT, signal });
    findings = new Map();
    for (const one of value) {
      const place = one.labels.find((label) => label.primary) ?? one.labels[0];
      if (!place?.file) continue;
      const file = short(place.file);
      const list = findings.get(file) ?? [];
      list.push({
        severity: one.severity, message: `${one.message}${one.help?.length ? `\nhelp: ${one.help.join('\n')}` : ''}`, text: one.message,
        line: place.line, column: place.column, endLine: place.end_line, endColumn: place.end_column,
      });
      findings.set(file, list);
    }
    showProblems();
  } catch (error) {
    if (signal.aborted) return;
    byId('problems').replaceChildren(failure(error));
  } finally {
    checks.close();
  }
  underline();
  if (server) server.synchronize(files).catch(restartServer);
  else restartServer();
  document.body.dataset.checked = String(Number(document.body.dataset.checked ?? 0) + 1);
});

function showProblems() {
  const all = [...findings].flatMap(([file, list]) => list.map((one) => ({ file, ...one })));
  byId('problems').replaceChildren(all.length === 0 ? el('p', { class: 'off' }, 'No problems') : el('ul', {}, all.slice(0, 200).map((one) => el('li', {},
    el('button', { type: 'button', class: `leaf ${one.severity}`, onclick: () => goTo(one.file, one.line, one.column) },
      el('span', { class: 'severity' }, `${one.severity}: `), one.text, el('span', { class: 'place' }, `${one.file}:${one.line}`))))));
}

function showFacts() {
  const setFacts = (entries) => {
    state.facts = Object.fromEntries(entries.filter(([name]) => name !== ''));
    ask();
  };
  const entries = Object.entries(state.facts);
  const rows = entries.map(([name, value], at) => el('div', { class: 'fact' },
    el('input', { type: 'text', value: name, 'aria-label': `Name of fact ${at + 1}`, onchange: (event) => {
      entries[at] = [event.target.value, entries[at][1]];
      setFacts(entries);
    } }),
    el('input', { type: 'text', value, 'aria-label': `Value of the fact ${name}`, oninput: (event) => {
      entries[at] = [entries[at][0], event.target.value];
      setFacts(entries);
    } }),
    el('button', { type: 'button', 'aria-label': `Remove the fact ${name}`, onclick: () => {
      entries.splice(at, 1);
      setFacts(entries);
      showFacts();
    } }, '×')));
  byId('facts').replaceChildren(
    field('Node', el('input', { type: 'text', value: state.node, oninput: (event) => {
      state.node = event.target.value || 'node';
      ask();
    } })),
    ...rows,
    el('div', {}, el('button', { type: 'button', onclick: () => {
      let name = 'role';
      for (let number = 2; name in state.facts; number++) name = `fact${number}`;
      state.facts[name] = '';
      showFacts();
      byId('facts').querySelector('.fact:last-of-type input')?.focus();
    } }, 'Add a fact')));
}

/** Shows another state. */
function open(next) {
  repository?.close();
  state = next;
  if (!Object.hasOwn(subjects, state.subject)) state.subject = 'lookup';
  repository = engine.open(state.files);
  editor.forget();
  findings = new Map();
  if (Object.keys(state.files).length === 0) state.files = { 'data/common.yaml': '' };
  if (!(state.active in state.files)) state.active = Object.keys(state.files)[0];
  showFile(state.active);
  showFacts();
  showSubject();
  ask();
  check();
}

function dialog(title, ...content) {
  byId('dialog-title').textContent = title;
  byId('dialog-body').replaceChildren(...content.flat());
  byId('dialog').showModal();
}

const copied = (text) => {
  const box = el('textarea', { readonly: true, 'aria-label': 'Text to copy', value: text });
  const button = el('button', { type: 'button', onclick: async () => {
    box.select();
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      // The text is selected: the keyboard copies it where a page may not.
      button.textContent = 'Press Ctrl+C';
    }
  } }, 'Copy');
  return [box, button];
};

/** A name for the end of a here-document that no line has. */
const delimiter = (text) => {
  let name = 'END';
  while (text.split('\n').includes(name)) name += '_';
  return name;
};

function shellScript() {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const files = Object.entries(state.files).map(([path, text]) => {
    const end = delimiter(text);
    const folder = path.includes('/') ? `mkdir -p -- ${quoted(path.slice(0, path.lastIndexOf('/')))}\n` : '';
    // A here-document ends with a new line. What does not is written as it is.
    if (!text.endsWith('\n')) return `${folder}printf %s ${quoted(text)} > ${quoted(path)}\n`;
    return `${folder}cat > ${quoted(path)} <<'${end}'\n${text}${end}\n`;
  });
  const command = subjects[state.subject].command(context(), formOf(state.subject));
  return `#!/bin/sh\nset -eu\ncd "$(mktemp -d)"\n${files.join('')}${command}\n`;
}

async function link() {
  const fragment = await fragmentOf(state);
  return `${location.origin}${location.pathname}${fragment}`;
}

function fenced(text) {
  let fence = '```';
  while (text.includes(fence)) fence += '`';
  return `${fence}\n${text.endsWith('\n') ? text : `${text}\n`}${fence}\n`;
}

async function issue() {
  const command = subjects[state.subject].command(context(), formOf(state.subject));
  const files = Object.entries(state.files).map(([path, text]) => `\`${path.replaceAll('`', "'")}\`:\n\n${fenced(text)}`);
  return `### What happens\n\n${fenced(`$ ${command}\n${byId('answer').innerText}`)}\n### What should happen\n\n\n### Files\n\n${files.join('\n')}\n`
    + `### In the playground\n\n${await link()}\n`;
}

byId('share').onclick = async () => {
  const url = await link();
  history.replaceState(null, '', new URL(url).hash);
  dialog('A link with everything in it', el('p', {}, `The link holds all files and the question, compressed: ${url.length} characters. Nothing is sent anywhere.`), copied(url));
};
byId('script').onclick = () => dialog('As a shell script', copied(shellScript()));
byId('issue').onclick = async () => dialog('As an issue', el('p', {},
  'Paste this into a new issue of ', el('a', { href: 'https://github.com/hieratic/hieratic/issues/new' }, 'the project'), '. Take out what others must not see.'), copied(await issue()));
byId('dialog-close').onclick = () => byId('dialog').close();
byId('form').onsubmit = (event) => {
  event.preventDefault();
  ask();
};

const nameDialog = (title, value, accept) => {
  const box = el('input', { type: 'text', value });
  const form = el('form', { onsubmit: (event) => {
    event.preventDefault();
    const path = cleanPath(box.value.trim());
    byId('dialog').close();
    if (path) accept(path);
  } }, field('Path', box), el('button', { type: 'submit' }, 'Use'));
  dialog(title, form);
  box.focus();
};

byId('add').onclick = () => nameDialog('Add a file', 'data/new.yaml', (path) => {
  if (!(path in state.files)) {
    state.files[path] = '';
    repository.write(path, '');
  }
  showFile(path);
  showSubject();
  check();
});
byId('rename').onclick = () => nameDialog('Rename the file', state.active, (path) => {
  if (path in state.files) return;
  const old = state.active;
  state.files = Object.fromEntries(Object.entries(state.files).map(([name, text]) => [name === old ? path : name, text]));
  repository.write(old, undefined);
  repository.write(path, state.files[path]);
  showFile(path);
  showSubject();
  ask();
  check();
});
byId('remove').onclick = () => {
  if (Object.keys(state.files).length === 1) return;
  const old = state.active;
  delete state.files[old];
  repository.write(old, undefined);
  showFile(Object.keys(state.files)[0]);
  showSubject();
  ask();
  check();
};

byId('example').replaceChildren(el('option', { value: '' }, 'Choose…'), ...examples.map(({ name, title }) => el('option', { value: name }, title)));
byId('example').onchange = (event) => {
  const chosen = examples.find(({ name }) => name === event.target.value);
  if (chosen) {
    history.replaceState(null, '', `#example=${chosen.name}`);
    open(checked(structuredClone(chosen)));
  }
};

async function openAddress() {
  const named = /^#example=([\w-]+)$/.exec(location.hash)?.[1];
  const example = examples.find(({ name }) => name === named) ?? examples[0];
  byId('example').value = location.hash.startsWith('#1.') ? '' : example.name;
  try {
    open((await stateOf(location.hash)) ?? checked(structuredClone(example)));
  } catch (error) {
    open(checked(structuredClone(examples[0])));
    dialog('The link cannot be opened', el('p', {}, String(error.message)));
  }
}

addEventListener('hashchange', openAddress);
await openAddress();

// The language server follows what is typed: hovers and completion. It starts after the first check, so that it delays no answer. Without it,
// the rest of the page works.
let isStarting = false;

/** Starts the language server, again if it ended: at a limit, all that it knows is gone. */
async function restartServer() {
  if (isStarting) return;
  isStarting = true;
  const old = server;
  server = undefined;
  old?.close();
  try {
    server = await LanguageServer.start(startEngine(), state.files);
    document.body.dataset.server = 'ready';
  } catch (error) {
    status(`The language server did not start: ${error.message}`);
  } finally {
    isStarting = false;
  }
}

if ('serviceWorker' in navigator) {
  // Without it, the page works as long as there is a network.
  navigator.serviceWorker.register('offline.js').catch(() => {});
}
