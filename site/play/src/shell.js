// As much of a shell as the documentation uses: words and quotes, pipes, redirections, `&&`, `;`, and a few programs. Everything else
// is an error, so that no example looks as if it had been run.

/** A command that this shell does not know. */
export class Unsupported extends Error {}

/** The commands of a line: lists of pipelines of words, with redirections. */
function parse(line, variables) {
  const commands = [[{ words: [], redirections: [] }]];
  const separators = [];
  let at = 0;
  let word;
  let redirection;
  const current = () => commands.at(-1).at(-1);
  const endWord = () => {
    if (word === undefined) return;
    if (redirection) current().redirections.push({ ...redirection, path: word });
    else current().words.push(word);
    redirection = undefined;
    word = undefined;
  };
  const add = (text) => {
    word = (word ?? '') + text;
  };
  const variable = () => {
    const name = /^\$(?:\{(\w+)\}|(\w+))/.exec(line.slice(at));
    if (!name) throw new Unsupported(`'${line.slice(at, at + 2)}' is not known here`);
    at += name[0].length;
    return variables[name[1] ?? name[2]] ?? '';
  };
  while (at < line.length) {
    const one = line[at];
    if (one === "'") {
      const end = line.indexOf("'", at + 1);
      if (end < 0) throw new Unsupported('a quote is not closed');
      add(line.slice(at + 1, end));
      at = end + 1;
    } else if (one === '"') {
      at += 1;
      add('');
      while (line[at] !== '"') {
        if (at >= line.length) throw new Unsupported('a quote is not closed');
        if (line[at] === '\\' && '$`"\\\n'.includes(line[at + 1])) {
          add(line[at + 1] === '\n' ? '' : line[at + 1]);
          at += 2;
        } else if (line[at] === '$') add(variable());
        else if (line[at] === '`') throw new Unsupported('a command inside of a command');
        else add(line[at++]);
      }
      at += 1;
    } else if (one === '\\') {
      if (line[at + 1] !== '\n') add(line[at + 1] ?? '');
      at += 2;
    } else if (/\s/.test(one)) {
      endWord();
      at += 1;
    } else if (one === '#' && word === undefined) {
      const end = line.indexOf('\n', at);
      at = end < 0 ? line.length : end;
    } else if (/^\d?>{1,2}|^</.test(line.slice(at)) && (word === undefined || !/^\d/.test(one))) {
      const [text] = /^\d?>{1,2}(&\d)?|^</.exec(line.slice(at));
      if (text.includes('&') || line.startsWith('<<', at)) throw new Unsupported(`'${text}' is not known here`);
      endWord();
      redirection = { kind: text };
      at += text.length;
    } else if (line.startsWith('&&', at) || one === ';' || line.startsWith('||', at)) {
      endWord();
      separators.push(one);
      if (line.startsWith('||', at)) throw new Unsupported("'||' is not known here");
      commands.push([{ words: [], redirections: [] }]);
      at += one === ';' ? 1 : 2;
    } else if (one === '|') {
      endWord();
      commands.at(-1).push({ words: [], redirections: [] });
      at += 1;
    } else if (one === '$') add(variable());
    else if (one === '~' && word === undefined && /^~(\/|\s|$)/.test(line.slice(at))) {
      add(variables.HOME);
      at += 1;
    }
    else if ('`&()*?[]{}'.includes(one) && !(/[[\]{}()*?]/.test(one) && word !== undefined)) {
      if (one === '{' || one === '[' || one === '}' || one === ']') {
        add(one);
        at += 1;
      } else throw new Unsupported(`'${one}' is not known here`);
    } else {
      add(one);
      at += 1;
    }
  }
  endWord();
  return { commands, separators };
}

const escapes = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

/** What `printf` writes: escapes, `%s` and `%%`. */
function printf([format, ...values]) {
  let rest = values;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const once = () => format.replace(/((?:\\[0-7]{1,3})+)|\\(.)|%(.)/g, (_, octal, escaped, directive) => {
    // Bytes by their numbers: several of them may be one character.
    if (octal) return decoder.decode(Uint8Array.from(octal.slice(1).split('\\'), (digits) => parseInt(digits, 8)));
    if (escaped) return escapes[escaped] ?? `\\${escaped}`;
    if (directive === '%') return '%';
    if (directive !== 's') throw new Unsupported(`printf: %${directive}`);
    const [value = '', ...others] = rest;
    rest = others;
    return value;
  });
  let text = once();
  while (rest.length > 0 && format.includes('%s')) text += once();
  return text;
}

/** An expression of `sed` or `grep` as one of JavaScript: the documentation uses what is the same in both. */
function expression(pattern) {
  if (/\\[(){}|+?]/.test(pattern)) throw new Unsupported(`the expression '${pattern}'`);
  return pattern.replace(/[(){}|+?]/g, '\\$&');
}

