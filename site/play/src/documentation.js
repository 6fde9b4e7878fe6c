// "Run" and "Edit" for the examples of the documentation.

import { start } from '../../../crates/web/package/lib/browser.mjs';
import { el } from './dom.js';
import { fileName, runSteps, shellOf, stepsOf } from './sessions.js';
import { fragmentOf } from './share.js';
import { Unsupported } from './shell.js';

const here = new URL('.', import.meta.url);
let opened;
const repository = () => (opened ??= start({ wasm: new URL('hieratic.wasm', here), worker: () => new Worker(new URL('worker.js', here), { type: 'module' }) }).open({}));

let exampleFiles;
const examples = async () => (exampleFiles ??= await (await fetch(new URL('example-files.json', here))).json());

const language = (code) => [...code.classList].find((name) => name.startsWith('language-'))?.slice('language-'.length);

/** The commands of a block that this page can run: those that the build has run, too. */
const runnable = async () => new Set(await (await fetch(new URL('runnable.json', here))).json());

/** The files of a page about a fault or an error: blocks that begin with a comment with the name. */
function filesOf(blocks) {
  const files = new Map();
  for (const code of blocks) {
    const name = language(code) === 'console' ? undefined : fileName(code.textContent);
    if (name) files.set(`/repo/${name}`, code.textContent);
  }
  return files;
}

function add(pre, steps, prepare, edited) {
  const output = el('div', { class: 'hieratic-output', role: 'status', 'aria-live': 'polite', hidden: true });
  const box = el('textarea', { class: 'hieratic-edit', hidden: true, 'aria-label': 'Commands', spellcheck: 'false', rows: Math.max(2, steps.length), value: steps.map(({ command }) => `$ ${command}`).join('\n') });
  const run = el('button', { type: 'button' }, 'Run');
  run.onclick = async () => {
    run.disabled = true;
    output.hidden = false;
    output.replaceChildren(el('p', {}, 'Running…'));
    try {
      const chosen = box.hidden ? steps : stepsOf(box.value);
      const results = await runSteps(shellOf(repository(), await prepare()), chosen);
      // The page of a finding shows no output.
      const isCompared = box.hidden && chosen.some((one) => one.output.length > 0);
      const isAsShown = results.every((one) => one.isAsShown);
      output.replaceChildren(
        el('p', {}, !isCompared ? 'It prints:' : isAsShown ? '✓ It prints what this page shows.' : 'It prints something else than this page shows:'),
        el('pre', { tabindex: '0' }, results.map(({ command, text }) => `$ ${command}\n${text}`).join('')));
    } catch (error) {
      output.replaceChildren(el('p', {}, error instanceof Unsupported ? `This page cannot run that: ${error.message}` : String(error.message)));
    } finally {
      run.disabled = false;
    }
  };
  const edit = el('button', { type: 'button', 'aria-expanded': 'false', onclick: () => {
    box.hidden = !box.hidden;
    edit.setAttribute('aria-expanded', String(!box.hidden));
    edited?.(!box.hidden);
    if (!box.hidden) box.focus();
  } }, 'Edit');
  const play = el('button', { type: 'button', onclick: async () => {
    const { files, cwd } = await prepare();
    const inside = [...files].filter(([path]) => path.startsWith(`${cwd}/`)).map(([path, text]) => [path.slice(cwd.length + 1), text]);
    const state = { files: Object.fromEntries(inside.filter(([, text]) => typeof text === 'string')), subject: 'check', node: 'web01.example.com', facts: {}, forms: {} };
    open(new URL(await fragmentOf(state), new URL('index.html', here)), '_blank', 'noopener');
  } }, 'Open in the playground');
  pre.after(el('div', { class: 'hieratic-run' }, run, edit, play), box, output);
}

/** Lets the files of a page be edited in place. */
function editable(blocks) {
  return (isOn) => {
    for (const code of blocks) {
      if (language(code) === 'console' || !fileName(code.textContent)) continue;
      code.setAttribute('contenteditable', isOn ? 'plaintext-only' : 'false');
      code.setAttribute('role', 'textbox');
      code.setAttribute('aria-multiline', 'true');
      code.setAttribute('aria-label', `The file ${fileName(code.textContent)}`);
    }
  };
}

async function begin() {
  const blocks = [...document.querySelectorAll('main pre > code')];
  if (blocks.length === 0) return;
  const known = await runnable();
  const style = el('link', { rel: 'stylesheet', href: String(new URL('run.css', here)) });
  document.head.append(style);
  const isOfError = /\/errors\/[\w-]+\.html$/.test(location.pathname);
  const isOfFinding = /\/findings\/[\w-]+\.html$/.test(location.pathname);
  for (const code of blocks) {
    if (language(code) !== 'console') continue;
    const steps = stepsOf(code.textContent);
    if (steps.length === 0 || !steps.every(({ command }) => known.has(command))) continue;
    const before = blocks.slice(0, blocks.indexOf(code));
    const prepare = isOfError
      ? async () => ({ files: filesOf(blocks), cwd: '/repo' })
      : async () => ({ files: new Map(Object.entries(await examples()).map(([path, text]) => [`/project/${path}`, text])), cwd: '/project' });
    add(code.parentElement, steps, prepare, isOfError ? editable(before) : undefined);
  }
  if (!isOfFinding) return;
  // The page of a finding shows a fault, and what it becomes: each is checked by itself.
  const named = blocks.filter((code) => fileName(code.textContent));
  const groups = [];
  for (const code of named) {
    const isRepair = /^becomes\b/.test(code.parentElement.previousElementSibling?.textContent ?? '');
    if (groups.length === 0 || isRepair) groups.push([]);
    groups.at(-1).push(code);
  }
  for (const group of groups) {
    const step = { command: 'hieratic check', output: [] };
    const prepare = async () => {
      const files = filesOf(group);
      if (!files.has('/repo/hiera.yaml')) {
        files.set('/repo/hiera.yaml', 'version: 5\nhierarchy:\n  - {name: Node, path: "nodes/%{trusted.certname}.yaml"}\n  - {name: Common, path: common.yaml}\n');
      }
      return { files, cwd: '/repo' };
    };
    add(group.at(-1).parentElement, [step], prepare, editable(group));
  }
}

begin().catch((error) => console.warn('hieratic: examples cannot be run:', error));
