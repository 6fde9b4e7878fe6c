// A browser over the playground; tests are skipped, with a word, where one of the two is missing.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { after, test as nodeTest } from 'node:test';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = fileURLToPath(new URL('..', import.meta.url));

const wasm = process.env.HIERATIC_WASM ?? path.join(root, 'target/web/hieratic.wasm');
const chromium = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => file && existsSync(file));
const missing = !existsSync(wasm) ? 'WebAssembly is not built' : !chromium ? 'Chromium is not installed'
  : !existsSync(path.join(here, 'node_modules/puppeteer-core')) ? 'npm ci was not run' : undefined;

let running;

after(async () => {
  if (!running) return;
  const { browser, server, folder } = await running;
  await browser.close();
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

async function begin() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hieratic-play-'));
  execFileSync(process.execPath, [path.join(here, 'build.mjs'), path.join(folder, 'play')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { serve } = await import('../serve.mjs');
  const { default: puppeteer } = await import('puppeteer-core');
  const server = await serve(folder);
  const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] });
  return { browser, address: `http://127.0.0.1:${server.address().port}/play/`, server, folder };
}

/** A test with a page; `open(fragment)` opens the playground and waits for the first answer. */
export function test(name, work, viewport = { width: 1280, height: 900 }) {
  if (missing) {
    console.log(`skipped: ${name}: ${missing}`);
    return nodeTest(name, { skip: missing }, () => {});
  }
  return nodeTest(name, { timeout: 180_000 }, async () => {
    running ??= begin();
    const { browser, address, server, folder } = await running;
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.setViewport(viewport);
    const faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (one) => {
      if (one.type() === 'error') faults.push(one.text());
    });
    const answered = async () => page.waitForFunction(() => document.body.dataset.answered && !/Working/.test(document.getElementById('status').textContent));
    const open = async (fragment = '') => {
      await page.goto('about:blank');
      await page.goto(address + fragment);
      await answered();
    };
    await work({ page, open, answered, address, context, server, folder });
    if (faults.length > 0) throw new Error(`the page reported: ${faults.join('\n')}`);
    await context.close();
  });
}

/** The text of the answer, once it has a part. */
export async function answerWith(page, part) {
  await page.waitForFunction((text) => document.getElementById('answer').innerText.includes(text), {}, part).catch(async (error) => {
    throw new Error(`no '${part}' in: ${await page.$eval('#answer', (one) => one.innerText)} (${error.message})`);
  });
  return page.$eval('#answer', (one) => one.innerText);
}

/** The text of an editor, and another one. */
export const textOf = (page, id = 'editor') => page.evaluate((name) => {
  const content = document.getElementById(name).shadowRoot.querySelector('.cm-content');
  return content.cmView?.view?.state.doc.toString() ?? [...content.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n');
}, id);

/** Replaces the content of the editor. */
export async function type(page, text) {
  await page.evaluate(() => document.getElementById('editor').shadowRoot.querySelector('.cm-content').focus());
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.press('Delete');
  // As a paste: the editor closes no quotes and indents nothing.
  await page.evaluate((inserted) => {
    const content = document.getElementById('editor').shadowRoot.querySelector('.cm-content');
    const data = new DataTransfer();
    data.setData('text/plain', inserted);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}
