// What can be asked: for each subject a form, and what is shown of the answer.

import { el, field } from './dom.js';
import { Editor } from './editor.js';
import { block, difference, levels, message, valueTree } from './values.js';

const input = (form, name, attributes = {}) => el('input', {
  type: 'text', autocomplete: 'off', spellcheck: 'false', ...attributes, value: form.get(name) ?? '', oninput: (event) => form.set(name, event.target.value),
});

const area = (form, name, rows = 3) => el('textarea', {
  rows, spellcheck: 'false', value: form.get(name) ?? '', oninput: (event) => form.set(name, event.target.value),
});

const choice = (form, name, options) => el('select', { onchange: (event) => form.set(name, event.target.value) },
  options.map(([value, title]) => el('option', { value, selected: (form.get(name) ?? '') === value }, title)));

const wide = (element) => {
  element.classList.add('wide');
  return element;
};

const filesWith = (context, pattern) => Object.keys(context.files).filter((path) => pattern.test(path));

/** A choice among files; the first is chosen if none is. */
const fileChoice = (context, form, name, pattern, none) => {
  const found = filesWith(context, pattern);
  // A link may name a file that it does not hold.
  if (!found.includes(form.get(name) ?? '')) form.preset(name, none ? '' : found[0] ?? '');
  return choice(form, name, [...(none ? [['', none]] : []), ...found.map((path) => [path, path])]);
};

const said = (answer, context) => answer.messages.filter(({ severity }) => severity !== 'note').map((one) => message(one, context));
const logged = (answer, context) => answer.messages.map((one) => message(one, context));

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** A flag for a shell: whatever the value begins with, it is no other flag. */
const flagOf = (name, value) => `--${name}=${quoted(value)}`;

const nodeFlags = ({ node, facts }) => [flagOf('node', node), ...Object.entries(facts).map(([name, value]) => flagOf('fact', `${name}=${value}`))].join(' ');

/** What the command is asked about a node. Facts of a form are strings, as `--fact` has them. */
const nodeOptions = ({ node, facts }) => ({ node, args: Object.entries(facts).map(([name, value]) => `--fact=${name}=${value}`) });

