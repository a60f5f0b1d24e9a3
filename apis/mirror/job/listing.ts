import type { Memory } from './memory.js';
import type { Queue } from './queue.js';
import { type Key, keyOf, liesInFolder, partsOf } from './resources.js';
import type { Source } from './source.js';
import type { Target } from './target.js';

/** Compares what is there with what was sent, and puts everything into the queue that may differ. */
export async function listThere(target: Target, memory: Memory, queue: Queue, source: () => Source): Promise<void> {
  const missing = new Set([...memory.keys()].filter((key) => liesInFolder(key)));
  const left = new Set([...memory.left].filter((key) => liesInFolder(key)));
  const theirs = new Set<Key>();
  let hasProbe = false;
  const found = (key: Key, folder: string): void => {
    missing.delete(key);
    left.delete(key);
    const sent = memory.get(key);
    if (!memory.isOwn(key)) theirs.add(key);
    if (sent !== undefined && sent.folder !== folder) memory.set(key, { ...sent, folder, hash: '' });
  };
  for await (const page of target.found())
    for (const { uid, type, folderUid = '' } of page) {
      hasProbe ||= target.isProbe(uid);
      found(keyOf(type === 'dash-folder' ? 'folder' : 'dashboard', uid), folderUid);
    }
  for await (const page of target.elements())
    for (const { uid, folderUid } of page) found(keyOf('element', uid), folderUid);
  if (hasProbe) await target.removeProbes();
  for (const key of await teamsOfOthers(target, memory, source)) theirs.add(key);
  // A list may be incomplete, while the other server makes an index or the credential has less rights.
  memory.doubt(missing);
  memory.leave(theirs);
  for (const key of left) memory.forgetLeft(key);
  for (const key of memory.begun) queue.addLater(key);
  for (const key of source().keys()) queue.addLater(key);
  for (const key of memory.keys()) queue.addLater(key);
}

/** Teams of this mirror that are not there any more are doubted. Returns those here whose names others have there. */
async function teamsOfOthers(target: Target, memory: Memory, source: () => Source): Promise<readonly Key[]> {
  const sent = new Map(
    [...memory.in('')].filter((key) => key.startsWith('team/')).map((key) => [key, memory.get(key)]),
  );
  if (sent.size === 0 && !source().hasTeams) return [];
  const names = await target.subjects.teamNames();
  const ids = new Set(names.values());
  memory.doubt([...sent].flatMap(([key, team]) => (team?.id !== undefined && ids.has(team.id) ? [] : [key])));
  const { teams } = source();
  const named = [...names.keys()].flatMap((title) => teams.named(title) ?? []);
  return named.map((name) => keyOf('team', name)).filter((key) => !memory.isOwn(key));
}

/** What lies at the root there, of the kind folder. */
export function topsOf(memory: Memory): readonly Key[] {
  return memory.in('').filter((key) => partsOf(key).kind === 'folder');
}
