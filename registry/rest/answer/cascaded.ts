import type { ApiRequest } from '../../../pkg/http/handler.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import type { Bytes } from '../../../storage/backend.js';
import { type Event, objectOf as lastStateOf } from '../../../storage/cacher/event.js';
import { isStorageError } from '../../../storage/errors.js';
import { type Key, partsOf } from '../../../storage/key.js';
import { entryAttributes } from '../../kinds/authorizer.js';
import type { Kind } from '../../kinds/kind.js';
import { objectKey, type Registry } from '../../kinds/registry.js';
import { pastReader } from '../../read/past-reader.js';
import { type Entry, objectOf, type Reader } from '../../read/reader.js';
import { checkPreconditions, type Preconditions } from '../../write/prepare.js';
import type { VerbTarget } from '../verb.js';

/** Milliseconds after a deletion for which a client may not know yet which objects were deleted with it. */
const RECENT = 60_000;
/** The most events that are searched. */
const MOST_EVENTS = 10_000;

/**
 * The last state of an object that was deleted with its container within the last minute. `kubectl delete -f tree.yaml`
 * and pruning name the objects of a tree one after another, and expect each deletion to succeed. `undefined` unless the
 * caller could have deleted the object at that time.
 */
export async function deletedWithContainer(
  { user }: ApiRequest,
  { registry, kind, info }: VerbTarget,
  preconditions: Preconditions,
): Promise<Bytes | undefined> {
  if (kind.containment === undefined) return undefined;
  const { namespace, name } = info;
  const event = await recentDeletion(registry, kind.qualified, objectKey(kind, namespace, name));
  if (event?.previous === undefined || !isWithoutContainer(registry, kind, event.previous)) return undefined;
  try {
    if (!(await wentTogether(registry, kind, event, event.previous))) return undefined;
    const object = entryAttributes(event.previous);
    registry.authorizer.authorize(
      { user, verb: 'delete', kind, namespace, name, object },
      readerBefore(registry, event),
    );
    checkPreconditions(kind, objectOf(event.previous), preconditions);
  } catch (error) {
    if (error instanceof ApiError || isStorageError(error, 'compacted')) return undefined;
    throw error;
  }
  return lastStateOf({ type: 'DELETED', event });
}

function isWithoutContainer({ reader }: Registry, kind: Kind, entry: Entry): boolean {
  return entry.attributes.container !== undefined && containerOf(kind, entry, reader) === undefined;
}

function containerOf({ containment }: Kind, { key, attributes: { container = '' } }: Entry, reader: Reader) {
  return containment && reader.entry(containment.resource, partsOf(key).namespace, container);
}

/**
 * Whether the container went in the commit that removed the object, and not later by another request. Throws
 * `compacted`.
 */
async function wentTogether(registry: Registry, kind: Kind, event: Event, entry: Entry): Promise<boolean> {
  if (containerOf(kind, entry, readerBefore(registry, event)) === undefined) return false;
  for await (const { end } of registry.cacher.past.commits(kind.qualified, event.revision - 1))
    return containerOf(kind, entry, pastReader(registry.cacher, end)) === undefined;
  return false;
}

/** The grants of the caller may have been deleted in the same commit, after the object. */
function readerBefore({ cacher }: Registry, { revision }: Event): Reader {
  return pastReader(cacher, revision - 1);
}

/** The event that removed an object, if it is the newest one of the object and not older than a minute. */
async function recentDeletion({ cacher }: Registry, resource: string, key: Key): Promise<Event | undefined> {
  const ring = cacher.ring(resource);
  const first = Math.max(ring.end - MOST_EVENTS, ring.position(ring.floor));
  for (let position = ring.end - 1; position >= first; position--) {
    const event = ring.at(position);
    if (event?.key !== key) continue;
    const isRecent = event.current === undefined && event.revision > (await cacher.revisionBefore(RECENT));
    return isRecent ? event : undefined;
  }
  return undefined;
}
