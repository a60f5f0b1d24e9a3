import { signal } from '@preact/signals';
import { find, type Query } from './find.js';

/** Milliseconds for which questions are gathered, and for which a title is not asked for again. */
const [GATHER, KNOWN_FOR] = [30, 30_000];
/** The most objects that one request asks for. */
const MOST_ASKED = 100;

/** More than the levels of folders that a server allows. */
const MOST_ABOVE = 20;

/** The kinds that the search knows. */
export type Titled = NonNullable<Query['type']>;

interface Known {
  /** Undefined if the caller may not view the object, or if it does not exist. */
  readonly title: string | undefined;
  /** The folder that it lies in. Empty at the root. */
  readonly folder: string;
  readonly at: number;
}

const known = new Map<string, Known>();
const version = signal(0);
let asked = new Map<string, Question>();

interface Question {
  readonly type: Titled;
  readonly namespace: string;
  readonly names: Set<string>;
}

const keyOf = (type: Titled, namespace: string, name = ''): string => `${type}/${namespace}/${name}`;

/** The title of an object, as far as it is known. A component that reads it is drawn again when it comes. */
export function knownTitle(type: Titled, namespace: string, name: string): string | undefined {
  version.value;
  return known.get(keyOf(type, namespace, name))?.title;
}

/** Changes when a title comes. */
export const titlesVersion = (): number => version.value;

/**
 * The titles of the folders above a folder, the one at the root first, as far as they are known, and the name of one
 * that has to be asked for.
 */
export function knownAbove(
  namespace: string,
  folder: string,
): { readonly titles: readonly string[]; readonly next: string } {
  version.value;
  const titles: string[] = [];
  let name = known.get(keyOf('folder', namespace, folder))?.folder ?? '';
  while (name !== '' && titles.length < MOST_ABOVE) {
    const one = known.get(keyOf('folder', namespace, name));
    if (one === undefined) return { titles, next: name };
    titles.unshift(one.title ?? '…');
    name = one.folder;
  }
  return { titles, next: '' };
}

/** Asks for the title of an object, together with others that are asked for in the same moment. */
export function askTitle(type: Titled, namespace: string, name: string): void {
  const before = known.get(keyOf(type, namespace, name));
  if (name === '' || (before !== undefined && Date.now() - before.at < KNOWN_FOR)) return;
  if (asked.size === 0) setTimeout(() => void answerAll(), GATHER);
  const question = asked.get(keyOf(type, namespace)) ?? { type, namespace, names: new Set() };
  asked.set(keyOf(type, namespace), question);
  question.names.add(name);
}

async function answerAll(): Promise<void> {
  const questions = asked;
  asked = new Map();
  for (const question of questions.values()) {
    const all = [...question.names];
    for (let at = 0; at < all.length; at += MOST_ASKED)
      // Without an answer, the names stay.
      await answer(question, all.slice(at, at + MOST_ASKED)).catch(() => undefined);
  }
}

async function answer({ type, namespace }: Question, names: readonly string[]): Promise<void> {
  const { hits } = await find(namespace, { type, name: names.join(','), limit: names.length });
  const found = new Map(hits.map((hit) => [hit.name, hit]));
  for (const name of names) {
    const { title, folder = '' } = found.get(name) ?? {};
    known.set(keyOf(type, namespace, name), { title, folder, at: Date.now() });
  }
  version.value++;
}
