import { CORE_SCHEMA, defineScalarTag, dump, intCoreTag, load, YAMLException } from 'js-yaml';
import { type Document, isMap, isScalar, isSeq, type Node, parseDocument, type ScalarTag, type Tags } from 'yaml';
import { exactNumber } from '../../../kube/json/exact.js';

/** Where a field is in an object. */
export type Path = readonly (string | number)[];

/** A problem of a text. `from` and `to` are offsets from the start of the text. */
export interface Problem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/**
 * Characters. A longer text is read only when it is saved, because it takes too long to find the place of each field.
 */
export const LARGE = 400_000;

export type Parsed = Document.Parsed;

const INT = 'tag:yaml.org,2002:int';
const DIGITS = /^[-+]?\d{16,}$/;

/**
 * An integer with so many digits that both libraries would round it. The server refuses what does not fit into 64 bits.
 */
const wholeOf = (digits: string): number | bigint => exactNumber(digits) ?? BigInt(digits.replace('+', ''));

/** The schema of js-yaml with exact integers. */
const SCHEMA = CORE_SCHEMA.withTags(
  defineScalarTag<number | bigint>(INT, {
    implicit: true,
    implicitFirstChars: intCoreTag.implicitFirstChars as string[],
    resolve: (source, ...rest) => (DIGITS.test(source) ? wholeOf(source) : intCoreTag.resolve(source, ...rest)),
    identify: (value) => typeof value === 'bigint' || intCoreTag.identify?.(value) === true,
    represent: (value) => String(value),
  }),
);

/** Octal and hexadecimal integers have tags of their own. */
function isInteger(tag: Tags[number]): tag is ScalarTag {
  return typeof tag !== 'string' && tag.tag === INT && tag.collection === undefined && tag.format === undefined;
}

const exactTag = (tag: ScalarTag): ScalarTag => ({
  ...tag,
  resolve: (text, onError, options) => (DIGITS.test(text) ? wholeOf(text) : tag.resolve(text, onError, options)),
});

/** The same for the library that knows the places. */
export const EXACT = {
  customTags: (tags: Tags): Tags => tags.map((tag) => (isInteger(tag) ? exactTag(tag) : tag)),
};

export function yamlOf(value: unknown): string {
  return dump(value, { schema: SCHEMA, noRefs: true, lineWidth: -1 });
}

/** The text with the place of each of its parts, and with its syntax errors. */
export function parsed(text: string): Parsed {
  return parseDocument(text, { prettyErrors: false, ...EXACT });
}

export type Read =
  | { readonly value: Record<string, unknown>; readonly problems?: undefined }
  | { readonly value?: undefined; readonly problems: readonly Problem[] };

/** The object that a text describes, or why it describes none. */
export function read(text: string, document = text.length > LARGE ? undefined : parsed(text)): Read {
  if (document === undefined) return readLarge(text);
  const problems = syntaxProblems(document);
  if (problems.length > 0) return { problems };
  try {
    return objectOf(document.toJS());
  } catch (error) {
    return { problems: [{ from: 0, to: 0, message: String(error) }] };
  }
}

/** js-yaml is much faster than yaml, but reports only the first problem. */
function readLarge(text: string): Read {
  try {
    return objectOf(load(text, { schema: SCHEMA }));
  } catch (error) {
    const at = error instanceof YAMLException ? (error.mark?.position ?? 0) : 0;
    const message = error instanceof YAMLException ? error.reason : String(error);
    return { problems: [{ from: at, to: at, message }] };
  }
}

function objectOf(value: unknown): Read {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { value: value as Record<string, unknown> };
  return { problems: [{ from: 0, to: 0, message: 'The text is no object: it has no fields.' }] };
}

export function syntaxProblems(document: Parsed): readonly Problem[] {
  return document.errors.map(({ pos: [from, to], message }) => ({ from, to, message }));
}

/** A field and its new value, which is undefined if it is removed. */
export interface Change {
  readonly path: Path;
  readonly value: unknown;
}

/** The text with other values at these places. Comments stay, except in a large text. */
export function changed(text: string, changes: readonly Change[]): string {
  const document = text.length > LARGE ? parsed(yamlOf({})) : parsed(text);
  if (text.length > LARGE) document.contents = document.createNode(read(text).value ?? {}) as typeof document.contents;
  for (const { path, value } of changes) {
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
  }
  return text.length > LARGE ? yamlOf(document.toJS()) : document.toString({ lineWidth: 0 });
}

/** The parts of the name of a field as the server writes it, such as `spec.rules[0].name` or `metadata.labels[a/b]`. */
export function pathOfField(field: string): Path {
  return [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, inBrackets, word = '']) => {
    if (inBrackets === undefined) return word;
    return /^\d+$/.test(inBrackets) ? Number(inBrackets) : inBrackets.replace(/^["']|["']$/g, '');
  });
}

/** The place of a field in the text, or that of the nearest field around it if the field is missing. */
export function placeOf(document: Parsed, path: Path): { readonly from: number; readonly to: number } {
  let node: Node | null | undefined = document.contents;
  let place = { from: 0, to: 0 };
  for (let at = 0; at < path.length; ) {
    const step = stepInto(node, path, at);
    if (step === undefined) break;
    place = step.place;
    node = step.node;
    at = step.next;
  }
  return place;
}

interface Step {
  readonly node: Node | null;
  readonly place: { readonly from: number; readonly to: number };
  readonly next: number;
}

/** The key of a label or annotation may have dots, so the longest key that fits is taken. */
function stepInto(node: Node | null | undefined, path: Path, at: number): Step | undefined {
  if (isSeq<Node>(node)) {
    const item = node.items[Number(path[at])];
    return item?.range ? { node: item, place: { from: item.range[0], to: item.range[1] }, next: at + 1 } : undefined;
  }
  if (!isMap<Node, Node | null>(node)) return undefined;
  for (let next = path.length; next > at; next--) {
    const name = path.slice(at, next).join('.');
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    if (pair?.key.range)
      return {
        node: pair.value,
        place: { from: pair.key.range[0], to: pair.value?.range?.[1] ?? pair.key.range[1] },
        next,
      };
  }
  return undefined;
}
