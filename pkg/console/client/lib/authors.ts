import { signal } from '@preact/signals';
import { call } from './api.js';
import { pathOf, type Resource, resources } from './discovery.js';
import { namespace } from './session.js';

/** What people call an author. Without a title, there is no such account any more, or nobody knows. */
interface Names {
  readonly title?: string;
  readonly login?: string;
}

/** An object that names an author, so that the caller may know the author by it. */
export interface Authored {
  readonly resource: Pick<Resource, 'group' | 'resource'>;
  /** The default is the one that is shown, as for objects without one. */
  readonly namespace?: string | undefined;
  readonly name: string;
  /** The number of the version that names the author, of an object with a history. */
  readonly version?: number | undefined;
}

const names = signal<ReadonlyMap<string, Names>>(new Map());

/** The question about an object, as the server takes it. */
interface Question {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly versionsBelow?: number;
}

/** The most objects, and the most of them with versions, in one question. */
const [MOST_OBJECTS, MOST_HISTORIES] = [100, 5];
/** The server reads so many versions below the one that is named. */
const VERSIONS = 50;
/** What was asked already: the author of an object. */
const asked = new Set<string>();
/** By the namespace: what is asked as soon as the page has been drawn. */
const waiting = new Map<string, Map<string, Question>>();

function ask(author: string, { resource: { group, resource }, namespace: where, name, version }: Authored): void {
  const place = where || namespace.peek();
  // One question is about a whole page of versions.
  const below = version === undefined ? undefined : Math.ceil((version + 1) / VERSIONS) * VERSIONS + 1;
  const question = { group, resource, name, ...(below !== undefined && { versionsBelow: below }) };
  const key = JSON.stringify(question);
  if (asked.has(`${author} ${place} ${key}`)) return;
  asked.add(`${author} ${place} ${key}`);
  if (waiting.size === 0) setTimeout(() => void askWaiting());
  const questions = waiting.get(place) ?? new Map<string, Question>();
  waiting.set(place, questions.set(key, question));
}

async function askWaiting(): Promise<void> {
  const all = [...waiting];
  waiting.clear();
  const review = resources.peek().find(({ kind }) => kind === 'AuthorReview');
  if (review === undefined) return;
  for (const [place, questions] of all)
    for (const objects of partsOf([...questions.values()])) {
      // Without an answer, the page shows what it has.
      const found = await authorsIn(pathOf(review, place), objects).catch(() => []);
      names.value = new Map([...names.peek(), ...found]);
    }
}

function partsOf(questions: readonly Question[]): readonly (readonly Question[])[] {
  const isLong = ({ versionsBelow }: Question): boolean => versionsBelow !== undefined;
  const parts = (some: readonly Question[], most: number): readonly (readonly Question[])[] =>
    Array.from({ length: Math.ceil(some.length / most) }, (_, at) => some.slice(at * most, (at + 1) * most));
  return [
    ...parts(
      questions.filter((one) => !isLong(one)),
      MOST_OBJECTS,
    ),
    ...parts(questions.filter(isLong), MOST_HISTORIES),
  ];
}

async function authorsIn(
  path: string,
  objects: readonly Question[],
): Promise<readonly (readonly [author: string, names: Names])[]> {
  type Review = { readonly status: { readonly authors: readonly (Names & { readonly author: string })[] } };
  const { body } = await call<Review>('POST', path, { body: { spec: { objects } } });
  return body.status.authors.map(({ author, ...rest }) => [author, rest]);
}

/** What people call an author, such as `user:<name of the object>`, whom an object names. */
export function authorNames(identity: string | undefined, where: Authored): { title: string; login: string } {
  if (identity === undefined || identity === '') return { title: 'unknown', login: '' };
  const found = names.value.get(identity);
  if (found === undefined) ask(identity, where);
  const plain = identity.replace(/^user:/, '').replace(/^service-account:/, 'service account ');
  return { title: found?.title ?? plain, login: found?.login ?? plain };
}
