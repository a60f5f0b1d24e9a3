import type { ChangeDesc } from '@codemirror/state';
import { computed, signal } from '@preact/signals';
import type { Editor } from '../../../editor/editor.js';
import { check, type Identity } from '../../../editor/schema/check.js';
import type { KindSchema } from '../../../editor/schema/openapi.js';
import { LARGE, type Parsed, type Problem, parsed, type Read, read } from '../../../editor/yaml.js';

/** Milliseconds after the last key before a text is checked. */
const PAUSE = 300;

/** The text in an editor, and its problems. */
export class EditedText {
  readonly editor = signal<Editor | undefined>(undefined);
  readonly isDirty = signal(false);
  /** Whether the text is too large to be checked while it is typed. */
  readonly isLarge = signal(false);
  readonly #found = signal<readonly Problem[]>([]);
  /** The problems that the server has reported. */
  readonly #refused = signal<readonly Problem[]>([]);
  readonly problems = computed(() => {
    const refused = this.#refused.value;
    // A problem at the same place as one of the server is left out.
    return [...refused, ...this.#found.value.filter(({ from }) => !refused.some((one) => one.from === from))];
  });
  /** Is called when nobody has typed for a moment. */
  onSettled: () => void = () => undefined;

  readonly #identity: Identity;
  #first: string;
  #schema: KindSchema | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(first: string, identity: Identity) {
    this.#first = first;
    this.#identity = identity;
    this.isLarge.value = first.length > LARGE;
  }

  /** The text as it is now. */
  get value(): string {
    return this.editor.peek()?.text() ?? this.#first;
  }

  /** The initial text of the editor. */
  get first(): string {
    return this.#first;
  }

  attach(editor: Editor | undefined): void {
    this.editor.value = editor;
    this.setSchema(this.#schema);
  }

  setSchema(schema: KindSchema | undefined): void {
    this.#schema = schema;
    this.editor.peek()?.setSchema(this.isLarge.peek() ? undefined : schema);
    this.checkNow();
  }

  /** Replaces the text. It counts as changed if it differs from `unchanged`. */
  set(text: string, unchanged: string): void {
    const editor = this.editor.peek();
    if (editor === undefined) {
      this.#first = text;
      return;
    }
    editor.setUnchanged(unchanged);
    editor.setText(text);
    this.isDirty.value = editor.isChanged();
    this.#settle();
  }

  /**
   * Is to be called after each change. Problems of the server move with the text, and are removed when their text
   * changes.
   */
  typed(change: Pick<ChangeDesc, 'mapPos' | 'touchesRange'>): void {
    this.#refused.value = this.#refused
      .peek()
      .filter(({ from, to }) => change.touchesRange(from, to) === false)
      .map((one) => ({ ...one, from: change.mapPos(one.from), to: change.mapPos(one.to) }));
    this.isDirty.value = this.editor.peek()?.isChanged() ?? false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(), PAUSE);
  }

  read(): Read {
    return read(this.value);
  }

  /** The text with the places of its parts, unless it is too large for that. */
  parsed(): Parsed | undefined {
    return this.isLarge.peek() ? undefined : parsed(this.value);
  }

  /** Shows the problems that the server has reported, and goes to the first one. */
  refuse(problems: readonly Problem[]): void {
    this.#refused.value = problems;
    this.checkNow();
    const [first] = problems;
    if (first !== undefined) this.editor.peek()?.show(first.from);
  }

  checkNow(): void {
    const editor = this.editor.peek();
    if (editor === undefined) return;
    this.isLarge.value = editor.length() > LARGE;
    const document = this.parsed();
    this.#found.value = document === undefined ? [] : check(document, this.#schema, this.#identity);
    editor.setProblems(this.problems.peek());
  }

  /** Does now what waits for a pause in typing. */
  stop(): void {
    if (this.#timer !== undefined) this.#settle();
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.checkNow();
    this.onSettled();
  }
}
