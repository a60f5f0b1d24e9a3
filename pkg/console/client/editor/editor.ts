import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { type ChangeDesc, Compartment, EditorState, type Extension, Prec, Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { completer, hover } from './schema/assist.js';
import type { KindSchema } from './schema/openapi.js';
import { shadowIn } from './shadow.js';
import { look } from './theme.js';
import { LARGE, type Problem } from './yaml.js';

export interface EditorOptions {
  readonly text: string;
  /** The name for screen readers. */
  readonly label: string;
  readonly isReadOnly: boolean;
  /** Is shown while there is no text. */
  readonly sample?: string;
  /** Is called after each change. The argument maps positions from before the change to those after it. */
  readonly onChange: (change: ChangeDesc) => void;
}

export interface Editor {
  text(): string;
  length(): number;
  /** Changes as little of the text as needed, so that the cursor and the undo history stay. */
  setText(text: string): void;
  /** Whether the text differs from the one that counts as unchanged. */
  isChanged(): boolean;
  setUnchanged(text: string): void;
  setProblems(problems: readonly Problem[]): void;
  setSchema(schema: KindSchema | undefined): void;
  setReadOnly(isReadOnly: boolean): void;
  lineAt(offset: number): number;
  /** Goes to a place of the text. */
  show(offset: number): void;
  focus(): void;
  destroy(): void;
}

/** For so many milliseconds after Escape, Tab leaves the editor, unless another key is pressed before. */
const LEAVES = 60_000;

/** An editor of YAML inside of an element. */
export function mountEditor(host: HTMLElement, options: EditorOptions): Editor {
  const [assist, editable] = [new Compartment(), new Compartment()];
  const root = shadowIn(host);
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [extensionsFor(options), assist.of([]), editable.of(EditorState.readOnly.of(options.isReadOnly))],
    }),
  });
  let unchanged: Text = view.state.doc;
  return {
    text: () => view.state.doc.toString(),
    length: () => view.state.doc.length,
    setText: (text) => replace(view, text),
    isChanged: () => !view.state.doc.eq(unchanged),
    setUnchanged: (text) => {
      unchanged = Text.of(text.split('\n'));
    },
    setProblems: (problems) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((one) => marked(view, one)),
        ),
      ),
    setSchema: (schema) =>
      view.dispatch({
        effects: assist.reconfigure(
          schema === undefined ? [] : [autocompletion({ override: [completer(schema)], icons: false }), hover(schema)],
        ),
      }),
    setReadOnly: (isReadOnly) => view.dispatch({ effects: editable.reconfigure(EditorState.readOnly.of(isReadOnly)) }),
    lineAt: (offset) => view.state.doc.lineAt(within(view, offset)).number,
    show: (offset) => {
      const anchor = within(view, offset);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function extensionsFor({ text, label, sample, onChange }: EditorOptions): Extension {
  return [
    look,
    lineNumbers(),
    lintGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    search({ top: true }),
    // Colours and folding read the whole text many times, which is slow for a large one.
    text.length > LARGE ? [] : [yaml(), foldGutter(), bracketMatching()],
    sample === undefined ? [] : placeholder(sample),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    // What scrolls must be reached by keys, also while the text cannot be edited.
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged, changes }) => {
      if (docChanged) onChange(changes);
    }),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...foldKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    Prec.lowest(keymap.of([{ key: 'Escape', run: letTabLeave }])),
  ];
}

function letTabLeave(view: EditorView): boolean {
  view.setTabFocusMode(LEAVES);
  return true;
}

function within(view: EditorView, offset: number): number {
  return Math.max(0, Math.min(offset, view.state.doc.length));
}

/** Marks the first line of a problem only, and at least one character if there is one. */
function marked(view: EditorView, { from, to, message }: Problem) {
  const line = view.state.doc.lineAt(within(view, from));
  const start = within(view, from);
  const end = Math.max(Math.min(within(view, to), line.to), Math.min(start + 1, line.to));
  return { from: start, to: end, message, severity: 'error' as const };
}

function replace(view: EditorView, text: string): void {
  const before = view.state.doc.toString();
  if (before === text) return;
  const shorter = Math.min(before.length, text.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === text.charCodeAt(start)) start++;
  let end = 0;
  while (end < shorter - start && before.charCodeAt(before.length - 1 - end) === text.charCodeAt(text.length - 1 - end))
    end++;
  view.dispatch({ changes: { from: start, to: before.length - end, insert: text.slice(start, text.length - end) } });
}
