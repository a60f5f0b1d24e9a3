import type { ChangeDesc } from '@codemirror/state';
import { computed, signal } from '@preact/signals';
import type { Editor } from '../../../editor/editor.js';
import { check, type Identity } from '../../../editor/schema/check.js';
import type { KindSchema } from '../../../editor/schema/openapi.js';
import { LARGE, type Parsed, type Problem, parsed, type Read, read } from '../../../editor/yaml.js';

/** Milliseconds after the last key before a text is checked. */
const PAUSE = 300;

/** The text in an editor, and what is wrong with it. */
export class EditedText {
  readonly editor = signal<Editor | undefined>(undefined);
  readonly isDirty = signal(false);
  /** Whether the text is too large to be checked while it is typed. */
  readonly isLarge = signal(false);
  readonly #found = signal<readonly Problem[]>([]);
  /** What the server has refused, at its places. */
  readonly #refused = signal<readonly Problem[]>([]);
  readonly problems = computed(() => {
    const refused = this.#refused.value;
    // Of one field, the words of the server are enough.
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

  /** The text that the editor begins with. It cannot be changed any more when there is an editor. */
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

  /** Takes another text, and `unchanged` as the text that nobody has changed. */
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

  /** Somebody typed. What was refused moves with the text, and is forgotten when it is changed. */
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

  /** Shows what the server has refused, and goes there. */
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

  /** What is to be done when nobody types for a moment is done at once. */
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
