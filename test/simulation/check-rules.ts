import type { Marked } from './check-writes.js';
import type { History, Operation } from './history.js';
import { isWaiting, parentOf, type Resource, type SimObject } from './objects.js';
import type { Bounds, Complain, Timeline } from './timeline.js';

type Timelines = ReadonlyMap<Resource, Timeline>;

/** Revisions that must be the end of a commit, because lists of the newest state and initial bookmarks have them. */
export function boundariesOf({ operations, streams }: History): readonly number[] {
  const found = new Set<number>();
  for (const { verb, asked, revision } of operations) {
    if (verb === 'list' && asked?.mode !== 'exact' && revision !== undefined) found.add(revision);
  }
  for (const { initial, from, bookmarks } of streams) {
    if (initial !== undefined && from !== undefined) found.add(from);
    for (const { revision } of bookmarks) found.add(revision);
  }
  return [...found].sort((a, b) => a - b);
}

/**
 * At the end of a commit, the parent of each object exists or the object waits for it, and titles are unique in a
 * folder.
 */
export function checkRules(timelines: Timelines, boundaries: readonly number[], complain: Complain): void {
  const folders = timelines.get('folders') as Timeline;
  const dashboards = timelines.get('dashboards') as Timeline;
  const reports = timelines.get('reports') as Timeline;
  const least = Math.max(folders.base, dashboards.base, reports.base);
  for (const revision of boundaries.filter((one) => one >= least)) {
    const all = { folders: folders.state(revision), dashboards: dashboards.state(revision) };
    const names = new Set(all.folders.map(({ metadata }) => metadata.name));
    for (const object of [...all.folders, ...all.dashboards, ...reports.state(revision)]) {
      const parent = parentOf(object);
      checkParent(object, parent, names, revision, complain);
    }
    checkTitles(all.dashboards, revision, complain);
    checkCycles(all.folders, revision, complain);
    checkBindings(timelines, names, revision, complain);
  }
  checkIds(timelines, complain);
}

function checkParent(
  object: SimObject,
  parent: string | undefined,
  folders: ReadonlySet<string>,
  revision: number,
  complain: Complain,
): void {
  const { name } = object.metadata;
  const isMissing = parent !== undefined && parent !== '' && !folders.has(parent);
  if (isMissing && !isWaiting(object))
    complain('parents exist', `${name} is in ${parent} at ${revision}, which does not exist`);
  if (!isMissing && isWaiting(object)) complain('parents exist', `${name} waits at ${revision}, but ${parent} exists`);
}

function checkTitles(dashboards: readonly SimObject[], revision: number, complain: Complain): void {
  const titles = new Map<string, string>();
  for (const object of dashboards) {
    const place = `${parentOf(object) ?? ''}/${String(object.spec?.['title'])}`;
    const other = titles.get(place);
    if (other !== undefined)
      complain('unique titles', `${object.metadata.name} and ${other} both are ${place} at ${revision}`);
    titles.set(place, object.metadata.name);
  }
}

function checkCycles(folders: readonly SimObject[], revision: number, complain: Complain): void {
  const parents = new Map(folders.map((object) => [object.metadata.name, parentOf(object)]));
  for (const name of parents.keys()) {
    let at = parents.get(name);
    for (let steps = 0; at !== undefined && at !== ''; steps++) {
      if (at === name || steps > parents.size) {
        complain('parents exist', `${name} contains itself at ${revision}`);
        break;
      }
      at = parents.get(at);
    }
  }
}

function checkBindings(timelines: Timelines, folders: ReadonlySet<string>, revision: number, complain: Complain): void {
  const bindings = timelines.get('rolebindings') as Timeline;
  if (revision < bindings.base) return;
  for (const binding of bindings.state(revision)) {
    const { folder } = (binding.spec?.['scope'] ?? {}) as { readonly folder?: string };
    checkParent(binding, folder, folders, revision, complain);
  }
}

/** No two objects of a kind have the same integer id. */
function checkIds(timelines: Timelines, complain: Complain): void {
  for (const { resource, versions } of timelines.values()) {
    const owners = new Map<string, string>();
    for (const { object } of [...versions.values()].flat()) {
      const id = object?.metadata.labels?.['svc.app/deprecatedInternalID'];
      const uid = object?.metadata.uid ?? '';
      if (id === undefined) continue;
      const owner = owners.get(id) ?? uid;
      if (owner !== uid) complain('ids are given once', `${resource}: ${id} is of ${owner} and ${uid}`);
      owners.set(id, uid);
    }
  }
}

/** No client sees a state in the middle of an atomic apply. */
export function checkAtomic(
  write: Operation,
  marked: readonly Marked[],
  boundaries: readonly number[],
  complain: Complain,
): void {
  const revisions = marked.map(({ event }) => event.revision);
  const [first, last] = [Math.min(...revisions), Math.max(...revisions)];
  const inside = boundaries.find((revision) => revision >= first && revision < last);
  if (inside !== undefined)
    complain('atomic apply', `apply ${write.id} is at ${first} to ${last}, and clients saw ${inside}`);
}

export const GRANT = 'robot-box';

/** The robot had the permission at the commit of each of its writes. Refusals need a moment without the permission. */
export function checkPermission(
  write: Operation,
  marked: readonly Marked[],
  timelines: Timelines,
  bounds: Bounds,
  complain: Complain,
): void {
  const bindings = timelines.get('rolebindings') as Timeline;
  const where = `${write.verb} ${write.id} of the robot`;
  for (const { event } of marked) {
    if (bindings.at(GRANT, event.revision - 1) !== undefined) continue;
    complain('permissions hold at the commit', `${where} is at ${event.revision}, where it had no permission`);
  }
  if (write.status !== 403) return;
  const [low, high] = [bounds.acknowledged(write.begin), bounds.possible(write.end)];
  if (bindings.hadState(GRANT, low, high, (object) => object === undefined)) return;
  const { revision } = bindings.versionAt(GRANT, high) ?? {};
  complain(
    'permissions hold at the commit',
    `${where} on server ${write.server} was refused between ${low} and ${high}, although it had the permission from ${revision} on`,
  );
}
