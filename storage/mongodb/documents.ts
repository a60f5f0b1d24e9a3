import type { Binary } from 'mongodb';
import type { Bytes, Change, IndexRow, Put, Revision, Stored } from '../backend.js';
import { type Key, partsOf } from '../key.js';
import { rowKey } from '../tuple.js';

/** An object, in the collection of its resource. `body` is the JSON text, byte for byte; the rest repeats it for people and indexes. */
export interface ObjectDocument {
  readonly _id: string;
  readonly revision: Revision;
  readonly metadata: Metadata;
  readonly title?: string;
  /** The `_id`s of its rows. */
  readonly index?: readonly string[];
  readonly body: string;
}

interface Metadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A row of an index: `<index> <row key>`. */
export interface RowDocument {
  readonly _id: string;
  readonly key: string;
}

/** One change of the log, `_id` its revision. */
export interface ChangeDocument {
  readonly _id: Revision;
  /** The last revision of its commit. */
  readonly end: Revision;
  readonly commit: string;
  /** By the database's clock; never goes back along the log. */
  readonly at: Date;
  readonly key: string;
  readonly body?: string;
  /** Instead of a body: the `_id` under which the value is staged. Neither: a deletion. */
  readonly staged?: string;
  /** Without a body: the value is staged. */
  readonly previous?: { readonly revision: Revision; readonly body?: string };
  /** With the last change of the commit. */
  readonly counters?: Readonly<Record<string, number>>;
}

/**
 * A value written ahead of the commit that writes or replaces it. `_id` is `<commit>@<revision>` of a new value, and
 * `<key>@<revision>` of a previous one.
 */
export interface StagedDocument {
  readonly _id: string;
  readonly body: string;
  /** At or after the change that points here: goes when compaction passes it. */
  readonly change: Revision;
}

/** The documents of the collection `log`. */
export interface LogDocument {
  readonly _id: 'log';
  readonly revision: Revision;
  readonly commit: string;
  /** `<server> <commit>`: new with every commit, so that events of the document tell whose it was. */
  readonly writer: string;
  readonly at: Date;
  readonly counters: Readonly<Record<string, number>>;
  /** The resources that have rows. */
  readonly indexed: readonly string[];
  /** Written to get behind a transaction whose end is not known. */
  readonly fence?: number;
}

export interface CompactionDocument {
  readonly _id: 'compaction';
  readonly revision: Revision;
}

export interface DomainDocument {
  readonly _id: 'domain';
  readonly domain: string;
  readonly format: number;
}

/** A server that runs, with the session its transactions belong to. */
export interface ServerDocument {
  readonly _id: string;
  readonly session: Binary;
  readonly heartbeat: Date;
}

/** A field name has no dots where the update language can reach it; a resource has no slash. */
export function counterField(resource: string): string {
  return resource.replaceAll('.', '/');
}

export function countersOf(fields: Readonly<Record<string, number>> = {}): ReadonlyMap<string, number> {
  return new Map(Object.entries(fields).map(([field, value]) => [field.replaceAll('/', '.'), value]));
}

export function textOf(bytes: Bytes): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Memory of its own: a slice of Node's pool would keep 8 KiB alive for each small object. */
export function bytesOf(text: string): Bytes {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

export function rowId(row: IndexRow, key: Key): string {
  return `${row.index} ${rowKey(row.tuple, key)}`;
}

export function objectDocument({ key, revision, rows = [] }: Put, body: string): ObjectDocument {
  const { name, namespace } = partsOf(key);
  const { uid, labels, title } = legible(body);
  return {
    _id: key,
    revision,
    metadata: { name, namespace, ...(uid && { uid }), ...(labels && { labels }) },
    ...(title && { title }),
    ...(rows.length > 0 && { index: rows.map((row) => rowId(row, key)) }),
    body,
  };
}

export function storedOf({ _id, revision, body }: ObjectDocument): Stored {
  return { key: _id as Key, revision, value: bytesOf(body) };
}

/** `staged` holds the values that are not in the documents themselves. */
export function changeOf(document: ChangeDocument, staged: ReadonlyMap<string, string>): Change {
  const { _id, previous } = document;
  const body = document.body ?? (document.staged === undefined ? undefined : staged.get(document.staged));
  const key = document.key as Key;
  const before = previous && (previous.body ?? staged.get(stagedId(key, previous.revision)));
  return {
    key,
    revision: _id,
    ...(body !== undefined && { value: bytesOf(body) }),
    ...(previous && before !== undefined && { previous: { key, revision: previous.revision, value: bytesOf(before) } }),
  };
}

export function stagedId(key: Key, revision: Revision): string {
  return `${key}@${revision}`;
}

interface Legible {
  readonly uid?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly title?: string | undefined;
}

/** What people search for in mongosh. Only a copy: what does not look as it should is left out. */
function legible(body: string): Legible {
  const object = recordOf(parsed(body));
  const metadata = recordOf(object['metadata']);
  return {
    uid: shortText(metadata['uid']),
    labels: labelsOf(recordOf(metadata['labels'])),
    title: shortText(recordOf(object['spec'])['title']),
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 1024 ? value : undefined;
}

const LABEL = /^[\w./-]{1,317}$/;

function labelsOf(labels: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> | undefined {
  const legible = Object.entries(labels).filter(
    (entry): entry is [string, string] => LABEL.test(entry[0]) && entry[0] !== '__proto__' && !!shortText(entry[1]),
  );
  return legible.length > 0 && legible.length <= 64 ? Object.fromEntries(legible) : undefined;
}
