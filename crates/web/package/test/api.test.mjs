// Each function of the interface, over files in memory.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

import { HieraticError as HieraticLookupError, open as openLookups } from '../lib/lookups.mjs';
import { HieraticError, start } from '../lib/node.mjs';
import { files, lookupsWasm, shared, test, testWith, wasm } from './support.mjs';

const open = (more = {}) => shared().open({ ...files, ...more });

test('lookup: the value of a key, of the first of several, and by facts', async () => {
  const repository = open();
  assert.equal((await repository.lookup('port', { node: 'web01' })).value, 8080);
  assert.equal((await repository.lookup(['nothing', 'port'], { node: 'db01' })).value, 80);
  assert.equal((await repository.lookup('name', { node: 'web01', facts: { role: 'web' } })).value, 'web');
  assert.equal((await repository.lookup('nothing', { node: 'web01', default: 7 })).value, '7');
  assert.equal((await repository.lookup('port', { node: 'web01', format: 'yaml' })).text, '--- 8080\n');
});

test('a key without a value is an error with its code and help', async () => {
  const error = await open().lookup('prot', { node: 'web01' }).catch((thrown) => thrown);
  assert.ok(error instanceof HieraticError);
  assert.equal(error.code, 'key-not-found');
  assert.match(error.help.join(), /did you mean 'port'/);
});

test('origins, why and explain say where a value comes from', async () => {
  const repository = open();
  const { value } = await repository.origins('limits', { node: 'web01' });
  assert.deepEqual(value.value, { files: { soft: 9, hard: 2 } });
  assert.deepEqual(value.origins.map(({ path, file, line }) => [path.join('.'), file, line]), [
    ['files.soft', '/repository/data/web01.yaml', 2], ['files.hard', '/repository/data/common.yaml', 2],
  ]);
  const why = await repository.why('port', { node: 'web01' });
  assert.deepEqual([why.value.layers.map(({ level }) => level), why.value.hidden.map(({ level }) => level)], [['Node'], ['Common']]);
  const explained = await repository.explain('port', { node: 'web01' });
  assert.ok(explained.value.branches.length > 0);
});

test('write changes a file in memory, or takes it away', async () => {
  const repository = open();
  repository.write('data/web01.yaml', 'port: 1\n');
  assert.equal((await repository.lookup('port', { node: 'web01' })).value, 1);
  repository.write('data/web01.yaml', undefined);
  assert.equal((await repository.lookup('port', { node: 'web01' })).value, 80);
  assert.deepEqual(repository.paths, ['hiera.yaml', 'data/common.yaml']);
});

test('eval: Puppet code with its messages, HCL, and expressions of Unfurl', async () => {
  const repository = open({ 'tree.yaml': 'name: root\nattributes: {port: 1000}\n' });
  const answer = await repository.eval('notice("hello") [1, 2].map |$x| { $x * 2 }', { node: 'web01' });
  assert.deepEqual(answer.value, [2, 4]);
  assert.match(answer.messages[0].message, /hello/);
  assert.deepEqual((await repository.eval('[for x in [1, 2] : x * x]', { language: 'hcl' })).value, [1, 4]);
  assert.deepEqual((await repository.eval('port', { language: 'unfurl', tree: 'tree.yaml' })).value, 1000);
  const failed = await repository.eval('1 + "a"').catch((thrown) => thrown);
  assert.equal(failed.code, 'evaluation');
  assert.equal(failed.labels[0].line, 1);
});

test('check: findings with their places', async () => {
  const repository = open({ 'data/common.yaml': 'a: 1\na: 2\n' });
  const { value } = await repository.check();
  assert.deepEqual(value.map(({ code, labels }) => [code, labels[0].file, labels[0].line]), [['duplicate-key', 'data/common.yaml', 2]]);
});

test('catalog: of the code of the repository, or of code', async () => {
  const repository = open({ 'manifests/site.pp': 'node default { file { "/etc/motd": content => "port ${lookup(\'port\')}" } }\n' });
  const named = (answer) => answer.value.resources.filter(({ type }) => type === 'File').map(({ title, parameters }) => [title, parameters.content]);
  assert.deepEqual(named(await repository.catalog('web01')), [['/etc/motd', 'port 8080']]);
  assert.deepEqual(named(await repository.catalog('web01', { code: 'file { "/a": content => "b" }' })), [['/a', 'b']]);
});

