// The shell of the documentation's examples, and links.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checked, fragmentOf, stateOf } from '../src/share.js';
import { fileName, matches, stepsOf } from '../src/sessions.js';
import { Shell, Unsupported } from '../src/shell.js';

const shell = (files = {}) => new Shell({
  files: Object.entries(files), cwd: '/project',
  hieratic: async (args, { cwd, stdin, files: all }) => ({ stdout: `${JSON.stringify({ args, cwd, stdin })}\n`, stderr: 'said\n', status: args[0] === 'fail' ? 1 : 0, files: all }),
});
const printed = async (line, files) => (await shell(files).run(line)).output;

test('words, quotes and variables', async () => {
  assert.equal(await printed(`echo a  'b  c' "d $HOME" 'e'\\''f' # comment`), "a b  c d /home e'f\n");
  assert.match(await printed(`hieratic x 'a b' "c\\"d" --y={1}`), /\["x","a b","c\\"d","--y=\{1\}"\]/);
});

test('pipes, redirections and chains', async () => {
  assert.equal(await printed(`printf 'a\\nb\\nc\\n' > f && cat f | tail -2 | grep b`), 'b\n');
  assert.equal(await printed('mkdir -p a/b && cd a/b && echo x > y; cat /project/a/b/y'), 'x\n');
  assert.equal(await printed(`echo 'x: 80' > g && sed -i 's/x: 80$/y: 1/' g && cat g`), 'y: 1\n');
  assert.equal(await printed('hieratic fail && echo no'), 'said\n{"args":["fail"],"cwd":"/project","stdin":""}\n');
  assert.match(await printed('echo in | hieratic x - 2> /dev/null'), /"stdin":"in\\n"/);
  assert.equal(await printed('cp -r d e; cat e/f', { '/project/d/f': 'text' }), 'text');
});

test('bytes by their numbers', async () => {
  assert.equal(await printed(`printf '\\357\\273\\277\\303\\244%s%%\\n' x`), '\ufeff\u00e4x%\n');
});

test('what is not known is an error', async () => {
  for (const line of ['curl x', 'echo $(date)', 'for i in 1; do echo; done', 'echo `date`', 'echo > /dev/full', 'cat nothing', "echo 'open", 'a || b']) {
    await assert.rejects(() => shell().run(line), Unsupported, line);
  }
});

test('steps of a block, and what stands for any lines', () => {
  assert.deepEqual(stepsOf('$ a \\\n  b\nx\n...\ny\n$ c\n'), [{ command: 'a \\\n  b', output: ['x', '...', 'y'] }, { command: 'c', output: [] }]);
  assert.ok(matches(['a', '...', 'b'], ['a', 'x', 'y', 'b']) && matches(['...'], []) && !matches(['a'], ['a', 'b']) && !matches(['a'], []));
  assert.equal(fileName('# data/common.yaml\nx: 1\n'), 'data/common.yaml');
  assert.equal(fileName('x: 1\n'), undefined);
});

test('a link is opened as it was made', async () => {
  const state = { files: { 'a.yaml': 'x: \u{1f600}\n'.repeat(1000) }, active: 'a.yaml', subject: 'lookup', facts: { role: 'web' }, node: 'n', forms: { lookup: { key: 'x' } } };
  const fragment = await fragmentOf(state);
  assert.ok(fragment.length < 300, `${fragment.length}`);
  assert.deepEqual(await stateOf(fragment), state);
});

test('a link that is hostile is refused, or loses what makes no sense', async () => {
  await assert.rejects(stateOf('#1.%%%'));
  await assert.rejects(stateOf(await fragmentOf({ files: { a: 'x'.repeat(20 << 20) } })), /too much/);
  assert.throws(() => checked([]));
  assert.deepEqual(checked({ files: { a: 1, b: 'c' }, facts: [], forms: { x: 1, y: { z: {} } }, subject: 7 }),
    { files: { b: 'c' }, active: undefined, subject: 'lookup', facts: {}, node: 'web01.example.com', forms: { y: {} } });
  assert.equal(await stateOf('#example=x'), undefined);
});
