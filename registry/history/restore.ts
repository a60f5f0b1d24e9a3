import { groupOf } from '../../pkg/kube/meta/api-version.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { conflict, invalid } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { Client } from '../client/client.js';
import type { ClientTransaction } from '../client/transaction.js';
import { newAttributes } from '../kinds/authorizer.js';
import { servedObject } from '../kinds/conversion.js';
import type { Kind } from '../kinds/kind.js';
import { pastGroup, RESTORE } from '../kinds/past-subresources.js';
import { namespaceOf } from '../kinds/registry.js';
import { Retries } from '../signals/retry.js';
import { checkPreconditions, type Preconditions } from '../write/prepare.js';
import { asInVersion, inContainer, type NewUids } from '../write/restore.js';
import { originOf } from '../write/retained.js';
import type { WriteResult } from '../write/write.js';
import { type DeletedObject, dependenciesOf, dependsOn, idOf, idOfDeleted, treeOf } from './deleted-tree.js';
import { type DeletionRecord, isDeletedBy, isSame } from './deletion-record.js';
import { ObjectHistory } from './history.js';
import { lostPrivacy } from './privacy.js';
import { RetainedReader } from './versions.js';

const WRITE = { name: RESTORE, verb: 'create' } as const;

export interface RestoreRequest {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  /** The version to bring back. Absent for a deleted object. */
  readonly version?: number | undefined;
  /** Bring the object back to the container that it was in, also if more callers may see it there. */
  readonly formerPlace?: boolean | undefined;
  /** The container into which a deleted object comes in place of its own. Empty: the root. */
  readonly container?: string | undefined;
  readonly preconditions?: Preconditions;
}

/** What was restored. */
export interface Restored {
  readonly object: KubeObject;
  /** The version that came back. */
  readonly version: number;
  /**
   * The objects that were written, containers before their contents. Those that the caller may not view are only
   * counted.
   */
  readonly written: readonly KubeObject[];
  readonly count: number;
  /** What was deleted with the object and does not come back, and why. */
  readonly leftOut: readonly string[];
  /** What the caller should know about the writes: who gains and who loses access. */
  readonly warnings: readonly string[];
}

/**
 * Brings back a version of an object as its next version, or a deleted object with everything that was deleted with it,
 * in one commit. Rejects with 403, 404, 409 with the reason why a deleted object cannot come back, and Invalid.
 */
export async function restore(client: Client, request: RestoreRequest): Promise<Restored> {
  const { registry, options } = client;
  const { kind, name } = request;
  const namespace = namespaceOf(kind, request.namespace);
  const history = new ObjectHistory(registry, options.user, kind, namespace);
  const { record } = history.subject(name, RESTORE, 'create');
  if (record !== undefined) return restoreDeleted(client, { ...request, namespace }, record);
  if (request.version === undefined)
    throw specCause(request, 'version', 'Required value: the object exists, so name the version to bring back');
  if (request.container !== undefined) throw specCause(request, 'folder', 'Forbidden: the object exists, so move it');
  const { object } = history.version(name, request.version);
  return restoreVersion(client, { ...request, namespace }, object);
}

async function restoreVersion(
  client: Client,
  { kind, namespace, name, preconditions = {}, formerPlace = false }: RestoreRequest,
  former: KubeObject,
): Promise<Restored> {
  const change = (old: KubeObject): KubeObject => {
    checkPreconditions(kind, old, preconditions);
    return asInVersion(kind, old, servedObject(kind, former), formerPlace);
  };
  const { object, warnings = [] } = await client.update(kind, namespace, name, change, WRITE);
  return { object, version: former.metadata.generation ?? 1, written: [object], count: 1, leftOut: [], warnings };
}