test('expand and restore: there and back', async () => {
  const document = '# kept\nbase: &base {cpu: 2}\nweb:\n  +/base:\n  name: web\n';
  const repository = open({ 'site.yaml': document, });
  const expanded = await repository.expand('site.yaml');
  assert.equal(expanded.text, 'base:\n  cpu: 2\nweb:\n  name: web\n  cpu: 2\n');
  assert.deepEqual((await repository.expand('site.yaml', { format: 'json' })).value.web, { cpu: 2, name: 'web' });
  const restored = await repository.restore('site.yaml', expanded.text.replace('name: web', 'name: shop'));
  assert.equal(restored.text, document.replace('name: web', 'name: shop'));
});

test('render: EPP, ERB and Jinja2', async () => {
  const repository = open({ 'a.epp': '<%= $site %>!\n', 'a.erb': '<%= @site %>?\n', 'a.j2': '{{ site | upper }}\n' });
  const vars = { site: 'web' };
  assert.equal((await repository.render('a.epp', { vars, node: 'web01' })).text, 'web!\n');
  assert.equal((await repository.render('a.erb', { vars, node: 'web01' })).text, 'web?\n');
  assert.equal((await repository.render('a.j2', { vars, node: 'web01' })).text, 'WEB\n');
});

test('job, validate and fmt', async () => {
  const job = (count) => `variable "n" {\n  default = ${count}\n}\njob "web" {\n  group "g" {\n    count = var.n\n    task "t" {\n      driver = "docker"\n    }\n  }\n}\n`;
  const repository = open({ 'web.hcl': job(2), 'old.hcl': job(1), 'broken.hcl': 'job "web" {' });
  assert.equal((await repository.job('web.hcl')).value.Job.TaskGroups[0].Count, 2);
  assert.equal((await repository.job('web.hcl', { variables: { n: 3 } })).value.Job.TaskGroups[0].Count, 3);
  assert.match((await repository.job('web.hcl', { diff: 'old.hcl' })).text, /Count/);
  assert.equal((await repository.validate('web.hcl')).value, true);
  assert.equal((await repository.validate('broken.hcl')).value, false);
  assert.equal((await repository.fmt('a   = 1\n')).text, 'a = 1\n');
});

test('diff: what other files answer otherwise', async () => {
  const { value, text } = await open().diff({ ...files, 'data/web01.yaml': 'port: 9\n' }, { node: 'web01' });
  assert.ok(text.includes('port'));
  assert.equal(typeof value, 'object');
});

test('limits have their names: those of the engine, the stack and the time', async () => {
  const repository = open({ 'data/common.yaml': 'a: "%{lookup(\'port\')}"\nport: 80\n' });
  const steps = await repository.lookup('a', { node: 'n', limits: { steps: 1 } }).catch((thrown) => thrown);
  assert.deepEqual([steps.code, steps.limit], ['limit', 'steps']);
  const deep = await repository.eval(`${'['.repeat(200_000)}1${']'.repeat(200_000)}`).catch((thrown) => thrown);
  assert.ok(deep instanceof HieraticError, String(deep));
  const loop = 'function f($x) { [1, 2, 3].map |$y| { f($x) } } f(1)';
  const deeper = await repository.eval(loop, { limits: { depth: 1_000_000 } }).catch((thrown) => thrown);
  assert.equal(deeper.code, 'limit', `${deeper.message}`);
  const slow = await repository.eval('Integer[1, 1000000000].each |$x| { }', { limits: { steps: 10_000_000_000 }, timeout: 300 }).catch((thrown) => thrown);
  assert.deepEqual([slow.code, slow.limit], ['limit', 'time']);
  // The next request has a new worker.
  assert.equal((await repository.lookup('port', { node: 'n' })).value, 80);
});

test('a request is cancelled by its signal', async () => {
  const repository = open();
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 100);
  const cancelled = repository.eval('Integer[1, 1000000000].each |$x| { }', { limits: { steps: 10_000_000_000 }, signal: controller.signal });
  assert.equal((await cancelled.catch((thrown) => thrown)).code, 'cancelled');
  assert.equal((await repository.lookup('port', { node: 'n' })).value, 80);
});

