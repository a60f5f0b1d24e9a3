import type { Members } from '../../system/object/is-object.js';
import type { Steps } from '../../system/yielding/steps.js';
import { Work } from '../../system/yielding/work.js';
import { isSameJson } from '../json/same.js';
import type { ManagedFieldsEntry } from '../meta/types.js';
import { FieldsError, normalized } from './element.js';
import { type Fields, NO_FIELDS, union } from './fields.js';

/** What identifies the entry of a manager. */
export interface ManagerId {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
}

export interface Managed extends ManagerId {
  readonly time?: string | undefined;
  readonly fields: Fields;
}

/** The managers of an object, by `keyOf`. */
export type Managers = ReadonlyMap<string, Managed>;

/** Equal for entries of the same manager. The API version of an apply does not matter. */
export function keyOf({ manager, operation, apiVersion, subresource = '' }: ManagerId): string {
  return JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]);
}

/** Entries as they are stored. They have been checked when they were written. */
export function managersOf(entries: readonly ManagedFieldsEntry[] = []): Managers {
  return new Map(entries.map(stored).map((managed) => [keyOf(managed), managed]));
}

function stored({
  manager = '',
  operation,
  apiVersion = '',
  time,
  fieldsV1,
  subresource,
}: ManagedFieldsEntry): Managed {
  return {
    manager,
    operation: operation === 'Apply' ? 'Apply' : 'Update',
    apiVersion,
    ...(subresource !== undefined && subresource !== '' && { subresource }),
    ...(time !== undefined && { time }),
    fields: (fieldsV1 ?? NO_FIELDS) as Fields,
  };
}

/**
 * Entries that a client sent, read in steps. `undefined` if one of them cannot be read: as in Kubernetes, those of the
 * stored object are then used.
 */
export function* sentManagers(entries: readonly ManagedFieldsEntry[]): Steps<Managers | undefined> {
  const work = new Work();
  const managers = new Map<string, Managed>();
  try {
    for (const entry of entries) {
      const managed = yield* checked(entry, work);
      managers.set(keyOf(managed), managed);
    }
    return managers;
  } catch (error) {
    if (error instanceof FieldsError) return undefined;
    throw error;
  }
}

function* checked(entry: ManagedFieldsEntry, work: Work): Steps<Managed> {
  const { operation, apiVersion = '', fieldsType, fieldsV1 = {} } = entry;
  if (operation !== 'Apply' && operation !== 'Update') throw new FieldsError('operation must be `Apply` or `Update`');
  if (apiVersion === '') throw new FieldsError('apiVersion must not be empty');
  if (fieldsType !== 'FieldsV1') throw new FieldsError('fieldsType must be FieldsV1');
  return { ...stored(entry), fields: yield* readFields(fieldsV1, 0, work) };
}

const MOST_LEVELS = 100;

function* readFields(value: unknown, level: number, work: Work): Steps<Fields> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || level > MOST_LEVELS) {
    throw new FieldsError('fieldsV1 must be an object of objects');
  }
  const entries: [string, Fields][] = [];
  for (const element of Object.keys(value)) {
    if (work.count()) yield;
    const below: unknown = (value as Members)[element];
    if (element === '.') entries.push([element, NO_FIELDS]);
    else entries.push([normalized(element), yield* readFields(below, level + 1, work)]);
  }
  return Object.fromEntries(entries);
}

/**
 * Whether a client asks to forget all managers: by a list of one empty entry. As in Kubernetes, an empty list changes
 * nothing, because clients that do not know the field send it.
 */
export function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  return entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0;
}

/** The entries of managers in Kubernetes' order. `undefined` if there are none. */
export function entriesOf(managers: Managers): readonly ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].sort(compareManaged).map(entryOf);
}

function compareManaged(a: Managed, b: Managed): number {
  return (
    compareText(a.operation, b.operation) ||
    placeOf(a) - placeOf(b) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource ?? '', b.subresource ?? '')
  );
}

/**
 * Kubernetes loses the time of who scales, so that this entry comes before those with a time. Here it has its time, and
 * the same place.
 */
function placeOf({ subresource, time }: Managed): number {
  return subresource === 'scale' ? 0 : secondsOf(time);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

function entryOf({ manager, operation, apiVersion, subresource, time, fields }: Managed): ManagedFieldsEntry {
  return {
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(manager !== '' && { manager }),
    operation,
    ...(subresource !== undefined && { subresource }),
    ...(time !== undefined && { time }),
  };
}

/** Whether two lists of entries are the same, except for the times. */
export function sameBesideTimes(a: readonly ManagedFieldsEntry[] = [], b: readonly ManagedFieldsEntry[] = []): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  const byKey = new Map(a.map((entry) => [keyOf(stored(entry)), entry]));
  return b.every((entry) => {
    const other = byKey.get(keyOf(stored(entry)));
    return other?.apiVersion === entry.apiVersion && isSameJson(other?.fieldsV1, entry.fieldsV1);
  });
}

const MOST_UPDATERS = 10;
const ANCIENT = 'ancient-changes';

/** Merges the oldest entries of updates into one for each version, if there are more than ten. */
export function capped(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= MOST_UPDATERS) return managers;
  const result = new Map(managers);
  const first = new Map<string, string>();
  updaters.sort(([a, left], [b, right]) => secondsOf(left.time) - secondsOf(right.time) || compareText(a, b));
  let length = updaters.length;
  for (const [key, managed] of updaters) {
    if (length <= MOST_UPDATERS) break;
    const earlier = first.get(managed.apiVersion);
    if (earlier === undefined) {
      first.set(managed.apiVersion, key);
      continue;
    }
    mergeInto(result, earlier, key, managed);
    length--;
  }
  return result;
}

function mergeInto(managers: Map<string, Managed>, earlier: string, key: string, managed: Managed): void {
  const id: ManagerId = { manager: ANCIENT, operation: 'Update', apiVersion: managed.apiVersion };
  const bucket = keyOf(id);
  const before = managers.get(bucket) ?? managers.get(earlier);
  if (!managers.has(bucket)) managers.delete(earlier);
  managers.delete(key);
  managers.set(bucket, { ...id, time: managed.time, fields: union(managed.fields, before?.fields ?? NO_FIELDS) });
}
