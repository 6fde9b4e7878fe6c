// Runs the examples of the documentation in WebAssembly: those that print what their page shows get "Run".
//
//     node sessions.mjs [FOLDER]        writes runnable.json there; without a folder, lists what is not run, and why
//
// The tests of the command hold every page to the command. Here, what WebAssembly prints has to be what the page shows, or the example is
// left out with a reason that is listed.

import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { start } from '../../crates/web/package/lib/node.mjs';
import { exampleFiles } from './example-files.mjs';
import { fileName, runSteps, shellOf, stepsOf } from './src/sessions.js';
import { Unsupported } from './src/shell.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The blocks of a page: their language and text. */
export function blocksOf(text) {
  return [...text.matchAll(/^```(\S*)\n([^]*?)^```/gm)].map(([, language, block]) => ({ language, text: block }));
}

/** Runs all examples. Returns the commands of blocks that print what is shown, and the others with the reason. */
export async function runAll(wasm = process.env.HIERATIC_WASM ?? path.join(root, 'target/web/hieratic.wasm')) {
  const engine = start({ wasm });
  const repository = engine.open({});
  const examples = Object.entries(await exampleFiles(root)).map(([name, text]) => [`/project/${name}`, text]);
  const pages = (await readdir(path.join(root, 'docs'), { recursive: true })).filter((name) => name.endsWith('.md')).sort();
  const [runnable, different, unsupported] = [new Map(), [], []];
  for (const page of pages) {
    const blocks = blocksOf(await readFile(path.join(root, 'docs', page), 'utf8'));
    const isOfError = page.split(path.sep)[0] === 'errors';
    const files = isOfError
      ? blocks.filter(({ language, text }) => language !== 'console' && fileName(text)).map(({ text }) => [`/repo/${fileName(text)}`, text])
      : examples;
    for (const { text } of blocks.filter(({ language }) => language === 'console')) {
      const steps = stepsOf(text);
      if (steps.length === 0) continue;
      try {
        const results = await runSteps(shellOf(repository, { files: new Map(files), cwd: isOfError ? '/repo' : '/project' }), steps);
        const wrong = results.find(({ isAsShown }) => !isAsShown);
        if (wrong) different.push({ page, command: wrong.command, printed: wrong.text });
        else steps.forEach(({ command }) => runnable.set(command, page));
      } catch (error) {
        if (error instanceof Unsupported) unsupported.push({ page, command: steps.map(({ command }) => command).join('; '), reason: error.message });
        else different.push({ page, command: steps[0].command, printed: String(error.message) });
      }
    }
  }
  engine.close();
  // A command that is shown twice, and once differs, gets no button.
  different.forEach(({ command }) => runnable.delete(command));
  return { runnable: [...runnable.keys()], different, unsupported };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { runnable, different, unsupported } = await runAll();
  const folder = process.argv[2];
  if (folder) await writeFile(path.join(folder, 'runnable.json'), JSON.stringify(runnable));
  console.log(`${runnable.length} commands run in the browser; ${unsupported.length} blocks need a shell; ${different.length} print something else there`);
  for (const { page, command, reason } of unsupported) console.log(`shell: ${page}: ${reason}: ${command.slice(0, 100)}`);
  for (const { page, command, printed } of different) console.log(`differs: ${page}: $ ${command}\n${printed.replace(/^/gm, '    ').slice(0, 400)}`);
}
