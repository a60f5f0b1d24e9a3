import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from './api.js';
import { objectPath, pathOf, type Resource } from './discovery.js';

/** Milliseconds for which questions are gathered, and for which a title is not asked for again. */
const [GATHER, KNOWN_FOR] = [30, 30_000];
/** Rows of the list of a kind, objects that are asked for one by one if it has more, and requests at a time. */
const [LISTED, MOST_ALONE, AT_ONCE] = [500, 50, 4];
/** Accepts the table of a kind. */
export const AS_TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

interface Table {
  readonly metadata?: { readonly continue?: string };
  readonly columnDefinitions: readonly { readonly name: string; readonly type: string; readonly format: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

interface Question {
  readonly resource: Resource;
  readonly namespace: string;
  readonly names: Set<string>;
}

interface Known {
  readonly title: string | undefined;
  readonly at: number;
}

/** The columns with the names by which people know the objects. */
const TITLES = ['Title', 'Element', 'Login'];

/** Whether a column of a table has the titles by which people know the objects. */
export function isTitle({ name, type }: { readonly name: string; readonly type: string }): boolean {
  return type === 'string' && TITLES.includes(name);
}

const known = new Map<string, Known>();
const version = signal(0);
let asked = new Map<string, Question>();

const keyOf = ({ group, resource }: Resource, namespace: string, name = ''): string =>
  `${resource}.${group}/${namespace}/${name}`;

/** The title of an object of any kind, if it is known. A component that reads it is drawn again when it comes. */
export function knownTitleOf(resource: Resource, namespace: string, name: string): string | undefined {
  version.value;
  return known.get(keyOf(resource, namespace, name))?.title;
}

/** Changes when a title comes. */
export const titlesVersion = (): number => version.value;

/** Asks for the title of an object, together with others of its kind. */
export function askTitleOf(resource: Resource, namespace: string, name: string): void {
  const before = known.get(keyOf(resource, namespace, name));
  if (before !== undefined && Date.now() - before.at < KNOWN_FOR) return;
  if (asked.size === 0) setTimeout(() => void answerAll(), GATHER);
  const question = asked.get(keyOf(resource, namespace)) ?? { resource, namespace, names: new Set() };
  asked.set(keyOf(resource, namespace), question);
  question.names.add(name);
}

/** Knows the titles of the objects of a kind with these names. Returns the name of what has none, or none yet. */
export function useTitles(
  resource: Resource | undefined,
  namespace: string,
  names: readonly string[],
): (name: string) => string {
  useEffect(() => {
    if (resource !== undefined) for (const name of names) if (name !== '') askTitleOf(resource, namespace, name);
  }, [resource, namespace, names.join()]);
  return (name) => (resource && knownTitleOf(resource, namespace, name)) ?? name;
}

async function answerAll(): Promise<void> {
  const questions = [...asked.values()];
  asked = new Map();
  // Without an answer, the names stay.
  for (const question of questions) await answer(question).catch(() => undefined);
}

async function answer({ resource, namespace, names }: Question): Promise<void> {
  const table = await tableOf(pathOf(resource, namespace), { limit: LISTED });
  const titles = titlesIn(table);
  const left = [...names].filter((name) => !titles.has(name));
  const isWhole = table.metadata?.continue === undefined || !table.columnDefinitions.some(isTitle);
  if (!isWhole) for (const [name, title] of await titlesOf(resource, namespace, left)) titles.set(name, title);
  for (const name of names) known.set(keyOf(resource, namespace, name), { title: titles.get(name), at: Date.now() });
  version.value++;
}

/** The titles of objects that are behind the first rows of a long list. */
async function titlesOf(
  resource: Resource,
  namespace: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const left = names.slice(0, MOST_ALONE);
  const titles = new Map<string, string>();
  const work = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const table = await tableOf(objectPath(resource, namespace, name)).catch(() => undefined);
      for (const [one, title] of table === undefined ? [] : titlesIn(table)) titles.set(one, title);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return titles;
}

async function tableOf(path: string, query: Readonly<Record<string, number>> = {}): Promise<Table> {
  return (await call<Table>('GET', path, { accept: AS_TABLE, query: { ...query, includeObject: 'None' } })).body;
}

function titlesIn({ columnDefinitions, rows }: Table): Map<string, string> {
  const [name, title] = [
    columnDefinitions.findIndex(({ format }) => format === 'name'),
    columnDefinitions.findIndex(isTitle),
  ];
  const pairs = rows.map(({ cells }) => [String(cells[name]), cells[title]] as const);
  return new Map(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== ''));
}
