// Sessions of the documentation: blocks with commands and what these print, as crates/cli/tests reads them.

import { Shell } from './shell.js';

const encoder = new TextEncoder();

/** The steps of a block: commands, with the lines that are printed. */
export function stepsOf(block) {
  const steps = [];
  for (const line of block.replace(/\n$/, '').split('\n')) {
    const last = steps.at(-1);
    if (line.startsWith('$ ') && last?.command.endsWith('\\')) last.command += line.slice(2);
    else if (line.startsWith('$ ')) steps.push({ command: line.slice(2), output: [] });
    else if (last?.command.endsWith('\\')) last.command += `\n${line.replace(/^> /, '')}`;
    else last?.output.push(line.trimEnd());
  }
  return steps;
}

/** Whether lines are as wanted, where `...` stands for any. */
export function matches(wanted, printed) {
  if (wanted.length === 0) return printed.length === 0;
  if (wanted[0] === '...') {
    for (let skipped = 0; skipped <= printed.length; skipped++) if (matches(wanted.slice(1), printed.slice(skipped))) return true;
    return false;
  }
  return printed.length > 0 && wanted[0] === printed[0] && matches(wanted.slice(1), printed.slice(1));
}

/** The name in the comment that a block of a file begins with. */
export function fileName(text) {
  const first = text.split('\n', 1)[0];
  return /^(?:#|\/\/|<%#|\{#|--)\s*([\w./@-]+\.\w+)/.exec(first)?.[1];
}

/** A shell over files for which `repository` runs the command. */
export function shellOf(repository, { files, cwd }) {
  return new Shell({
    files, cwd,
    async hieratic(args, { cwd: folder, stdin, files: all, folders }) {
      const tops = [...new Set([...all.map(([path]) => path), ...folders.filter((path) => path !== '/'), folder].map((path) => `/${path.split('/')[1]}`))];
      const marked = folders.filter((path) => path !== '/').map((path) => [`${path}/.folder`, '']);
      const inside = [[`${folder}/.folder`, ''], ...marked];
      const { status, stdout, stderr, failure, written, both } = await repository.run(args, {
        cwd: folder, stdin: encoder.encode(stdin), inputs: all, folders: inside.map(([path]) => path.slice(0, -'/.folder'.length)), returns: tops, joins: true,
        env: { HOME: '/home', COLUMNS: '120', NO_COLOR: '1', LC_ALL: 'C.UTF-8' },
      });
      if (failure) return { stdout, stderr: `${stderr}Error: ${failure.message}\n`, status, files: all };
      return { stdout, stderr, both, status, files: written };
    },
  });
}

/** Runs the steps of a block. Each has what it printed, and whether that is what the page says. */
export async function runSteps(shell, steps) {
  const results = [];
  for (const { command, output } of steps) {
    const { output: text, status } = await shell.run(command);
    const printed = text.replace(/\n$/, '').split('\n').map((line) => line.trimEnd());
    const lines = text === '' ? [] : printed;
    results.push({ command, text, isAsShown: output.length === 0 ? status === 0 : matches(output, lines) });
  }
  return results;
}
