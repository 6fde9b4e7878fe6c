// The playground in a browser.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { deflateRawSync } from 'node:zlib';

import { examples } from '../src/examples.js';
import { answerWith, test, textOf, type } from './support.mjs';

/** A part of the answer to each example. */
const shown = {
  hierarchy: '/srv/shop', merges: 'TLSv1.3', options: 'nginx', interpolation: 'root@fra1.example.com', faults: 'duplicate-key', strings: 'double: world',
  types: 'not of the type', catalog: 'Service[nginx]', directives: 'Edit the expanded document', for: 'ADMIN', dynamic: 'valid', jinja: 'server_name web1',
  epp: '1. ann', unfurl: 'ann',
};

test('each example is answered', async ({ page, open }) => {
  assert.deepEqual(Object.keys(shown), examples.map(({ name }) => name));
  for (const [name, part] of Object.entries(shown)) {
    await open(`#example=${name}`);
    await answerWith(page, part);
  }
});

test('the answer follows what is typed', async ({ page, open }) => {
  await open('#example=hierarchy');
  await page.click('#files-data\\/nodes\\/web01\\.example\\.com\\.yaml');
  await type(page, '---\nprofile::web::vhosts:\n  shop:\n    debug: "changed by a test"\n');
  await answerWith(page, 'changed by a test');
});

test('a leaf lights up its line, and a line its leaves', async ({ page, open }) => {
  await open('#example=hierarchy');
  await answerWith(page, '/srv/shop');
  await page.bringToFront();
  await page.hover('.leaf[data-file="data/roles/web.yaml"]');
  await page.waitForFunction(() => document.getElementById('editor').shadowRoot.querySelector('.cm-lit')?.textContent.includes('/srv/shop'));
  assert.match(await page.$eval('#files [aria-selected=true]', (one) => one.textContent), /roles\/web/);
  await page.click('.leaf[data-file="data/nodes/web01.example.com.yaml"]');
  await page.waitForFunction(() => document.querySelector('.leaf.lit')?.dataset.file === 'data/nodes/web01.example.com.yaml');
});

test('findings are underlined and listed, and go away with the fault', async ({ page, open }) => {
  await open('#example=faults');
  await page.waitForFunction(() => document.querySelectorAll('#problems li').length >= 2);
  await page.waitForFunction(() => document.getElementById('editor').shadowRoot.querySelector('.cm-lintRange-error'));
  await type(page, 'host: www\nurl: "https://%{lookup(\'host\')}/"\n');
  await page.waitForFunction(() => !/common\.yaml/.test(document.getElementById('problems').textContent));
});

