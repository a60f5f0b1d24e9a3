import { accessIn, isSame, NOBODY } from './access.js';
import { hashThere } from './element-step.js';
import { hashOf, type Memory, type Sent } from './memory.js';
import { type Key, partsOf } from './resources.js';
import type { Target } from './target.js';

/** An object there that is not as it was sent. */
export interface Drift {
  readonly key: Key;
  /** What differs, for people. */
  readonly what: string;
  /** What is known of it now. Absent: it is gone there. */
  readonly found: Sent | undefined;
}

/** So many objects are read at a time. The client bounds the requests. */
const AT_ONCE = 16;

/** Reads everything that was sent, and tells what is not as it was: by one or two requests for each object. */
export async function* drifts(target: Target, memory: Memory): AsyncGenerator<Drift, void> {
  const keys = [...memory.keys()];
  for (let first = 0; first < keys.length; first += AT_ONCE) {
    const found = keys.slice(first, first + AT_ONCE).map(async (key) => {
      const sent = memory.get(key);
      const drift = sent && (await driftOf(target, key, sent, memory));
      // What was sent meanwhile is newer than what was read.
      return memory.get(key) === sent ? drift : undefined;
    });
    for (const drift of await Promise.all(found)) if (drift !== undefined) yield drift;
  }
}

async function driftOf(target: Target, key: Key, sent: Sent, memory: Memory): Promise<Drift | undefined> {
  const { kind, name } = partsOf(key);
  const place = kind === 'folder' ? 'folders' : 'dashboards';
  const found = await FOUND[kind](target, name, sent);
  if (found === undefined) return { key, what: 'it is gone', found: undefined };
  const isListed = kind !== 'element' && (sent.access !== undefined || sent.folder !== '');
  const { own } = isListed ? await target.permissions(place, name) : { own: NOBODY };
  const wanted = sent.access === undefined ? NOBODY : accessIn(sent.access);
  if (isListed && !isSame(own, wanted)) {
    const access = JSON.stringify([...own]);
    return { key, what: 'its permissions', found: { ...found, access } };
  }
  if (found.folder !== sent.folder) return { key, what: 'its folder', found };
  if (found.hash !== sent.hash) return { key, what: kind === 'folder' ? 'its title' : 'its content', found };
  // Only the version differs: somebody has changed it, and changed it back.
  if (found.version !== sent.version && memory.get(key) === sent) memory.set(key, found);
  return undefined;
}

async function folderFound(target: Target, name: string, sent: Sent): Promise<Sent | undefined> {
  const there = await target.folder(name);
  if (there === undefined) return undefined;
  return { ...sent, folder: there.parentUid ?? '', hash: hashOf(there.title), version: there.version };
}

async function elementFound(target: Target, name: string, sent: Sent): Promise<Sent | undefined> {
  const there = await target.element(name);
  if (there === undefined) return undefined;
  const { version, folderUid: folder } = there;
  const hash = version === sent.version && folder === sent.folder ? sent.hash : hashThere(there);
  return { ...sent, folder, hash, version };
}

async function dashboardFound(target: Target, name: string, sent: Sent): Promise<Sent | undefined> {
  const there = await target.dashboard(name);
  if (there === undefined) return undefined;
  const { id: _, uid: __, version: ___, ...content } = there.dashboard;
  const folder = there.meta.folderUid ?? '';
  const { version } = there.meta;
  // The other server may have stored it in another form. It is the same as long as nobody has saved it since.
  const hash = version === sent.version && folder === sent.folder ? sent.hash : hashOf([folder, content]);
  return { ...sent, folder, hash, version };
}

const FOUND = { folder: folderFound, element: elementFound, dashboard: dashboardFound } as const;
