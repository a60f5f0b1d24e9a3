import { isObject } from '../../system/object/is-object.js';
import { runSteps, type Steps } from '../../system/yielding/steps.js';
import { isSameJson } from '../json/same.js';
import type { ManagedFieldsEntry } from '../meta/types.js';
import { type Application, applySteps } from './apply.js';
import { compare } from './compare.js';
import { type Fields, isEmpty, NO_FIELDS } from './fields.js';
import {
  entriesOf,
  isReset,
  type Managed,
  type ManagerId,
  type Managers,
  managersOf,
  sentManagers,
} from './managers.js';
import { ownable, ownedPart, updated, type Writing } from './update.js';

type Entries = readonly ManagedFieldsEntry[];

/** An object without managedFields, and its managedFields. */
export interface Tracked {
  readonly object: unknown;
  readonly entries: Entries | undefined;
}

/**
 * The managedFields after an object was created or replaced. Entries that the client sent are used, except through a
 * subresource. An object that nobody tracked stays untracked until it is applied.
 */
export function entriesAfterUpdate(live: Tracked | undefined, next: Tracked, writing: Writing): Entries | undefined {
  return runSteps(entriesSteps(live, next, writing));
}

/** The same in steps. */
export function* entriesSteps(live: Tracked | undefined, next: Tracked, writing: Writing): Steps<Entries | undefined> {
  const base = yield* baseOf(live, next.entries, writing);
  if (base.length === 0 && live !== undefined) return undefined;
  const [only] = base;
  const isSole = only === undefined || isSoleManager(base, writing.by);
  if (isSole && hasOnlySpec(next.object, writing))
    return [wholeEntry(next.object, { ...writing, now: yield* timeOf(only, live, next, writing) })];
  const [before, after] = [live?.object ?? {}, next.object].map((object) => ownedPart(object, writing));
  const managers = yield* exactSteps(base, live?.object, writing);
  return entriesOf(yield* updated(before, after, managers, writing));
}

/** As in Kubernetes, a write that only removes fields is no reason for a new time. */
function* timeOf(
  only: ManagedFieldsEntry | undefined,
  live: Tracked | undefined,
  next: Tracked,
  { type, now }: Writing,
): Steps<string> {
  if (live === undefined || only?.time === undefined) return now;
  const { added, modified } = yield* compare(live.object, next.object, type);
  return isEmpty(ownable(added)) && isEmpty(ownable(modified)) ? only.time : now;
}

function* baseOf(tracked: Tracked | undefined, sent: Entries | undefined, writing: Writing): Steps<Entries> {
  const live = tracked?.entries ?? [];
  if (sent === undefined || writing.by.subresource !== undefined || isSameJson(sent, live)) return live;
  if (isReset(sent)) return [];
  const managers = yield* sentManagers(sent);
  if (managers === undefined || managers.size === 0 || isSameWhole(live, sent)) return live;
  const exact = isWhole(live) ? yield* withExactParts(managers, live, tracked?.object, writing) : managers;
  return entriesOf(exact) ?? live;
}

/**
 * Whether the client sent the short entry (`wholeEntry`) back unchanged, except for the form of its time. The sent
 * entry has been checked.
 */
function isSameWhole(live: Entries, sent: Entries): boolean {
  const [own, other] = [live[0], sent[0]];
  if (own === undefined || other === undefined || !isWhole(live) || !isWhole(sent)) return false;
  return isBy(other, { ...own, manager: own.manager ?? '', operation: 'Update', apiVersion: own.apiVersion ?? '' });
}

/**
 * Clients rename the entry of a manager to one of their own, and write it back before they apply. Flux, Argo CD and
 * Helm take over in this way what others applied. If the stored entry is short, the parts that come back without fields
 * stand for all fields of the stored object.
 */
function* withExactParts(sent: Managers, live: Entries, object: unknown, writing: Writing): Steps<Managers> {
  const [whole] = (yield* exactSteps(live, object, writing)).values();
  if (whole === undefined) return sent;
  const expanded = [...sent].map(([key, managed]): [string, Managed] => [
    key,
    { ...managed, fields: withParts(managed.fields, whole.fields) },
  ]);
  return new Map(expanded);
}

function withParts(sent: Fields, whole: Fields): Fields {
  const { 'f:spec': spec, 'f:metadata': metadata } = sent;
  return {
    ...sent,
    ...(spec !== undefined && { 'f:spec': expandedPart(spec, whole['f:spec']) }),
    ...(metadata !== undefined && { 'f:metadata': expandedMetadata(metadata, whole['f:metadata'] ?? NO_FIELDS) }),
  };
}

function expandedMetadata(sent: Fields, whole: Fields): Fields {
  const parts = Object.entries(sent).map(([name, part]): [string, Fields] => [name, expandedPart(part, whole[name])]);
  return Object.fromEntries(parts);
}