async function restoreDeleted(client: Client, request: RestoreRequest, record: DeletionRecord): Promise<Restored> {
  const { kind, namespace, name, version, preconditions = {} } = request;
  const { registry } = client;
  const { deletion, generation } = record.spec;
  if (version !== undefined && version !== generation)
    throw specCause(
      request,
      'version',
      `Invalid value: the object is deleted, so only its last version (${generation}) can come back`,
    );
  if (deletion.refused !== undefined) throw cannot(request, `it is not in the trash: ${deletion.refused}`);
  checkPreconditions(kind, record.object, preconditions);
  const deleted = new RetainedReader(registry, kind, namespace).deletedTogether(deletion.id);
  const whole = await treeOf(
    registry,
    deleted.flatMap((object) => withKind(client, object)),
    idOf(kind.qualified, namespace, name),
  );
  const tree = placed(request, whole);
  function* work(transaction: ClientTransaction): Generator<undefined, Restored, undefined> {
    // Everything of a deletion expires at the same time, so one object stands for all.
    if (transaction.stored(record.entry.key) === undefined) throw cannot(request, 'it has expired');
    const isOwn = isDeletedBy(record, transaction.caller.user);
    const { restored, leftOut } = yield* restoreTree(transaction, { ...request, isOwn }, tree);
    const [first] = restored;
    if (first === undefined) throw cannot(request, 'it is not in the trash');
    if (request.formerPlace !== true) requirePrivacy(transaction, request, record, first.object);
    const written: KubeObject[] = [];
    for (const revived of restored) {
      yield;
      if (!revived.isTrusted || isShown(transaction, revived)) written.push(revived.object);
    }
    // Some of them come at the end of the transaction.
    const { warnings } = transaction;
    return { object: first.object, version: generation, written, count: restored.length, leftOut, warnings };
  }
  return client.transactInSteps(work);
}

/** The tree in the container that the caller chose, if they did. */
function placed(request: RestoreRequest, tree: readonly DeletedObject[]): readonly DeletedObject[] {
  const { kind, container } = request;
  if (container === undefined) return tree;
  if (kind.containment?.annotation === undefined)
    throw specCause(request, 'folder', 'Forbidden: objects of this kind lie in no folder');
  return tree.map((one, index) => (index === 0 ? { ...one, object: inContainer(kind, one.object, container) } : one));
}

/**
 * What was private comes back to a place that is private, unless the caller asks for its former place whatever that is
 * now.
 */
function requirePrivacy(
  { registry, reader }: ClientTransaction,
  request: RestoreRequest,
  record: DeletionRecord,
  object: KubeObject,
): void {
  const isMoved = request.container !== undefined;
  const detail = lostPrivacy({ registry, reader, isMoved }, request.kind, record, object);
  if (detail !== undefined) throw cannot(request, `${detail}. Make its place private first, or send formerPlace: true`);
}

/** A request, and whether the caller has made the deletion that it takes back. */
interface Undo extends RestoreRequest {
  readonly isOwn: boolean;
}

/** An object that came back, and whether it did without the permission of the caller. */
interface Revived extends WriteResult {
  readonly kind: Kind;
  readonly isTrusted: boolean;
}

/**
 * Restores the objects in order. An object whose references are gone is left out: it would have been deleted with them.
 */
function* restoreTree(
  transaction: ClientTransaction,
  request: Undo,
  tree: readonly DeletedObject[],
): Generator<undefined, { readonly restored: readonly Revived[]; readonly leftOut: readonly string[] }, undefined> {
  const uids: NewUids = new Map();
  const left = new Map<string, string>();
  const back = new Set<string>();
  const restored: Revived[] = [];
  const retries = new Retries();
  for (const [index, one] of tree.entries()) {
    yield;
    if (index > 0 && isBack(transaction, one, back)) {
      back.add(idOfDeleted(one));
      continue;
    }
    const detail = index === 0 ? undefined : missing(transaction, one, left);
    if (detail === undefined) {
      const isTrusted = request.isOwn && index > 0;
      try {
        restored.push(restoreOne(transaction, one, uids, { ...request, isTrusted }));
      } catch (error) {
        if (!retries.take(error)) throw error;
      }
    } else left.set(idOfDeleted(one), isShown(transaction, one) ? `${nameOf(one)}: ${detail}` : NOT_SHOWN);
  }
  retries.throwAll();
  return { restored, leftOut: [...left.values()] };
}

