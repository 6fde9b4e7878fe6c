// The language server in its worker: hovers and completion of the editor.

const uriOf = (path) => `file:///repository/${path.split('/').map(encodeURIComponent).join('/')}`;
const languageIds = [[/\.pp$/, 'puppet'], [/\.epp$/, 'epp'], [/\.(nomad|hcl)$/, 'nomad'], [/\.ya?ml$/, 'yaml'], [/\.json$/, 'json']];
const kinds = { 2: 'method', 3: 'function', 5: 'property', 6: 'variable', 7: 'class', 10: 'property', 12: 'constant', 13: 'enum', 14: 'keyword', 15: 'text' };

export class LanguageServer {
  #engine;
  #editor;
  #open = new Map();
  #next = 1;
  #last = Promise.resolve();

  static async start(engine, files) {
    const server = new LanguageServer();
    server.#engine = engine;
    try {
      server.#editor = await engine.openEditor(files);
      await server.#send({ id: 0, method: 'initialize', params: {
        processId: null, rootUri: 'file:///repository', workspaceFolders: [{ uri: 'file:///repository', name: 'repository' }],
        capabilities: { textDocument: { hover: { contentFormat: ['plaintext'] }, completion: { completionItem: {} } } },
      } }, { method: 'initialized', params: {} });
      await server.synchronize(files);
    } catch (error) {
      engine.close();
      throw error;
    }
    return server;
  }

  /** Ends its worker. */
  close() {
    this.#engine.close();
  }

  /** Messages are sent one after the other: answers come with those to which they belong. */
  #send(...messages) {
    const sent = this.#last.then(() => this.#editor.send(...messages));
    this.#last = sent.then(() => {}, () => {});
    return sent;
  }

  async #request(method, params) {
    const id = this.#next++;
    const answers = await this.#send({ id, method, params });
    return answers.find((answer) => answer.id === id)?.result;
  }

  /** Gives the server the text of all files, as far as it has another one. */
  async synchronize(files) {
    const messages = [];
    for (const [path, text] of Object.entries(files)) {
      const known = this.#open.get(path);
      if (known?.text === text) continue;
      const version = (known?.version ?? 0) + 1;
      this.#open.set(path, { text, version });
      if (known) {
        messages.push({ method: 'textDocument/didChange', params: { textDocument: { uri: uriOf(path), version }, contentChanges: [{ text }] } });
      } else {
        const languageId = languageIds.find(([pattern]) => pattern.test(path))?.[1] ?? 'plaintext';
        await this.#editor.write(path, text);
        messages.push({ method: 'textDocument/didOpen', params: { textDocument: { uri: uriOf(path), languageId, version, text } } });
      }
    }
    for (const path of [...this.#open.keys()].filter((path) => !(path in files))) {
      this.#open.delete(path);
      await this.#editor.write(path, undefined);
      messages.push({ method: 'textDocument/didClose', params: { textDocument: { uri: uriOf(path) } } });
    }
    if (messages.length > 0) await this.#send(...messages);
  }

  async #at(path, doc, at) {
    const files = Object.fromEntries([...this.#open].map(([name, { text }]) => [name, text]));
    await this.synchronize({ ...files, [path]: doc.toString() });
    const line = doc.lineAt(at);
    return { textDocument: { uri: uriOf(path) }, position: { line: line.number - 1, character: at - line.from } };
  }

  /** The hover of a place, as text. */
  async hover(path, doc, at) {
    const found = await this.#request('textDocument/hover', await this.#at(path, doc, at));
    const contents = found?.contents;
    if (!contents) return undefined;
    const text = [contents].flat().map((part) => (typeof part === 'string' ? part : part.value)).join('\n');
    return text.trim() || undefined;
  }

  /** The completions of a word. */
  async complete(path, context) {
    const word = context.matchBefore(/[\w:$.@-]*/);
    if (!context.explicit && (!word || word.from === word.to)) return null;
    const found = await this.#request('textDocument/completion', await this.#at(path, context.state.doc, context.pos));
    const items = (Array.isArray(found) ? found : found?.items) ?? [];
    if (items.length === 0) return null;
    const line = context.state.doc.lineAt(context.pos);
    const options = items.slice(0, 500).map((item) => ({
      label: item.label, detail: item.detail, type: kinds[item.kind],
      apply(view, _, from, to) {
        const edit = item.textEdit;
        const range = edit?.range ?? edit?.replace;
        const start = range && range.start.line === line.number - 1 ? line.from + range.start.character : from;
        const text = (edit?.newText ?? item.insertText ?? item.label).replace(/\$\{\d+:?([^}]*)\}|\$\d+/g, '$1');
        view.dispatch({ changes: { from: start, to, insert: text }, selection: { anchor: start + text.length } });
      },
    }));
    return { from: word?.from ?? context.pos, options, validFor: /^[\w:$.@-]*$/ };
  }
}
