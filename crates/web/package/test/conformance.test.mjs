// The recorded cases, asked of WebAssembly and of the command: both have to say the same, byte for byte.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { posixPath } from '../lib/disk.mjs';
import { command, root, shared, testWith, wasm } from './support.mjs';

const corpus = path.join(root, 'conformance');
const env = { TZ: 'UTC', LC_ALL: 'C.UTF-8', HOME: '/nonexistent', NO_COLOR: '1' };

const lines = (file) => readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));

async function ofCommand(args, cwd, stdin) {
  const running = promisify(execFile)(command, args, { cwd, env, encoding: 'buffer', maxBuffer: 1 << 28 });
  running.child.stdin.on('error', () => {});
  running.child.stdin.end(stdin);
  const { stdout, stderr, code = 0 } = await running.catch((error) => error);
  return { status: code, stdout: stdout.toString('latin1'), stderr: stderr.toString('latin1') };
}

async function ofWasm(repository, args, cwd, stdin) {
  const { status, stdout, stderr, failure } = await repository.run(args, { cwd: posixPath(cwd), stdin, env, timeout: 300_000 });
  return { status, stdout: Buffer.from(stdout).toString('latin1'), stderr: Buffer.from(stderr).toString('latin1'), ...(failure && { failure }) };
}

/** Compares the answers to questions: `[args, folder, input]` by their ids. */
async function compare(questions, least) {
  const repository = shared().openFolder(root, posixPath(root), false);
  const different = [];
  for (const [id, args, cwd, stdin] of questions) {
    const [one, other] = [await ofCommand(args, cwd, stdin ?? ''), await ofWasm(repository, args, cwd, stdin ?? '')];
    if (JSON.stringify(one) !== JSON.stringify(other)) different.push({ id, command: one, wasm: other });
  }
  repository.close();
  assert.ok(questions.length >= least, `${questions.length} questions`);
  const shown = different.slice(0, 3).map((one) => JSON.stringify(one, null, 1).slice(0, 3000)).join('\n');
  assert.equal(different.length, 0, `${different.length} of ${questions.length} differ: ${different.map(({ id }) => id).join(' ')}\n${shown}`);
}

const test = (name, work) => testWith([wasm, command], name, work);

// One of so many cases; all of them with HIERATIC_ALL=1.
const some = (all, step) => (process.env.HIERATIC_ALL ? all : all.filter((_, at) => at % step === 0));

test('lookups of Hiera', async () => {
  const questions = [];
  for (const scenario of readdirSync(path.join(corpus, 'hiera'))) {
    const folder = path.join(corpus, 'hiera', scenario);
    if (!existsSync(path.join(folder, 'cases.jsonl'))) continue;
    for (const { id, args } of lines(path.join(folder, 'cases.jsonl'))) {
      const own = args.map((word) => word.replaceAll('{root}', folder));
      const fixed = {
        '--environmentpath': `${folder}/environments`, '--environment': 'production', '--node': 'web01.example.com', '--facts': `${folder}/facts.json`,
        '--hiera_config': `${folder}/hiera.yaml`, '--confdir': `${folder}/no-such-folder`, '--codedir': `${folder}/no-such-folder`,
      };
      const flags = Object.entries(fixed).filter(([flag]) => !own.includes(flag)).flat();
      questions.push([id, ['lookup', '--puppet-version', '7', ...flags, ...own], folder]);
    }
  }
  await compare(some(questions, 10), 100);
});

test('types of Puppet', async () => {
  const questions = readdirSync(path.join(corpus, 'puppet')).filter((name) => /^type.*\.jsonl$/.test(name)).map((name) => {
    const requests = lines(path.join(corpus, 'puppet', name)).map(({ code }) => JSON.stringify({ language: 'puppet', code }));
    return [name, ['eval', '--jsonl', '--node', 'web01.example.com', '--puppet-version', '7'], corpus, `${requests.join('\n')}\n`];
  });
  await compare(questions, 3);
});

test('merge directives', async () => {
  const folder = path.join(corpus, 'directives/expand');
  const questions = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'main.yaml'))).flatMap((name) => [
    [name, ['expand', 'main.yaml'], path.join(folder, name)],
    [`${name} as JSON`, ['expand', 'main.yaml', '--format', 'json', '--origins', '--message-format', 'json'], path.join(folder, name)],
  ]);
  await compare(some(questions, 3), 60);
});

test('expressions of HCL', async () => {
  const questions = readdirSync(path.join(corpus, 'hcl')).filter((name) => name.endsWith('.jsonl')).map((name) => {
    const requests = lines(path.join(corpus, 'hcl', name)).map((asked) => JSON.stringify({
      language: 'hcl', ...Object.fromEntries(['expr', 'template', 'body', 'json_expr', 'vars'].filter((key) => key in asked).map((key) => [key, asked[key]])),
    }));
    return [name, ['eval', '--jsonl'], path.join(corpus, 'hcl'), `${requests.join('\n')}\n`];
  });
  await compare(questions, 15);
});