/** Whether an object came back by itself before, or with one of `back` that it belongs to. */
function isBack({ registry, reader }: ClientTransaction, one: DeletedObject, back: ReadonlySet<string>): boolean {
  const { kind, object } = one;
  const { name, namespace = '' } = object.metadata;
  if (reader.entry(kind.qualified, namespace, name) === undefined) return false;
  if (isSame(kind, reader, namespace, name, originOf(kind, object))) return true;
  return dependsOn(dependenciesOf(registry, one)).some((id) => back.has(id));
}

const NOT_SHOWN = 'an object that you may not view: what it names does not exist';

function missing(
  { registry, reader }: ClientTransaction,
  one: DeletedObject,
  left: ReadonlyMap<string, string>,
): string | undefined {
  const dependencies = dependenciesOf(registry, one);
  if (dependsOn(dependencies).some((id) => left.has(id))) return 'what it belongs to does not come back';
  const missingReference = dependencies.references.find(
    ({ resource, namespace, name, optional }) =>
      optional !== true && reader.entry(resource, namespace, name)?.attributes.isTerminating !== false,
  );
  return (
    missingReference && `there is no ${JSON.stringify(missingReference.name)} in ${missingReference.resource} any more`
  );
}

/**
 * The caller needs the permission to create each object. Who has made the deletion needs it for the first one only:
 * what went because of it, such as the permissions on a folder, comes back as it was, and gives nobody more than they
 * had.
 */
function restoreOne(
  transaction: ClientTransaction,
  one: DeletedObject,
  uids: NewUids,
  { isTrusted, ...request }: RestoreRequest & { readonly isTrusted: boolean },
): Revived {
  const { kind, object } = one;
  const by = isTrusted ? transaction.as({ ...transaction.caller, isTrusted }) : transaction;
  try {
    return { ...by.restore(kind, object.metadata.namespace ?? '', object, uids), kind, isTrusted };
  } catch (error) {
    throw refusal(request, one, error, isShown(transaction, one));
  }
}

/** Whatever the reason is, nothing comes back. A missing permission stays a 403. */
function refusal(request: RestoreRequest, one: DeletedObject, error: unknown, isNamed: boolean): unknown {
  if (!(error instanceof ApiError) || error.code === 401 || error.code >= 500) return error;
  const hint = error.code === 403 ? '. A caller who may create all that was deleted can bring it back' : '';
  const detail = isNamed
    ? `${nameOf(one)} cannot come back: ${error.message}${hint}`
    : `an object that was deleted with it cannot come back, and you may not view it${hint}`;
  const { code, reason, message, details } = cannot(request, detail);
  const causes = isNamed ? error.details?.causes : undefined;
  const more = { details: { ...details, ...(causes && { causes }) }, message };
  return error.code === 403
    ? new ApiError({ code: 403, reason: 'Forbidden', ...more })
    : new ApiError({ code, reason, ...more });
}

/**
 * Whether the caller may view what was deleted. The object, its name and the reason of its refusal may tell who has
 * rights.
 */
function isShown({ registry, caller, reader }: ClientTransaction, { kind, object }: DeletedObject): boolean {
  const { name, namespace = '' } = object.metadata;
  const attributes = { user: caller.user, verb: 'get', kind, namespace, name, object: newAttributes(kind, object) };
  return registry.authorizer.missing(attributes, reader)?.length === 0;
}

function cannot({ kind, name }: RestoreRequest, detail: string): ApiError {
  return conflict(kind, name, `the deletion cannot be taken back: ${detail}`);
}

function specCause({ kind, name }: RestoreRequest, member: string, message: string): ApiError {
  return invalid({ group: pastGroup(kind.domain), kind: 'Restore' }, name, [
    { reason: 'FieldValueInvalid', message, field: `spec.${member}` },
  ]);
}

/** The kind of an object that may have been stored in another version than today's. It may be served in none. */
function withKind({ registry }: Client, object: KubeObject): readonly DeletedObject[] {
  const group = groupOf(object.apiVersion);
  const kind = registry.kinds.find(
    (candidate) => candidate.group === group && candidate.kind === object.kind && candidate.conversion === undefined,
  );
  return kind === undefined ? [] : [{ kind, object }];
}

function nameOf({ kind, object }: DeletedObject): string {
  return `${kind.qualified} ${JSON.stringify(object.metadata.name)}`;
}