test('memory ends at its limit, and is given back', async () => {
  const repository = open();
  const code = '$long = Integer[1, 23].reduce("0123456789") |$text, $x| { "${text}${text}" } Integer[1, 30].map |$x| { "${x}${long}" }';
  const ended = await repository.eval(code, { limits: { bytes: 100_000_000_000, steps: 10_000_000_000 } }).catch((thrown) => thrown);
  assert.deepEqual([ended.code, ended.limit], ['limit', 'memory'], ended.message);
  assert.equal((await repository.lookup('port', { node: 'n' })).value, 80);
});

test('nothing outside of the files is there: no network, no program, no variable', async () => {
  const repository = open({ 'hiera.yaml': 'version: 5\nhierarchy:\n  - {name: A, path: /etc/passwd}\n', 'a.yaml': '+include: http://127.0.0.1:1/x\n' });
  const outside = await repository.lookup('port', { node: 'n' }).catch((thrown) => thrown);
  assert.ok(outside instanceof HieraticError);
  const network = await repository.expand('a.yaml', { args: ['--allow-network'] }).catch((thrown) => thrown);
  assert.match(network.message, /no network/);
});

test('10 MB are answered or refused, and the engine answers again', async () => {
  const large = `${Array.from({ length: 400_000 }, (_, at) => `key${at}: "value ${at}"`).join('\n')}\n`;
  const repository = open({ 'data/common.yaml': large });
  const found = await repository.lookup('key399999', { node: 'n', timeout: 60_000 });
  assert.equal(found.value, 'value 399999');
});

test('names and values that are hostile are text', async () => {
  const attack = '<script>alert(1)</script>\u0000\u001b[31m';
  const repository = open({ 'data/common.yaml': `${JSON.stringify({ key: attack })}\n` });
  assert.equal((await repository.lookup('key', { node: '<b>' })).value, attack);

});

test('the module is given by its path or address, compiled, or as a promise', async () => {
  const module = WebAssembly.compile(await readFile(wasm));
  for (const given of [wasm, pathToFileURL(wasm), await module, module]) {
    const engine = start({ wasm: given });
    assert.equal((await engine.open(files).lookup('port', { node: 'web01' })).value, 8080);
    engine.close();
  }
});

testWith([lookupsWasm], 'lookups alone answer over an object and a map', async () => {
  const module = await WebAssembly.compile(await readFile(lookupsWasm));
  for (const given of [files, new Map(Object.entries(files))]) {
    const lookups = openLookups(module, given);
    assert.equal(lookups.lookup('port', { node: 'web01' }), 8080);
    assert.deepEqual(lookups.why('port', { node: 'web01' }).layers.map(({ level }) => level), ['Node']);
    assert.ok(lookups.keys({ node: 'web01' }).includes('limits'));
    assert.throws(() => lookups.lookup('prot', { node: 'web01' }), HieraticLookupError);
  }
});

test('a file that no document has open is written and removed', async () => {
  const engine = start({ wasm });
  const editor = await engine.openEditor(files);
  await editor.send({ id: 1, method: 'initialize', params: { rootUri: 'file:///repository', capabilities: {} } });
  await editor.write('data/more.yaml', 'a: 1\n');
  await editor.write('data/more.yaml');
  await editor.write('data/never.yaml');
  engine.close();
});

test('the language server finds, explains and completes', async () => {
  const engine = start({ wasm });
  const editor = await engine.openEditor(files);
  const uri = 'file:///repository/data/common.yaml';
  const first = await editor.send({ id: 1, method: 'initialize', params: { processId: null, rootUri: 'file:///repository', capabilities: {} } },
    { method: 'initialized', params: {} });
  assert.equal(first.find(({ id }) => id === 1).result.serverInfo.name, 'hieratic');
  const text = 'a: 1\na: 2\n';
  const opened = await editor.send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 1, text } } });
  const shown = opened.filter(({ method }) => method === 'textDocument/publishDiagnostics').flatMap(({ params }) => params.diagnostics);
  assert.ok(shown.some(({ code }) => code === 'duplicate-key'), JSON.stringify(opened));
  const [hovered] = (await editor.send({ id: 2, method: 'textDocument/hover', params: { textDocument: { uri }, position: { line: 0, character: 0 } } }))
    .filter(({ id }) => id === 2);
  assert.ok(hovered.result === null || hovered.result.contents);
  engine.close();
});