function sed(script) {
  const parts = /^s(.)((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1(g?)$/.exec(script);
  if (!parts) throw new Unsupported(`sed '${script}'`);
  const [, separator, pattern, replacement, flags] = parts;
  const regexp = new RegExp(expression(pattern.replaceAll(`\\${separator}`, separator)), `${flags}u`.replace('u', ''));
  const literal = replacement.replaceAll(`\\${separator}`, separator).replaceAll('$', '$$$$').replace(/\\(.)/g, '$1').replaceAll('&', '$$&');
  return (text) => text.split('\n').map((line) => line.replace(regexp, literal)).join('\n');
}

const linesOf = (text) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
const textOf = (lines) => lines.map((line) => `${line}\n`).join('');

/** A shell over files in memory. `hieratic(args, {cwd, stdin, files})` runs the command. */
export class Shell {
  variables = { HOME: '/home' };

  constructor({ files, cwd, hieratic }) {
    this.files = new Map(files);
    this.folders = new Set(['/']);
    this.cwd = cwd;
    this.hieratic = hieratic;
  }

  path(name) {
    const found = [];
    for (const part of (name.startsWith('/') ? name : `${this.cwd}/${name}`).split('/')) {
      if (part === '' || part === '.') continue;
      if (part === '..') found.pop();
      else found.push(part);
    }
    return `/${found.join('/')}`;
  }

  isFolder(path) {
    return path === '/' || [...this.folders, ...this.files.keys()].some((name) => name === path && this.folders.has(name) || name.startsWith(`${path}/`));
  }

  read(name) {
    if (name === '/dev/null') return '';
    const content = this.files.get(this.path(name));
    if (content === undefined) throw new Unsupported(`${name} is not there`);
    return typeof content === 'string' ? content : new TextDecoder().decode(content);
  }

  write(name, text, appends) {
    if (name === '/dev/null') return;
    if (name.startsWith('/dev/')) throw new Unsupported(name);
    this.files.set(this.path(name), (appends && this.files.has(this.path(name)) ? this.read(name) : '') + text);
  }

  /** Runs a line. Returns what it prints, standard error included, and its status. */
  async run(line) {
    const { commands, separators } = parse(line, this.variables);
    let [output, status] = ['', 0];
    for (const [at, pipeline] of commands.entries()) {
      if (separators[at - 1] === '&' && status !== 0) continue;
      let stdin = '';
      for (const [index, command] of pipeline.entries()) {
        const isLast = index + 1 === pipeline.length;
        const answer = await this.command(command, stdin);
        status = answer.status;
        stdin = answer.stdout;
        let { stderr } = answer;
        const redirected = new Set();
        for (const { kind, path } of command.redirections) {
          if (kind === '<') continue;
          const text = kind.startsWith('2') ? stderr : answer.stdout;
          this.write(path, text, kind.endsWith('>>'));
          redirected.add(kind.startsWith('2') ? 2 : 1);
        }
        if (redirected.has(2)) stderr = '';
        if (redirected.has(1)) stdin = '';
        // Both streams of the last command are one, in their order, unless one of them went elsewhere.
        if (isLast && redirected.size === 0) output += answer.both ?? stderr + answer.stdout;
        else output += stderr + (isLast ? stdin : '');
      }
    }
    return { output, status };
  }

  async command({ words, redirections }, piped) {
    const from = redirections.find(({ kind }) => kind === '<');
    const stdin = from ? this.read(from.path) : piped;
    const done = (stdout = '', status = 0) => ({ stdout, stderr: '', status });
    const [program, ...args] = words;
    const plain = args.filter((word) => !word.startsWith('-'));
    switch (program) {
      case undefined:
        return done();
      case 'hieratic': {
        const answer = await this.hieratic(args, { cwd: this.cwd, stdin, files: [...this.files], folders: [...this.folders] });
        this.files = new Map(answer.files);
        return answer;
      }
      case 'cd': {
        const path = this.path(args[0] ?? this.variables.HOME);
        if (!this.isFolder(path)) throw new Unsupported(`cd ${args[0]}: it is not there`);
        this.cwd = path;
        return done();
      }
      case 'mkdir':
        plain.forEach((name) => this.folders.add(this.path(name)));
        return done();
      case 'echo':
        return done(`${args.join(' ')}\n`);
      case 'printf':
        return done(printf(args));
      case 'cat':
        return done(args.length === 0 ? stdin : args.map((name) => this.read(name)).join(''));
      case 'head':
      case 'tail': {
        const count = Number(/^-(?:n\s*)?(\d+)$/.exec(args[0] ?? '')?.[1] ?? NaN);
        if (Number.isNaN(count) || args.length > 1) throw new Unsupported(words.join(' '));
        const lines = linesOf(stdin);
        return done(textOf(program === 'head' ? lines.slice(0, count) : lines.slice(-count)));
      }
      case 'grep': {
        const [pattern, file] = plain;
        if (args.some((word) => /^-./.test(word) && word !== '-c')) throw new Unsupported(words.join(' '));
        const regexp = new RegExp(expression(pattern));
        const found = linesOf(file ? this.read(file) : stdin).filter((one) => regexp.test(one));
        return done(args.includes('-c') ? `${found.length}\n` : textOf(found), found.length > 0 ? 0 : 1);
      }
      case 'sed': {
        const [script, file] = plain;
        const change = sed(script);
        if (args[0] === '-i') {
          this.write(file, change(this.read(file)), false);
          return done();
        }
        return done(change(file ? this.read(file) : stdin));
      }
      case 'cp':
      case 'mv': {
        const [source, target] = plain.map((name) => this.path(name));
        if (plain.length !== 2) throw new Unsupported(words.join(' '));
        const into = this.isFolder(target) ? `${target}/${source.split('/').at(-1)}` : target;
        for (const [path, content] of [...this.files]) {
          if (path !== source && !path.startsWith(source === '/' ? '/' : `${source}/`)) continue;
          this.files.set(into + path.slice(source.length), content);
          if (program === 'mv') this.files.delete(path);
        }
        return done();
      }
      case 'rm':
        plain.forEach((name) => this.files.delete(this.path(name)));
        return done();
      default:
        throw new Unsupported(`'${program}' is not known here`);
    }
  }
}