export const subjects = {
  lookup: {
    title: 'Lookup',
    fields: (context, form) => [
      field('Key', input(form, 'key', { placeholder: 'profile::web::port' })),
      field('Merge', choice(form, 'merge', [['', 'as the options say'], ['first', 'first'], ['unique', 'unique'], ['hash', 'hash'], ['deep', 'deep']])),
    ],
    async ask(context, form) {
      const key = form.get('key');
      if (!key) return [el('p', { class: 'off' }, 'Name a key.')];
      const options = { ...nodeOptions(context), merge: form.get('merge') || undefined };
      const found = await context.repository.origins(key, options);
      const why = await context.repository.why(key, options);
      const { value } = why;
      const explained = el('details', {}, el('summary', {}, 'Every step'), el('p', { class: 'off' }, 'Opens with the explanation.'));
      explained.addEventListener('toggle', async () => {
        if (!explained.open || explained.dataset.done) return;
        explained.dataset.done = 'yes';
        const answer = await context.repository.explain(key, { ...options, format: 's' });
        explained.replaceChildren(explained.firstChild, block(answer.text, 'Explanation'));
      });
      return [
        el('h2', {}, 'Value'), valueTree(found.value.value, found.value.origins, context), ...said(found, context),
        el('h2', {}, `Levels (merge: ${value.merge?.strategy ?? 'first'})`), levels(value, context), explained,
      ];
    },
    command: (context, form) => `hieratic lookup ${nodeFlags(context)}${form.get('merge') ? ` ${flagOf('merge', form.get('merge'))}` : ''} --why -- ${quoted(form.get('key') ?? '')}`,
  },

  code: {
    title: 'Puppet code',
    fields: (context, form) => [
      field('File', fileChoice(context, form, 'file', /\.pp$/, 'the expression below')),
      wide(field('Expression', area(form, 'code', 2))),
    ],
    async ask(context, form) {
      const file = form.get('file');
      const code = file ? context.files[file] : form.get('code') ?? '';
      if (!code.trim()) return [el('p', { class: 'off' }, 'Write an expression.')];
      const answer = await context.repository.eval(code, nodeOptions(context));
      return [...logged(answer, context), el('h2', {}, 'Value'), block(JSON.stringify(answer.value, null, 2), 'Value')];
    },
    command: (context, form) => `hieratic eval ${nodeFlags(context)} ${form.get('file') ? `-- ${quoted(form.get('file'))}` : flagOf('code', form.get('code') ?? '')}`,
  },

  catalog: {
    title: 'Catalog',
    fields: (context, form) => [field('Manifest', fileChoice(context, form, 'file', /\.pp$/, 'that of the environment'))],
    async ask(context, form) {
      const { file } = { file: form.get('file') };
      const answer = await context.repository.catalog(context.node, { ...nodeOptions(context), code: file ? context.files[file] : undefined });
      const resources = answer.value.resources.filter(({ type }) => !['Stage'].includes(type));
      return [
        ...logged(answer, context), el('h2', {}, `${resources.length} resources`),
        el('table', {}, el('thead', {}, el('tr', {}, ['Resource', 'Parameters', 'Place'].map((title) => el('th', { scope: 'col' }, title)))),
          el('tbody', {}, resources.map((one) => el('tr', {},
            el('td', {}, `${one.type}[${one.title}]`),
            el('td', {}, el('code', {}, Object.entries(one.parameters ?? {}).map(([name, value]) => `${name} => ${JSON.stringify(value)}`).join('\n'))),
            el('td', {}, one.line ? `line ${one.line}` : ''))))),
        el('details', {}, el('summary', {}, 'As JSON'), block(answer.text, 'Catalog')),
      ];
    },
    command: (context, form) => `hieratic catalog ${nodeFlags(context)}${form.get('file') ? ` --code="$(cat -- ${quoted(form.get('file'))})"` : ''} --format s`,
  },

  types: {
    title: 'Types',
    fields: (context, form) => [
      wide(field('Type', input(form, 'type', { placeholder: 'Hash[String, Integer]' }))),
      wide(field('Value, as Puppet code', area(form, 'value', 3))),
    ],
    async ask(context, form) {
      const [type, value] = [form.get('type') ?? '', form.get('value') ?? ''];
      if (!type.trim() || !value.trim()) return [el('p', { class: 'off' }, 'Name a type, and write a value.')];
      const inferred = await context.repository.eval(`String(type(${value}))`, nodeOptions(context));
      const parts = [el('h2', {}, 'The value'), el('p', {}, 'Its type is ', el('code', {}, inferred.value), '.')];
      try {
        await context.repository.eval(`assert_type(${type}, ${value})`, nodeOptions(context));
        parts.unshift(el('div', { class: 'message good' }, 'The value is of the type.'));
      } catch (error) {
        if (!error.code) throw error;
        parts.unshift(el('div', { class: 'message error' }, el('span', { class: 'severity' }, 'The value is not of the type: '),
          error.message.replace(/^Evaluation Error: Error while evaluating a Function Call, /, '')));
      }
      return parts;
    },
    command: (context, form) => `hieratic eval ${nodeFlags(context)} ${flagOf('code', `assert_type(${form.get('type') ?? ''}, ${form.get('value') ?? ''})`)}`,
  },

  directives: {
    title: 'Directives',
    fields: (context, form) => [field('Document', fileChoice(context, form, 'file', /\.(ya?ml|json)$/))],
    async ask(context, form, shown) {
      const file = form.get('file');
      if (!file) return [el('p', { class: 'off' }, 'Add a document.')];
      const answer = await context.repository.expand(file);
      const box = el('div', { class: 'second' });
      const result = el('div', {}, el('p', { class: 'off' }, 'Edit the expanded document: the change of the original is shown here.'));
      let changed = answer.text;
      const restore = async (text) => {
        changed = text;
        try {
          const difference_ = await context.repository.restore(file, text, { diff: true });
          const restored = await context.repository.restore(file, text);
          if (changed !== text) return;
          result.replaceChildren(el('h2', {}, 'The original changes by this'), difference(difference_.text || 'nothing'), ...said(restored, context),
            el('button', { type: 'button', onclick: () => context.write(file, restored.text) }, 'Apply to the original'));
        } catch (error) {
          if (changed === text) result.replaceChildren(context.failure(error));
        }
      };
      const parts = [...said(answer, context), el('h2', {}, 'Expanded'), box, result];
      // The editor needs its element in the page.
      shown(() => {
        const editor = new Editor(box, { label: 'The expanded document', changed: (_, text) => context.later(() => restore(text)) });
        editor.show('expanded.yaml', answer.text);
        context.expanded = editor;
      });
      return parts;
    },
    command: (context, form) => `hieratic expand -- ${quoted(form.get('file') ?? '')}`,
  },

  templates: {
    title: 'Templates',
    fields: (context, form) => [
      field('Template', fileChoice(context, form, 'file', /\.(epp|erb|j2|jinja2?|tftpl)$/)),
      field('Variables', fileChoice(context, form, 'vars', /\.(ya?ml|json)$/, 'none')),
      field('Inventory', fileChoice(context, form, 'inventory', /(^|\/)(inventory|hosts)[^/]*$/, 'none')),
    ],
    async ask(context, form) {
      const file = form.get('file');
      if (!file) return [el('p', { class: 'off' }, 'Add a template.')];
      const answer = await context.repository.render(file, {
        ...nodeOptions(context), vars: form.get('vars') || undefined, inventory: form.get('inventory') || undefined,
      });
      return [...logged(answer, context), el('h2', {}, 'Rendered'), block(answer.text)];
    },
    command: (context, form) => ['hieratic render', nodeFlags(context), form.get('vars') ? flagOf('vars', form.get('vars')) : '',
      form.get('inventory') ? flagOf('inventory', form.get('inventory')) : '', '--', quoted(form.get('file') ?? '')].filter(Boolean).join(' '),
  },

  hcl: {
    title: 'HCL',
    fields: (context, form) => [
      field('Kind', choice(form, 'kind', [['expr', 'expression'], ['template', 'template']])),
      wide(field('Expression', area(form, 'code', 3))),
    ],
    async ask(context, form) {
      const code = form.get('code') ?? '';
      if (!code.trim()) return [el('p', { class: 'off' }, 'Write an expression.')];
      const answer = await context.repository.eval(code, { language: 'hcl', kind: form.get('kind') || 'expr' });
      return [...logged(answer, context), el('h2', {}, 'Value'), block(JSON.stringify(answer.value, null, 2), 'Value')];
    },
    command: (context, form) => `hieratic eval --language hcl ${flagOf('kind', form.get('kind') || 'expr')} ${flagOf('code', form.get('code') ?? '')}`,
  },

  job: {
    title: 'Nomad jobs',
    fields: (context, form) => [
      field('Job', fileChoice(context, form, 'file', /\.(nomad|hcl)$/)),
      field('Variables', fileChoice(context, form, 'vars', /\.(vars|nomadvars|tfvars)$|vars\.hcl$/, 'none')),
      field('Plan against', fileChoice(context, form, 'before', /\.(nomad|hcl)$/, 'nothing')),
    ],
    async ask(context, form) {
      const file = form.get('file');
      if (!file) return [el('p', { class: 'off' }, 'Add a job.')];
      const options = { varFiles: form.get('vars') || [] };
      const valid = await context.repository.validate(file, options);
      const parts = [el('h2', {}, valid.value ? 'The job is valid' : 'The job is not valid'), block(`${valid.text}`.trim() || 'no message'), ...logged(valid, context)];
      if (!valid.value) return parts;
      if (form.get('before')) {
        const plan = await context.repository.job(file, { ...options, diff: form.get('before') });
        parts.push(el('h2', {}, 'Plan'), difference(plan.text, { isPlan: true }));
      }
      const formatted = await context.repository.fmt(context.files[file]);
      if (formatted.text !== context.files[file]) {
        parts.push(el('button', { type: 'button', onclick: () => context.write(file, formatted.text) }, 'Format the file'));
      }
      const job = await context.repository.job(file, options);
      parts.push(el('details', { open: !form.get('before') }, el('summary', {}, "The API's JSON"), block(job.text, 'Job as JSON')));
      return parts;
    },
    command: (context, form) => ['hieratic job', form.get('vars') ? flagOf('var-file', form.get('vars')) : '', form.get('before') ? flagOf('diff', form.get('before')) : '',
      '--', quoted(form.get('file') ?? '')].filter(Boolean).join(' '),
  },

  unfurl: {
    title: 'Unfurl',
    fields: (context, form) => [
      field('Tree', fileChoice(context, form, 'file', /\.(ya?ml|json)$/)),
      field('Start', input(form, 'start', { placeholder: 'the root' })),
      wide(field('Expression', area(form, 'code', 2))),
    ],
    async ask(context, form) {
      const code = form.get('code') ?? '';
      if (!code.trim()) return [el('p', { class: 'off' }, 'Write an expression.')];
      const answer = await context.repository.eval(code, {
        language: 'unfurl', tree: form.get('file') || undefined, start: form.get('start') || undefined,
      });
      return [...logged(answer, context), el('h2', {}, 'Value'), block(JSON.stringify(answer.value, null, 2), 'Value')];
    },
    command: (context, form) => ['hieratic eval --language unfurl', form.get('file') ? flagOf('tree', form.get('file')) : '', form.get('start') ? flagOf('start', form.get('start')) : '',
      flagOf('code', form.get('code') ?? '')].filter(Boolean).join(' '),
  },

  check: {
    title: 'Check',
    fields: (context, form) => [
      field('Also', choice(form, 'more', [['', 'nothing'], ['hygiene', 'data of no use'], ['style', 'the style of manifests']])),
    ],
    async ask(context, form) {
      const more = form.get('more');
      const answer = await context.repository.check({ hygiene: more === 'hygiene', style: more === 'style' });
      const count = answer.value.length;
      return [el('h2', {}, count === 0 ? 'Nothing was found' : `${count} ${count === 1 ? 'finding' : 'findings'}`),
        ...answer.value.map((one) => message(one, context)), ...said(answer, context)];
    },
    command: (_, form) => `hieratic check${['hygiene', 'style'].includes(form.get('more')) ? ` --${form.get('more')}` : ''}`,
  },
};
