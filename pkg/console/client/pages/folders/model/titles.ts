import { signal } from '@preact/signals';
import { find } from './find.js';

/** Milliseconds for which questions are gathered, and for which a title is not asked for again. */
const [GATHER, KNOWN_FOR] = [30, 30_000];
/** The most folders that one request asks for. */
const MOST_ASKED = 100;

interface Known {
  /** Undefined if the caller may not view the folder, or if it does not exist. */
  readonly title: string | undefined;
  readonly at: number;
}

const known = new Map<string, Known>();
const version = signal(0);
let asked = new Map<string, Set<string>>();

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;

/** The title of a folder, as far as it is known. A component that reads it is drawn again when it comes. */
export function folderTitle(namespace: string, name: string): string | undefined {
  version.value;
  return known.get(keyOf(namespace, name))?.title;
}

/** Asks for the title of a folder, together with others that are asked for in the same moment. */
export function askFolderTitle(namespace: string, name: string): void {
  const before = known.get(keyOf(namespace, name));
  if (name === '' || (before !== undefined && Date.now() - before.at < KNOWN_FOR)) return;
  if (asked.size === 0) setTimeout(() => void answerAll(), GATHER);
  const names = asked.get(namespace) ?? new Set();
  asked.set(namespace, names.add(name));
}

async function answerAll(): Promise<void> {
  const questions = asked;
  asked = new Map();
  for (const [namespace, names] of questions) {
    const all = [...names];
    for (let at = 0; at < all.length; at += MOST_ASKED)
      // Without an answer, the names stay.
      await answer(namespace, all.slice(at, at + MOST_ASKED)).catch(() => undefined);
  }
}

async function answer(namespace: string, names: readonly string[]): Promise<void> {
  const { hits } = await find(namespace, { type: 'folder', name: names.join(','), limit: names.length });
  const titles = new Map(hits.map(({ name, title }) => [name, title]));
  for (const name of names) known.set(keyOf(namespace, name), { title: titles.get(name), at: Date.now() });
  version.value++;
}
