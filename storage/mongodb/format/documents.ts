import type { Binary } from 'mongodb';
import type { Bytes, Change, Commit, Put, Revision, Stored } from '../../backend.js';
import { type Key, partsOf } from '../../key.js';
import { commitOf } from '../../log/segment.js';
import type { Origin } from '../../transfer/snapshot.js';
import type { UNFINISHED } from '../../transfer/unfinished.js';

/*
 * The documents of a database. The log is in the collection `changes`, and not in `log`.
 * collection   _id                                      document
 * -----------  ---------------------------------------  -----------------------------------------------------------
 * changes      the last revision of a commit            CommitDocument: a commit
 * changes      a revision                               ChangeDocument: a change, of earlier versions and copies
 * changes      'log'                                    LogDocument: the end of the log, with its last commit
 * changes      'compaction'                             CompactionDocument: where the log begins
 * changes      'objects'                                StoredDocument: how far the objects have followed the log
 * staged       <commit>/<number>                        PartDocument: a piece of a large commit
 * staged       <commit>@<revision>, <key>@<revision>    StagedDocument: a large value of a ChangeDocument
 * log          'domain'                                 DomainDocument: the API domain, and the format
 * servers      the id of a server                       ServerDocument: its heartbeat
 * <resource>   the key of an object                     ObjectDocument: an object
 */

/**
 * An object in the collection of its resource. `body` is the exact JSON text; the other fields repeat parts of it for
 * people and indexes.
 */
export interface ObjectDocument {
  readonly _id: string;
  readonly revision: Revision;
  readonly metadata: Metadata;
  readonly title?: string;
  readonly body: string;
}

interface Metadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * One commit of the log; `_id` is its last revision. The database takes much less for one document than for one of each
 * change.
 */
export interface CommitDocument {
  readonly _id: Revision;
  /** The revision of its first change. */
  readonly from: Revision;
  readonly commit: string;
  /** The commit that it continues. Earlier versions did not write it. */
  readonly parent?: string;
  /** The time by the database's clock, which may be set back. */
  readonly at: Date;
  /** All changes and counters (storage/log/segment.ts). Absent: they are in parts. */
  readonly segment?: Binary;
  /** How many documents have the changes and counters of a large commit (storage/mongodb/log/parts.ts). */
  readonly parts?: number;
}

/**
 * One change of a commit; `_id` is its revision. Earlier versions wrote large commits so, and so does a copy from
 * another store.
 */
export interface ChangeDocument {
  readonly _id: Revision;
  /** The last revision of its commit. */
  readonly end: Revision;
  readonly commit: string;
  /** The commit that this one continues. Only in the first change of a commit. */
  readonly parent?: string;
  /** The time by the database's clock, which may be set back. */
  readonly at: Date;
  readonly key: string;
  readonly body?: string;
  /** The `_id` of the staged value, instead of a body. A deletion has neither. */
  readonly staged?: string;
  /** If it has no body, the value is staged. */
  readonly previous?: { readonly revision: Revision; readonly body?: string };
  /** Only in the last change of a commit. */
  readonly counters?: Readonly<Record<string, number>>;
}

/**
 * A value beside the changes that write or replace it. `_id` is `<commit>@<revision>` for a new value, and
 * `<key>@<revision>` for a previous one.
 */
export interface StagedDocument {
  readonly _id: string;
  readonly body: string;
  /** The last change that refers to this value. A compaction of that change also removes the value. */
  readonly change: Revision;
}

/** A piece of a large commit, which is written before it. `_id` is `<commit>/<number>`. */
export interface PartDocument {
  readonly _id: string;
  readonly segment: Binary;
  /** Whether the segment ends with it. */
  readonly isEnd: boolean;
  /** The last revision of the commit. A compaction of it also removes the part. */
  readonly change: Revision;
}

/** The end of the log, in the collection of the changes. It has the last commit, too. */
export interface LogDocument {
  readonly _id: 'log';
  readonly revision: Revision;
  /** The last commit that has changes. */
  readonly commit: string;
  /** The revision of the first change of the last commit. Earlier versions did not write it. */
  readonly from?: Revision;
  /** The commit that the last one continues. */
  readonly parent?: string;
  /** `<server> <commit>`. It changes with every commit, so that events of the document tell which server wrote. */
  readonly writer: string;
  readonly at: Date;
  /** That of the last commit, as in its own document. Both come with the event of this document. */
  readonly segment?: Binary;
  readonly parts?: number;
  readonly counters: Readonly<Record<string, number>>;
  /**
   * `<server> <random>`: a server that could not append for some time asks for the next turn (storage/log/turns.ts).
   */
  readonly asked?: string;
}