test('an edit of the expanded document is the change of the original', async ({ page, open }) => {
  await open('#example=directives');
  await page.waitForSelector('.second');
  await page.waitForFunction(() => document.querySelector('.second').shadowRoot?.querySelector('.cm-content'));
  await page.evaluate(() => {
    const content = document.querySelector('.second').shadowRoot.querySelector('.cm-content');
    const line = [...content.querySelectorAll('.cm-line')].find((one) => one.textContent.includes('max: 64'));
    const range = document.createRange();
    range.selectNodeContents(line);
    range.collapse(false);
    content.focus();
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  await page.keyboard.press('End');
  await page.keyboard.type('0');
  await answerWith(page, 'max: 640');
  await page.evaluate(() => [...document.querySelectorAll('#answer button')].find((one) => one.textContent.startsWith('Apply')).click());
  await page.waitForFunction(() => document.getElementById('editor').shadowRoot.querySelector('.cm-content').textContent.includes('640'));
  assert.match(await textOf(page), /cpu: 8 # the shop needs it/);
});

test('a link holds everything, and is sent to nobody', async ({ page, open, address }) => {
  await open('#example=hierarchy');
  await type(page, 'shared::key: "from a link"\n');
  await page.$eval('#form input', (one) => {
    one.value = 'shared::key';
    one.dispatchEvent(new Event('input'));
  });
  await answerWith(page, 'from a link');
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.click('#share');
  await page.waitForSelector('#dialog[open] textarea');
  const url = await page.$eval('#dialog textarea', (one) => one.value);
  assert.ok(url.startsWith(`${address}#1.`));
  // Chromium asks for the icon again when the address changes.
  assert.deepEqual(requests.filter((one) => one !== `${address}icon.svg`), []);
  await page.click('#dialog-close');
  await open(url.slice(address.length));
  await answerWith(page, 'from a link');
  assert.ok(requests.every((one) => !one.includes('#1.') || one.startsWith(address)));
});

test('a link that is broken or too large is refused', async ({ page, open }) => {
  for (const fragment of ['#1.%%%', '#1.AAAA', '#1.' + Buffer.from('{}').toString('base64')]) {
    await open(fragment);
    await page.waitForSelector('#dialog[open]');
    assert.match(await page.$eval('#dialog-title', (one) => one.textContent), /cannot be opened/);
  }
});

/** A link with any state. */
const linkOf = (state) => `#1.${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;

test('a link of a stranger names no file outside and no flag', async ({ page, open }) => {
  for (const subject of ['constructor', '__proto__', 'nothing', 7]) {
    await open(linkOf({ files: { 'a.yaml': 'a: 1\n' }, subject }));
    assert.equal(await page.$eval('#subjects [aria-selected=true]', (one) => one.textContent), 'Lookup');
  }
  const key = '--facts=/etc/passwd';
  await open(linkOf({
    files: { '../../.bashrc': 'a: 1\n', '/etc/x': 'b: 1', '..': '', '-p/é\n\u0007.yaml': "it's", constructor: 'x', 'hiera.yaml': 'version: 5\n' },
    subject: 'lookup', forms: { lookup: { key, merge: "x'; touch y; '" }, job: { vars: '/etc/passwd' } }, facts: { '--x': '$(id)' }, node: '--help',
  }));
  await page.click('#script');
  const script = await page.$eval('#dialog textarea', (one) => one.value);
  assert.deepEqual([...script.matchAll(/> '([^']*)'/g)].map(([, path]) => path).sort(), ['-p/é.yaml', '.bashrc', 'etc/x', 'hiera.yaml']);
  assert.ok(script.includes("mkdir -p -- '-p'\n"));
  assert.ok(script.endsWith(`hieratic lookup --node='--help' --fact='--x=$(id)' --merge='x'\\''; touch y; '\\''' --why -- '${key}'\n`), script);
});

test('a link with more files than tabs is refused', async ({ page, open }) => {
  await open(linkOf({ files: Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`f${at}`, ''])) }));
  await page.waitForSelector('#dialog[open]');
  assert.match(await page.$eval('#dialog-body', (one) => one.textContent), /more than 500 files/);
});

test('a shell script and an issue have the files and the command', async ({ page, open }) => {
  await open('#example=merges');
  await answerWith(page, '8080');
  await page.click('#script');
  const script = await page.$eval('#dialog textarea', (one) => one.value);
  assert.match(script, /^#!\/bin\/sh\n[^]*cat > 'data\/common\.yaml' <<'END'\n[^]*\nhieratic lookup --node='web01.*--merge='deep' --why -- 'servers'\n$/);
  await page.click('#dialog-close');
  await page.click('#issue');
  await page.waitForFunction(() => document.querySelector('#dialog textarea')?.value.includes('In the playground'));
});

test('hostile names and values are text', async ({ page, open }) => {
  await open('#example=hierarchy');
  const attack = '<img src=x onerror=document.title="taken"><script>document.title="taken"</script>';
  await type(page, `attack: ${JSON.stringify(attack)}\n${JSON.stringify(attack)}: 1\n`);
  await page.$eval('#form input', (one) => {
    one.value = 'attack';
    one.dispatchEvent(new Event('input'));
  });
  await answerWith(page, '<img src=x');
  await page.click('#add');
  await page.type('#dialog input', attack.replaceAll('/', ''));
  await page.keyboard.press('Enter');
  await page.waitForFunction((part) => document.getElementById('files').textContent.includes(part), {}, '<img');
  assert.equal(await page.$('#answer img, #files img, #dialog img'), null);
  assert.match(await page.title(), /playground/);
});

test('what exceeds a limit ends with its name, and the page answers again', async ({ page, open }) => {
  await open('#example=strings');
  await type(page, 'Integer[1, 1000000000].each |$x| { }\n');
  await page.waitForFunction(() => /limit: steps|Stopped/.test(document.getElementById('answer').innerText + document.getElementById('status').innerText));
  await type(page, '1 + 1\n');
  await answerWith(page, '2');
});

test('10 MB are pasted', async ({ page, open }) => {
  await open('#example=hierarchy');
  await type(page, `${'# 10 MB of comment\n'.repeat(550_000)}profile::web::vhosts: {big: yes}\n`);
  await answerWith(page, 'big');
});

test('500 edits keep memory in bounds', async ({ page, open }) => {
  await open('#example=hierarchy');
  const used = async () => {
    await page.evaluate(() => globalThis.gc?.());
    return (await page.metrics()).JSHeapUsedSize;
  };
  await type(page, 'profile::web::vhosts: {n: 0}\n');
  await answerWith(page, 'n:');
  const before = await used();
  await page.evaluate(() => document.getElementById('editor').shadowRoot.querySelector('.cm-content').focus());
  for (let edit = 0; edit < 500; edit++) await page.keyboard.type('#');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const after = await used();
  assert.ok(after < before + 60e6, `${before} bytes before, ${after} after`);
});

test('the keyboard alone is enough', async ({ page, open }) => {
  await open('#example=hierarchy');
  await page.focus('#subjects [aria-selected=true]');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.activeElement.textContent === 'Puppet code');
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => document.getElementById('form').contains(document.activeElement));
  await page.evaluate(() => document.getElementById('editor').shadowRoot.querySelector('.cm-content').focus());
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => !document.getElementById('editor').contains(document.activeElement) && document.activeElement !== document.getElementById('editor'));
});

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8').catch(() => '');

for (const scheme of ['light', 'dark']) {
  test(`axe finds nothing, ${scheme}`, async ({ page, open }) => {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    for (const name of ['hierarchy', 'faults', 'catalog', 'directives', 'dynamic']) {
      await open(`#example=${name}`);
      await answerWith(page, shown[name]);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`), [], name);
    }
  });
}

test('a phone shows everything without scrolling sideways', async ({ page, open }) => {
  for (const name of ['hierarchy', 'dynamic', 'catalog']) {
    await open(`#example=${name}`);
    await answerWith(page, shown[name]);
    const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(width <= room, `${name}: ${width} of ${room}`);
  }
}, { width: 360, height: 740, isMobile: true, hasTouch: true });

test('the language server completes and explains', async ({ page, open }) => {
  await open('#example=catalog');
  await page.waitForFunction(() => document.body.dataset.server === 'ready');
  await page.click('#files-modules\\/profile\\/manifests\\/web\\.pp');
  await page.waitForFunction(() => document.body.dataset.checked);
  await page.evaluate(() => document.getElementById('editor').shadowRoot.querySelector('.cm-content').focus());
  await page.keyboard.down('Control');
  await page.keyboard.press('End');
  await page.keyboard.up('Control');
  await page.keyboard.type('notice(upca');
  await page.keyboard.down('Control');
  await page.keyboard.press('Space');
  await page.keyboard.up('Control');
  await page.waitForFunction(() => /upcase/.test(document.getElementById('editor').shadowRoot.querySelector('.cm-tooltip-autocomplete')?.textContent ?? ''));
});

test('without a network, the page works after the first visit', async ({ page, open }) => {
  await open('#example=hierarchy');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await answerWith(page, '/srv/shop');
  await page.setOfflineMode(true);
  await page.reload();
  await answerWith(page, '/srv/shop');
  await page.setOfflineMode(false);
});
