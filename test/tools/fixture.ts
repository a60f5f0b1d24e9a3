import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Place } from '../../cmd/adminctl/store/place.js';
import { openSnapshot } from '../../cmd/adminctl/store/stores.js';
import type { Terminal } from '../../cmd/adminctl/terminal.js';
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
import { loadConfig } from '../../pkg/config/load.js';
import type { Settings } from '../../pkg/config/schema.js';
import type { Backend, Put, Stored } from '../../storage/backend.js';
import { keyOf } from '../../storage/key.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { STORES } from '../harness/stores.js';

export const DOMAIN = 'svc.app';

/** Places for stores, each new and empty. They are removed after the suite. */
export interface Places {
  folder(): string;
  embedded(): Place;
  /** A place for the store that the suite runs on. */
  fresh(store: string): Place;
}

/** The stores that exist outside of this process. */
export const LASTING = STORES.filter((store) => store !== 'memory');

export function places(): Places {
  let root = '';
  let uri = '';
  let count = 0;
  before(async function prepare() {
    this.timeout(120_000);
    root = await mkdtemp(join(tmpdir(), 'adminctl-'));
    if (LASTING.includes('mongodb')) uri = await sharedMongodb(this);
  });
  after(() => rm(root, { recursive: true }));
  const folder = (): string => join(root, String(count++));
  const embedded = (): Place => ({ data: folder() });
  return {
    folder,
    embedded,
    fresh: (store) => (store === 'mongodb' ? { uri, database: freshDatabase() } : embedded()),
  };
}

export async function openAt(place: Place): Promise<Backend> {
  if ('data' in place) return openLmdb({ path: join(place.data, 'store'), domain: DOMAIN });
  const { openMongodb } = await import('../../storage/mongodb/open.js');
  return openMongodb({ ...place, domain: DOMAIN });
}

export async function using<T>(place: Place, work: (backend: Backend) => Promise<T>): Promise<T> {
  const backend = await openAt(place);
  try {
    return await work(backend);
  } finally {
    await backend.close();
  }
}

/** The settings of a server on this place. */
export function settingsOf(place: Place): Settings {
  const argv =
    'data' in place
      ? [`--paths.data=${place.data}`]
      : [
          '--storage.backend=mongodb',
          `--storage.mongodb_uri=${place.uri}`,
          `--storage.mongodb_database=${place.database}`,
        ];
  return loadConfig({ argv, env: {}, readFile: () => '' }).settings;
}

/** The message of the error that the work ends with. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof Error) return error.message;
  throw new Error('it did not fail');
}

/** No terminal, so no progress is shown. */
export function quiet(): Terminal {
  const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
  return { out: nowhere(), err: nowhere(), env: {} };
}

const [NOTES, THINGS] = ['notes.tests.svc.app', 'things.tests.svc.app'] as const;

/**
 * Appends a commit with some objects. Notes have index rows, and things have none. Names and values have special
 * characters.
 */
export async function write(backend: Backend, round: number, count: number = 3): Promise<void> {
  const after = await backend.end();
  const changes: Put[] = [];
  for (let i = 0; i < count; i++) {
    const [name, revision] = [`ö ${round}\u{1F600}${i}`, after + changes.length + 1];
    changes.push({ key: keyOf(THINGS, 'a-b', name), revision, value: textOf(revision, '"\n\u2028') });
    changes.push({
      key: keyOf(NOTES, 'a', name),
      revision: revision + 1,
      value: textOf(revision + 1, name),
    });
  }
  const counters = new Map([[NOTES, round + 1]]);
  await backend.append(after, { commitId: `${round}-${Math.random()}`, changes, counters });
}

function textOf(revision: number, text: string): Uint8Array {
  return Buffer.from(JSON.stringify({ metadata: { resourceVersion: String(revision), uid: `uid-${revision}` }, text }));
}

/** Deletes a note, and writes another one again. */
export async function change(backend: Backend): Promise<void> {
  const notes: Stored[] = [];
  for await (const chunk of backend.load(NOTES)) notes.push(...chunk);
  const [gone, kept] = notes;
  if (gone === undefined || kept === undefined) throw new Error('there are no notes');
  const after = await backend.end();
  const changes: Put[] = [
    { key: gone.key, revision: after + 1, previous: gone },
    { key: kept.key, revision: after + 2, previous: kept, value: textOf(after + 2, 'again') },
  ];
  await backend.append(after, { commitId: `change-${Math.random()}`, changes, counters: new Map() });
}

/** All commits in the log, as text. */
export async function logOf(backend: Backend, after: number): Promise<readonly string[]> {
  const [lines, end, stop] = [[] as string[], await backend.end(), new AbortController()];
  if (end === after) return lines;
  for await (const { changes, counters, end: position } of backend.tail(after, stop.signal)) {
    for (const { key, revision, value, previous } of changes) {
      const texts = [value, previous?.value].map((bytes) => (bytes === undefined ? '' : Buffer.from(bytes).toString()));
      lines.push(`${revision} ${key} ${previous?.revision} ${texts.join(' ')}`);
    }
    lines.push(`${position} ${JSON.stringify([...counters])}`);
    if (position === end) break;
  }
  return lines;
}

/** Everything that a store holds, as text that can be compared. */
export async function contentsOf(place: Place): Promise<readonly string[]> {
  const lines: string[] = [];
  const snapshot = await openSnapshot(place);
  try {
    const { domain, end, counters } = snapshot.head;
    lines.push(`${domain} ${end} ${JSON.stringify([...counters])}`);
    for await (const chunk of snapshot.objects()) {
      for (const { key, revision, value } of chunk) lines.push(`${key} ${revision} ${Buffer.from(value).toString()}`);
    }
  } finally {
    await snapshot.close();
  }
  return lines;
}