export interface CompactionDocument {
  readonly _id: 'compaction';
  readonly revision: Revision;
}

/** How far the objects have followed the log, in the collection of the changes. */
export interface StoredDocument {
  readonly _id: 'objects';
  readonly revision: Revision;
}

export interface DomainDocument {
  readonly _id: 'domain';
  readonly domain: string;
  readonly format: number | typeof UNFINISHED;
  /** Where the data was copied from, if it was, and the revision that it ended at. */
  readonly origin?: Origin;
}

/** A running server. */
export interface ServerDocument {
  readonly _id: string;
  readonly heartbeat: Date;
}

/** Replaces dots, which updates cannot address in field names, by slashes, which resource names do not have. */
export function counterField(resource: string): string {
  return resource.replaceAll('.', '/');
}

export function countersOf(fields: Readonly<Record<string, number>> = {}): ReadonlyMap<string, number> {
  return new Map(Object.entries(fields).map(([field, value]) => [field.replaceAll('/', '.'), value]));
}

export function textOf(bytes: Bytes): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** A buffer with its own memory: a slice of Node's pool would keep 8 KiB alive for each small object. */
export function bytesOf(text: string): Bytes {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

export function objectDocument(
  { key, revision, object }: Pick<Put, 'key' | 'revision' | 'object'>,
  body: string,
): ObjectDocument {
  const { name, namespace } = partsOf(key);
  const { uid, labels, title } = searchable(object ?? parsed(body));
  return {
    _id: key,
    revision,
    metadata: { name, namespace, ...(uid && { uid }), ...(labels && { labels }) },
    ...(title && { title }),
    body,
  };
}

export function storedOf({ _id, revision, body }: Pick<ObjectDocument, '_id' | 'revision' | 'body'>): Stored {
  return { key: _id as Key, revision, value: bytesOf(body) };
}

/** `staged` has the values that are not in the document. */
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

export function isWhole(document: ChangeDocument | CommitDocument): document is CommitDocument {
  return 'segment' in document || 'parts' in document;
}

/** The revision of the first change that a document of the log has. */
export function fromOf(document: Pick<CommitDocument, '_id'> & Partial<Pick<CommitDocument, 'from'>>): Revision {
  return document.from ?? document._id;
}

/** A commit of this log, with the one that it continues, if it says so. */
export interface LinkedCommit extends Commit {
  readonly parent?: string | undefined;
}

type WholeCommit = Pick<CommitDocument, '_id'> & Partial<Pick<CommitDocument, 'commit' | 'parent'>>;

/** The changes after `after` of a commit that has one document and these segments. */
export function wholeCommit(
  { _id, commit, parent }: WholeCommit,
  segments: readonly Bytes[],
  after: Revision,
): LinkedCommit {
  return { ...commitOf(_id, segments, after), ...linksOf(commit, parent) };
}

export function linksOf(id: string | undefined, parent: string | undefined): Pick<LinkedCommit, 'id' | 'parent'> {
  return { ...(id !== undefined && { id }), ...(parent !== undefined && { parent }) };
}

/** A commit with a document for each change. */
export function commitOfChanges(
  documents: readonly ChangeDocument[],
  staged: ReadonlyMap<string, string>,
): LinkedCommit {
  const last = documents.at(-1);
  return {
    end: last?.end ?? 0,
    ...linksOf(last?.commit, documents[0]?.parent),
    changes: documents.map((document) => changeOf(document, staged)),
    counters: countersOf(last?.counters),
  };
}

export function stagedId(key: Key, revision: Revision): string {
  return `${key}@${revision}`;
}

interface Searchable {
  readonly uid?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly title?: string | undefined;
}

/** The fields that people search for in mongosh. They are only copies, so unusual values are left out. */
function searchable(value: unknown): Searchable {
  const object = recordOf(value);
  const metadata = recordOf(object['metadata']);
  return {
    uid: shortText(metadata['uid']),
    labels: labelsOf(recordOf(metadata['labels'])),
    title: shortText(recordOf(object['spec'])['title']),
  };
}

/** What `objectDocument` needs of an object. */
export function searchableParts(value: unknown): unknown {
  const { uid, labels, title } = searchable(value);
  return { metadata: { uid, labels }, spec: { title } };
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
