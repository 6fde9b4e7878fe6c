// "Run" and "Edit" on a page as mdBook makes it.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { blocksOf } from '../sessions.mjs';
import { stepsOf } from '../src/sessions.js';
import { root, test } from './support.mjs';

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Makes a page of a document; all its commands count as runnable. */
async function make(folder, document) {
  const text = await readFile(path.join(root, 'docs', document), 'utf8');
  const blocks = blocksOf(text);
  const isRepair = (block) => /\nbecomes[^\n]*\n\n```\S*\n$/.test(text.slice(0, text.indexOf(block)));
  const body = blocks.map((block) => `${isRepair(block.text) ? '<p>becomes</p>' : ''}<pre><code class="language-${block.language}">${escaped(block.text)}</code></pre>`);
  const html = path.join(folder, document.replace(/md$/, 'html'));
  await mkdir(path.dirname(html), { recursive: true });
  const up = document.includes('/') ? '../' : '';
  const loader = await readFile(path.join(root, 'site/run-examples.js'), 'utf8');
  await writeFile(html, `<!doctype html><html lang="en"><title>x</title><link rel="icon" href="${up}play/icon.svg"><body><main>${body.join('\n')}</main>`
    + `<script>var path_to_root = "${up}";</script><script>${loader}</script></body></html>`);
  const commands = blocks.filter(({ language }) => language === 'console').flatMap((block) => stepsOf(block.text).map(({ command }) => command));
  await writeFile(path.join(folder, 'play/runnable.json'), JSON.stringify(commands));
  return html.slice(folder.length + 1);
}

const pressed = (page, name, at = 0) => page.evaluate((text, index) => [...document.querySelectorAll('.hieratic-run button')].filter((one) => one.textContent === text)[index].click(), name, at);

test('a command is run, and prints what its page shows', async ({ page, address, folder }) => {
  await page.goto(new URL(`../${await make(folder, 'tutorial.md')}`, address));
  await page.waitForSelector('.hieratic-run');
  await pressed(page, 'Run');
  await page.waitForFunction(() => document.querySelector('.hieratic-output')?.textContent.includes('✓'));
  await pressed(page, 'Edit');
  await page.$eval('.hieratic-edit', (one) => {
    one.value = '$ cd examples/control-repo\n$ hieratic lookup site::domain --node n\n';
  });
  await pressed(page, 'Run');
  await page.waitForFunction(() => document.querySelector('.hieratic-output').textContent.includes('--- example.com'));
});

test('an error is shown, and goes away when the file is repaired', async ({ page, address, folder }) => {
  await page.goto(new URL(`../${await make(folder, 'errors/data-type.md')}`, address));
  await page.waitForSelector('.hieratic-run');
  await pressed(page, 'Run');
  await page.waitForFunction(() => document.querySelector('.hieratic-output')?.textContent.includes('✓'));
  await pressed(page, 'Edit');
  await page.evaluate(() => {
    const file = [...document.querySelectorAll('code')].find((one) => one.textContent.includes('port: :http'));
    file.textContent = file.textContent.replace('port: :http', 'port: "http"');
  });
  await pressed(page, 'Run');
  await page.waitForFunction(() => document.querySelector('.hieratic-output').textContent.includes('--- http'));
});

test('a finding is shown, and its repair', async ({ page, address, folder }) => {
  await page.goto(new URL(`../${await make(folder, 'findings/unknown-key.md')}`, address));
  await page.waitForFunction(() => document.querySelectorAll('.hieratic-run').length === 2);
  await pressed(page, 'Run', 0);
  await page.waitForFunction(() => document.querySelectorAll('.hieratic-output')[0].textContent.includes('unknown-key'));
  await pressed(page, 'Run', 1);
  await page.waitForFunction(() => /\$ hieratic check/.test(document.querySelectorAll('.hieratic-output')[1].textContent));
  assert.doesNotMatch(await page.evaluate(() => document.querySelectorAll('.hieratic-output')[1].textContent), /unknown-key/);
});
