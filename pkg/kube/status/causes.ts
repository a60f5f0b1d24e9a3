export type CauseReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotFound'
  | 'FieldManagerConflict'
  | 'ResourceVersionTooLarge'
  | 'UnexpectedServerResponse';

export interface StatusCause {
  readonly reason?: CauseReason | (string & {});
  readonly message: string;
  /** The path of the field: `spec.title`, `metadata.annotations[svc.app/folder]`. */
  readonly field?: string;
}

/** A body may be wrong in each of its values. */
export const MOST_CAUSES = 100;
/**
 * The most bytes of all causes of one answer, as JSON. The message repeats their text, so that the answer has at most
 * 64 KiB.
 */
const MOST_BYTES = 28 * 1024;
/**
 * The most bytes of one message as JSON, and its characters if it has more. The longest message of a rule has 5 KiB.
 */
const CAUSE_BYTES = 9 * 1024;
const CAUSE_CHARACTERS = 1500;
const LONGEST_FIELD = 1000;
/** The most bytes of the message of an answer as JSON, and its characters if it has more. */
const MESSAGE_BYTES = 32 * 1024;
const MESSAGE_CHARACTERS = 5 * 1024;

/** The last cause of a list that was cut. */
const MORE: StatusCause = {
  reason: 'FieldValueInvalid',
  message: 'Invalid value: there are more problems, which are not shown; correct these first',
  field: '<nil>',
};

export interface CausesMark {
  readonly count: number;
  readonly bytes: number;
  readonly isCut: boolean;
}

/**
 * The causes of one refusal, as many as an answer has. A validator collects its causes here, asks `isFull` before it
 * looks for the next one, and then stops, or goes on without texts.
 */
export class Causes {
  readonly #list: StatusCause[] = [];
  #bytes = 0;
  #isCut = false;

  /** Whether the next cause would not be shown. */
  get isFull(): boolean {
    return this.#list.length >= MOST_CAUSES - 1 || this.#bytes >= MOST_BYTES;
  }

  get isEmpty(): boolean {
    return this.#list.length === 0;
  }

  /** Whether causes were left out. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** The causes. The last one says that there are more, if there are. */
  get list(): readonly StatusCause[] {
    return this.#isCut ? [...this.#list, MORE] : this.#list;
  }

  /** Says that there are more. */
  cut(): void {
    this.#isCut = true;
  }

  add(cause: StatusCause): void {
    if (cause === MORE || this.isFull) {
      this.#isCut = true;
      return;
    }
    const shown = cutCause(cause);
    const bytes = Buffer.byteLength(JSON.stringify(shown));
    if (this.#bytes + bytes > MOST_BYTES && !this.isEmpty) {
      this.#isCut = true;
      this.#bytes = MOST_BYTES;
      return;
    }
    this.#bytes += bytes;
    this.#list.push(shown);
  }

  /** Stops at the first cause that has no place. The causes may be those of another list that was cut. */
  addAll(causes: Iterable<StatusCause>): void {
    for (const cause of causes) {
      this.add(cause);
      if (this.#isCut) return;
    }
  }

  /** What `restore` needs to take back the causes that are added from now on. */
  mark(): CausesMark {
    return { count: this.#list.length, bytes: this.#bytes, isCut: this.#isCut };
  }

  restore({ count, bytes, isCut }: CausesMark): void {
    this.#list.length = count;
    this.#bytes = bytes;
    this.#isCut = isCut;
  }
}

/** As many of the causes as an answer has. The same list if it is short. */
export function boundedCauses(causes: readonly StatusCause[]): readonly StatusCause[] {
  if (causes.length === 0) return causes;
  const bounded = new Causes();
  bounded.addAll(causes);
  return bounded.list;
}

function cutCause(cause: StatusCause): StatusCause {
  const { message, field = '' } = cause;
  const isShort = field.length <= LONGEST_FIELD && message.length <= CAUSE_CHARACTERS;
  if (isShort) return cause;
  return {
    ...cause,
    message: isWithin(message, CAUSE_BYTES) ? message : cutText(message, CAUSE_CHARACTERS),
    ...(field !== '' && { field: cutText(field, LONGEST_FIELD) }),
  };
}

function isWithin(text: string, bytes: number): boolean {
  return text.length <= bytes && Buffer.byteLength(JSON.stringify(text)) <= bytes;
}

/** The message of an answer. */
export function boundedMessage(message: string): string {
  return message.length <= CAUSE_CHARACTERS || isWithin(message, MESSAGE_BYTES)
    ? message
    : cutText(message, MESSAGE_CHARACTERS);
}

/** The beginning of a text that is too long, with a mark that something is left out. */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : `${beginning(text, longest)}…`;
}

/** The first characters of a text. No character is cut in two. */
export function beginning(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? length - 1 : length);
}
