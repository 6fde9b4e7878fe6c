// Editors: CodeMirror in a shadow root, where its styles need no exception of the page's policy.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, StreamLanguage, bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { jinja2 } from '@codemirror/legacy-modes/mode/jinja2';
import { puppet } from '@codemirror/legacy-modes/mode/puppet';
import { ruby } from '@codemirror/legacy-modes/mode/ruby';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** HCL as far as colors need it: comments, strings, numbers, words. */
const hcl = {
  startState: () => ({ block: false }),
  token(stream, state) {
    if (state.block) {
      if (stream.skipTo('*/')) {
        stream.match('*/');
        state.block = false;
      } else stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^(#|\/\/).*/)) return 'comment';
    if (stream.match('/*')) {
      state.block = true;
      return 'comment';
    }
    if (stream.match(/^"(\\.|[^"\\])*"?/)) return 'string';
    if (stream.match(/^\d[\d.eE]*/)) return 'number';
    if (stream.match(/^(true|false|null|for|in|if|else|endif|endfor)\b/)) return 'keyword';
    if (stream.match(/^[\w-]+(?=\s*=[^=])/)) return 'propertyName';
    if (stream.match(/^[A-Za-z_][\w-]*/)) return 'variableName';
    stream.next();
    return null;
  },
};

const languages = [
  [/\.(ya?ml|eyaml)$/, () => yaml()],
  [/\.(pp|epp)$/, () => StreamLanguage.define(puppet)],
  [/\.(j2|jinja2?)$/, () => StreamLanguage.define(jinja2)],
  [/\.(rb|erb)$/, () => StreamLanguage.define(ruby)],
  [/\.(hcl|nomad|nomadvars|tftpl|vars)$/, () => StreamLanguage.define(hcl)],
];

const languageOf = (path) => languages.find(([pattern]) => pattern.test(path))?.[1]() ?? [];

const colors = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: 'var(--dim)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--ink)', backgroundColor: 'var(--paper)' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--dim)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-lit': { backgroundColor: 'var(--mark)' },
  '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--ink)', border: '1px solid var(--line)', maxWidth: '34rem' },
  '.cm-hover': { padding: '.3rem .6rem', whiteSpace: 'pre-wrap', fontFamily: 'var(--mono)', maxHeight: '18rem', overflow: 'auto' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--accent) 30%, transparent) !important' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--paper)' },
});

const light = StateEffect.define();
const lit = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let now = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(light)) continue;
      const { doc } = transaction.state;
      const lines = effect.value.filter((line) => line >= 1 && line <= doc.lines);
      now = Decoration.set(lines.map((line) => Decoration.line({ class: 'cm-lit' }).range(doc.line(line).from)), true);
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The offset of a line and column that count from 1; columns count characters. */
function offset(doc, line, column) {
  if (line < 1) return 0;
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(line);
  return from + [...text].slice(0, Math.max(0, column - 1)).join('').length;
}

/** An editor in an element. `changed(text)` and `moved(line)` are called; `hover` and `complete` may ask a server. */
export class Editor {
  #documents = new Map();
  #path;

  constructor(parent, { label, changed = () => {}, moved = () => {}, hover, complete }) {
    const root = parent.attachShadow({ mode: 'open' });
    const box = document.createElement('div');
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':host, div.box { height: 100%; }');
    root.adoptedStyleSheets = [sheet];
    box.className = 'box';
    root.append(box);
    this.language = new Compartment();
    this.extensions = [
      lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
      syntaxHighlighting(colors), theme, lit, lintGutter(), EditorView.lineWrapping,
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
      // Tab indents, so the keyboard leaves with Escape and then Tab, which CodeMirror has.
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !this.isSetting) changed(this.path, update.state.doc.toString());
        if (update.selectionSet && update.view.hasFocus) moved(this.path, update.state.doc.lineAt(update.state.selection.main.head).number);
      }),
      autocompletion(complete ? { override: [(context) => complete(this.path, context)] } : {}),
      hover ? hoverTooltip(async (view, at) => {
        const found = await hover(this.path, view.state.doc, at);
        if (!found) return null;
        return {
          pos: at, above: true,
          create: () => {
            const dom = document.createElement('div');
            dom.className = 'cm-hover';
            dom.textContent = found;
            return { dom };
          },
        };
      }) : [],
    ];
    this.view = new EditorView({ parent: box, root });
  }

  get path() {
    return this.#path;
  }

  /** Shows a file; each keeps its history. */
  show(path, text) {
    if (this.#path !== undefined) this.#documents.set(this.#path, this.view.state);
    const known = this.#documents.get(path);
    const isKnown = known && known.doc.toString() === text;
    this.#path = path;
    this.isSetting = true;
    this.view.setState(isKnown ? known : EditorState.create({ doc: text, extensions: [this.extensions, this.language.of(languageOf(path))] }));
    this.isSetting = false;
  }

  forget() {
    this.#documents.clear();
    this.#path = undefined;
  }

  /** Replaces the text without calling `changed`. */
  replace(text) {
    if (this.view.state.doc.toString() === text) return;
    this.isSetting = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.isSetting = false;
  }

  /** Lights lines up, and scrolls to the first. */
  light(lines) {
    const { doc } = this.view.state;
    const first = lines.find((line) => line >= 1 && line <= doc.lines);
    const effects = [light.of(lines)];
    if (first) effects.push(EditorView.scrollIntoView(doc.line(first).from, { y: 'nearest' }));
    this.view.dispatch({ effects });
  }

  goTo(line, column = 1) {
    const at = offset(this.view.state.doc, line, column);
    this.view.focus();
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  }

  /** Underlines findings. */
  underline(findings) {
    const { doc } = this.view.state;
    const diagnostics = findings.map(({ severity, message, line, column, endLine, endColumn }) => {
      const from = offset(doc, line, column);
      const to = Math.max(from, offset(doc, endLine ?? line, endColumn ?? column + 1));
      return { from, to, severity: severity === 'note' ? 'info' : severity, message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }
}
