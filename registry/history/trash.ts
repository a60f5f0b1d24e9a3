import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { Yielder } from '../../pkg/system/yielding/yielding.js';
import { keyOf } from '../../storage/key.js';
import { encodeText, textOfObject } from '../../storage/state/codec.js';
import { type Entry, MemoryEntry } from '../../storage/state/entry.js';
import type { Kind } from '../kinds/kind.js';
import { type Registry, resourceDefinition } from '../kinds/registry.js';
import { timestamp, withAnnotations } from '../write/metadata.js';
import { originOf } from '../write/retained.js';
import { type DeletionRecord, deletionRecordOf, formerAttributes } from './deletion-record.js';
import { RetainedReader } from './versions.js';

/** The label that selects the trash instead of the objects, without the domain. No object has it. */
const GET_TRASH = 'get-trash';

export function trashLabel({ domain }: Pick<Kind, 'domain'>): string {
  return `${domain}/${GET_TRASH}`;
}

/** What is in the trash of a kind in a namespace. */
export interface TrashQuery {
  readonly kind: Kind;
  readonly namespace: string;
  readonly user: UserInfo;
  readonly limit: number;
  /** The last row of the page before. Empty for the first page. */
  readonly after: string;
  /** The selectors. What is in the trash has the label for them. */
  matches(entry: Entry): boolean;
}

interface TrashPage {
  /** The deleted objects, the last deleted first. */
  readonly entries: readonly Entry[];
  /** The last row that was read. Absent on the last page. */
  readonly last?: string;
}

/** A page ends after this many rows, objects or bytes. */
const SCAN_LIMIT = 1000;
const LARGEST_PAGE = 200;
const PAGE_BYTES = 4 * 2 ** 20;

/** The deleted objects that the caller may view and that can come back, unless others have taken their names. */
export async function trashPage(registry: Registry, query: TrashQuery): Promise<TrashPage> {
  const { kind, namespace, limit, after } = query;
  const isShown = visibility(registry, query);
  const reader = new RetainedReader(registry, kind, namespace);
  const yielder = new Yielder();
  const entries: Entry[] = [];
  const max = limit === 0 ? LARGEST_PAGE : Math.min(limit, LARGEST_PAGE);
  let [seen, bytes] = [0, 0];
  for (const { entry, rowKey } of reader.rowsBehind(after)) {
    const shown = isShown(deletionRecordOf(kind, entry));
    if (shown !== undefined) entries.push(shown);
    bytes += shown?.size ?? 0;
    if (++seen === SCAN_LIMIT || entries.length === max || bytes > PAGE_BYTES) return { entries, last: rowKey };
    if (yielder.isDue) await yielder.yield();
  }
  return { entries };
}

/** Returns the entry of a deleted object that is shown. */
function visibility(registry: Registry, query: TrashQuery): (record: DeletionRecord) => Entry | undefined {
  const { kind, namespace, user } = query;
  const { reader, clock } = registry;
  const filter = registry.authorizer.readFilter({ user, verb: 'list', kind, namespace }, reader);
  const definition = resourceDefinition(kind);
  return (record) => {
    const { deletion, name, origin } = record.spec;
    if (deletion.expires <= clock.now()) return undefined;
    const living = reader.get(kind.qualified, namespace, name);
    if (living !== undefined && originOf(kind, living) === origin) return undefined;
    const entry = entryOf(registry, kind, record, definition.extract);
    return filter.allows(entry) && query.matches(entry) ? entry : undefined;
  };
}

function entryOf(
  registry: Registry,
  kind: Kind,
  record: DeletionRecord,
  extract: ReturnType<typeof resourceDefinition>['extract'],
): Entry {
  const { object, entry, spec } = record;
  const key = keyOf(kind.qualified, object.metadata.namespace ?? '', spec.name);
  const shown = asDeleted(kind, record);
  const { scopes, container, about, isRestricted } = formerAttributes(registry, kind, record, registry.reader);
  const { text, summary, labels: own, fields, reading } = extract(shown, key);
  const labels = { ...own, [trashLabel(kind)]: 'true' };
  const value = encodeText(textOfObject(shown), entry.revision);
  const attributes = { text, summary, labels, fields, reading, scopes, container, about, isRestricted };
  return new MemoryEntry(key, entry.revision, value, attributes);
}

/**
 * The object as it was deleted, with the time, the author and the id of the deletion, and until when it can come back.
 */
function asDeleted(kind: Kind, { object, spec: { at, deletion } }: DeletionRecord): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  const deletionTimestamp = timestamp(at);
  const { updatedBy, updatedTimestamp, deletionId, operationId, keptUntil } = kind.ownedKeys;
  const deleted = { ...object, metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: 0 } };
  return withAnnotations(deleted, {
    [updatedBy]: deletion.by,
    [updatedTimestamp]: deletionTimestamp,
    [deletionId]: deletion.id,
    ...(deletion.operation !== undefined && { [operationId]: deletion.operation }),
    [keptUntil]: timestamp(deletion.expires),
  });
}