/** Go writes the short form of a part back as an empty object. */
function expandedPart(sent: Fields, whole: Fields | undefined): Fields {
  return whole !== undefined && Object.keys(sent).every((name) => name === '.') ? whole : sent;
}

/** Applies a configuration to an object, or to nothing. Throws ConflictError and FieldsError. */
export function applyTo(live: Tracked, config: unknown, application: Application): Tracked {
  return runSteps(applyToSteps(live, config, application));
}

/** The same in steps, because each of them takes milliseconds if the object is large. */
export function* applyToSteps(live: Tracked, config: unknown, application: Application): Steps<Tracked> {
  const managers = yield* exactSteps(live.entries ?? [], live.object, application);
  const applied = yield* applySteps(live.object, config, managers, application);
  return { object: applied.object, entries: entriesOf(applied.managers) };
}

/**
 * The entry of the only manager that has ever written an object. It names the parts of the object instead of their
 * fields, because most objects have one manager, and their managedFields would take a third of the memory.
 */
export function wholeEntry(object: unknown, { by, now }: Writing): ManagedFieldsEntry {
  const { manager, operation, apiVersion, subresource } = by;
  return {
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: partsOf(object),
    manager,
    operation,
    ...(subresource !== undefined && { subresource }),
    time: now,
  };
}

/**
 * Marks an entry that stands for all fields of the object. Clients read it as the field itself. Other entries never
 * have this form.
 */
const ALL: Fields = { '.': NO_FIELDS };

/** Whether only this manager has ever written the object. */
export function isSoleManager(entries: Entries, by: ManagerId): boolean {
  const [only] = entries;
  return only !== undefined && isWhole(entries) && isBy(only, by);
}

/** Whether an object can have a short entry (`wholeEntry`). */
export function hasOnlySpec(object: unknown, { ownsStatus = false }: Pick<Writing, 'ownsStatus'>): boolean {
  if (!isObject(object) || !isObject(object['spec']) || isEmptyObject(object['spec'])) return false;
  for (const member in object) if (!BESIDE_STATUS.has(member) && (member !== 'status' || ownsStatus)) return false;
  return true;
}

const BESIDE_STATUS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec']);

function isEmptyObject(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

const PARTS_OF_METADATA = ['annotations', 'finalizers', 'labels', 'ownerReferences'];
/** By the parts of the metadata that an object has: sixteen at most. */
const wholes = new Map<string, Fields>();

function partsOf(object: unknown): Fields {
  if (!isObject(object)) return NO_FIELDS;
  const { metadata } = object;
  let names = '';
  if (isObject(metadata)) for (const part of PARTS_OF_METADATA) if (metadata[part] !== undefined) names += ` ${part}`;
  const known = wholes.get(names) ?? fieldsOf(names.split(' ').slice(1));
  wholes.set(names, known);
  return known;
}

function fieldsOf(parts: readonly string[]): Fields {
  return {
    ...(parts.length > 0 && { 'f:metadata': Object.fromEntries(parts.map((part) => [`f:${part}`, NO_FIELDS])) }),
    'f:spec': ALL,
  };
}

function isWhole([entry, ...more]: Entries): boolean {
  if (entry === undefined || more.length > 0 || entry.operation !== 'Update') return false;
  const spec = (entry.fieldsV1 as Fields | undefined)?.['f:spec'];
  return spec !== undefined && '.' in spec && Object.keys(spec).length === 1;
}

function isBy(entry: ManagedFieldsEntry, { manager, operation, apiVersion, subresource }: ManagerId): boolean {
  return (
    entry.manager === manager &&
    entry.operation === operation &&
    entry.apiVersion === apiVersion &&
    entry.subresource === subresource
  );
}

/** The entries with every field by itself, in steps. */
export function* exactEntries(
  { object, entries = [] }: Tracked,
  writing: Pick<Writing, 'type' | 'ownsStatus'>,
): Steps<Entries | undefined> {
  return isWhole(entries) ? entriesOf(yield* exactSteps(entries, object, writing)) : entries;
}

/** The managers with every field by itself. */
export function exactManagers(
  entries: Entries,
  object: unknown,
  writing: Pick<Writing, 'type' | 'ownsStatus'>,
): Managers {
  return runSteps(exactSteps(entries, object, writing));
}

/** The same in steps. */
function* exactSteps(
  entries: Entries,
  object: unknown,
  { type, ownsStatus }: Pick<Writing, 'type' | 'ownsStatus'>,
): Steps<Managers> {
  const managers = managersOf(entries);
  if (!isWhole(entries)) return managers;
  const [[, only] = []] = managers;
  if (only === undefined) return managers;
  return yield* updated(
    {},
    ownedPart(object, { by: only, ...(ownsStatus !== undefined && { ownsStatus }) }),
    new Map(),
    {
      by: only,
      type,
      now: only.time ?? '',
    },
  );
}
