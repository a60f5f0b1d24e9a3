import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { Yielder } from '../../pkg/system/yielding/yielding.js';
import type { KindName } from '../../registry/kinds/compiled.js';
import { CONTAINER_INDEX, containerTuple } from '../../registry/kinds/registry.js';
import type { LegacyCall } from '../../registry/legacy/call.js';
import { nameOf } from '../../registry/read/reader.js';
import { loginOf, partsOf, userNamed } from '../iam/legacy/people.js';
import type { SearchMatch } from './search-items.js';

/** The most hits of an answer with details, because each object is parsed for them. */
export const MOST_DETAILED = 100;
/** The most objects of a kind in a folder that are looked at for a caller who may not view all of them. */
const MOST_LOOKED_AT = 1000;

/** What the answer calls the kinds in a folder. */
const CONTAINED: readonly (readonly [KindName, string])[] = [
  ['folder/Folder', 'folders'],
  ['dashboard/Dashboard', 'dashboards'],
  ['dashboard/LibraryElement', 'libraryelements'],
  ['rules.alerting/AlertRule', 'alertrules'],
];

type Details = Readonly<Record<string, unknown>>;

/** What lists show of each match beside its title: who changed it and when, and how much lies in a folder. */
export async function detailsOf(call: LegacyCall, matches: readonly SearchMatch[]): Promise<readonly Details[]> {
  const yielder = new Yielder();
  const details: Details[] = [];
  for (const { kind, entry } of matches) {
    if (yielder.isDue) await yielder.yield();
    const object = call.objects(kind).find(nameOf(entry));
    const contents = kind === 'folder/Folder' ? { contents: contentsOf(call, nameOf(entry)) } : {};
    details.push(object === undefined ? {} : { ...changeOf(call, kind, object), ...contents });
  }
  return details;
}

function changeOf(call: LegacyCall, kind: SearchMatch['kind'], { metadata }: KubeObject): Details {
  const { annotations = {}, creationTimestamp } = metadata;
  const { updatedBy, updatedTimestamp } = call.kind(kind).ownedKeys;
  const author = annotations[updatedBy];
  return {
    updated: annotations[updatedTimestamp] ?? creationTimestamp,
    ...(author !== undefined && { updatedBy: { login: loginOf(call, author), name: shownName(call, author) } }),
  };
}

function shownName(call: LegacyCall, identity: string): string {
  const [sort, name] = partsOf(identity);
  const user = sort === 'user' && call.hasKind('iam/User') ? userNamed(call, name) : undefined;
  return user?.spec.name || loginOf(call, identity);
}

/** How many objects of each kind lie directly in a folder, as far as the caller may view them. */
function contentsOf(call: LegacyCall, folder: string): Readonly<Record<string, number>> {
  const counts = CONTAINED.filter(([kind]) => call.hasKind(kind)).map(
    ([kind, name]) => [name, countIn(call, kind, folder)] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function countIn(call: LegacyCall, kind: KindName, folder: string): number {
  const objects = call.objects(kind);
  const filter = objects.readFilter();
  if (filter.all) return objects.countOf(CONTAINER_INDEX, containerTuple(objects.namespace, folder));
  if (filter.excludes(folder)) return 0;
  let [count, seen] = [0, 0];
  for (const entry of objects.entriesIn(folder)) {
    if (filter.allows(entry)) count++;
    if (++seen === MOST_LOOKED_AT) break;
  }
  return count;
}
