import { generateNameProblems, nameProblems } from '../../pkg/kube/meta/names.js';
import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import { alreadyExists } from '../../pkg/kube/status/errors.js';
import { ApiError, type StatusCause } from '../../pkg/kube/status/status.js';
import { runSteps } from '../../pkg/system/yielding/steps.js';
import { keyOf } from '../../storage/key.js';
import { textSteps, withoutRevision } from '../../storage/state/codec.js';
import type { Kind } from '../kinds/kind.js';
import { requireActiveNamespace } from '../kinds/namespaces.js';
import { requireKind } from '../kinds/registry.js';
import type { AlsoCreate } from '../kinds/strategy.js';
import { parsedSteps } from '../read/reader.js';
import { writeAlso } from './also.js';
import { noteConsequences } from './consequences.js';
import { toStored, withHiddenDefaults } from './forms.js';
import { authorizeHolds } from './holds.js';
import { type Entries, withEntries } from './manageable.js';
import { withFirstManager } from './managed.js';
import { keptId, sequenceOf, withOrigin } from './origin.js';
import { createPreparation, withInternalId } from './prepare.js';
import { withReadiness } from './readiness.js';
import { resolveWaiting } from './resolve-waiting.js';
import { withStatusOf } from './status.js';
import type { Transaction } from './transaction.js';
import {
  authorizeCreate,
  authorizePrepared,
  targetOf,
  type WriteResult,
  type WriteTarget,
  withVersion,
  writeContext,
} from './write.js';

/**
 * Creates an object, which has the form of the write, without status. Throws 403, 409 AlreadyExists, Invalid, and the
 * errors of the strategy. `applied` are the managers of an object that is created by an apply.
 */
export function createObject(
  transaction: Transaction,
  target: WriteTarget,
  decoded: KubeObject,
  applied?: Entries,
): WriteResult {
  return runSteps(createSteps(transaction, target, decoded, applied));
}

/** The same in steps, because each of them takes milliseconds if the object is large. */
export function createSteps(
  transaction: Transaction,
  target: WriteTarget,
  decoded: KubeObject,
  applied?: Entries,
): Generator<undefined, WriteResult, undefined> {
  return transaction.noteRefusal(target, decoded.metadata.name, create(transaction, target, decoded, applied));
}

function* create(
  transaction: Transaction,
  target: WriteTarget,
  decoded: KubeObject,
  applied?: Entries,
): Generator<undefined, WriteResult, undefined> {
  const { kind, form, namespace } = target;
  const { state, reader, isDryRun } = transaction;
  checkNameOrBase(kind, decoded);
  requireActiveNamespace(transaction.registry, kind, decoded.metadata.name, namespace, reader);
  const { name, id } = nameAndId(transaction, target, decoded);
  const sent = withStatusOf(form, withHiddenDefaults(target, decoded, name), undefined);
  const named = { ...sent, metadata: { ...sent.metadata, name } };
  authorizeCreate(transaction, target, named);
  const existing = reader.entry(kind.qualified, namespace, name);
  if (existing !== undefined) throw alreadyExists(kind, name, isTerminating(yield* parsedSteps(existing)));
  const context = writeContext(transaction, target);
  const prepared = yield* createPreparation(form, sent, { name, uid: transaction.entropy.uid() }, context);
  authorizePrepared(transaction, target, named, prepared);
  authorizeHolds(transaction, target, prepared);
  const original = withOrigin(target, prepared, decoded, undefined, transaction.now);
  const whole = id === undefined ? original : withInternalId(kind, original, id);
  const managed =
    applied === undefined
      ? yield* withFirstManager(transaction, target, whole, decoded.metadata.managedFields)
      : withEntries(whole, applied);
  const next = withReadiness(form, managed, reader, transaction.now);
  const object = yield* toStored(target, next);
  yield;
  yield* noteConsequences(transaction, target, next, undefined, context);
  const entry = state.put(keyOf(kind.qualified, namespace, name), object, yield* textSteps(object));
  yield;
  const alsoCreate = form.strategy?.alsoCreate?.(next, sent, context) ?? [];
  for (const extra of alsoCreate) createAlso(transaction, target, extra);
  for (const extra of form.strategy?.alsoWrite?.(next, sent, undefined, context) ?? [])
    writeAlso(transaction, target, extra);
  yield* resolveWaiting(transaction, target, name);
  const value = isDryRun ? withoutRevision(entry.value) : entry.value;
  const written = withVersion(object, isDryRun ? undefined : entry.revision);
  return {
    value,
    object: written,
    isGone: false,
    ...(transaction.warnings.length > 0 && { warnings: transaction.warnings }),
  };
}

/**
 * Creates an object that a strategy adds to another one. The rules of its own kind apply. It is written with the
 * server's permissions.
 */
function createAlso(
  transaction: Transaction,
  { namespace, caller }: WriteTarget,
  { resource, name, spec }: AlsoCreate,
): void {
  const kind = requireKind(transaction.registry, resource);
  const metadata = { name, ...(kind.scope === 'Namespaced' && { namespace }) };
  const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec };
  createObject(transaction, targetOf(kind, namespace, { ...caller, isTrusted: true }), object);
}

/** Throws Invalid for a name that the kind does not allow, and 400 if there is neither a name nor a generateName. */
function checkNameOrBase(kind: Kind, { metadata }: KubeObject): void {
  const { name, generateName = '' } = metadata;
  if (name === '' && generateName === '') {
    if (kind.nameOf === undefined) throw kind.conventions.nameRequired(kind);
    return;
  }
  const wrongBase = generateName === '' ? [] : generateNameProblems(generateName, kind.names);
  const causes = causesOf('generateName', generateName, wrongBase);
  if (name !== '') causes.push(...causesOf('name', name, nameProblems(name, kind.names)));
  if (causes.length > 0) throw kind.conventions.invalid(kind, name.slice(0, 300), causes);
}

function causesOf(field: 'name' | 'generateName', text: string, problems: readonly string[]): StatusCause[] {
  return problems.map((problem) => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(text.slice(0, 100))}: ${problem}`,
    field: `metadata.${field}`,
  }));
}

interface NameAndId {
  readonly name: string;
  readonly id?: number;
}

/** A dry run consumes no id. It gets an id only if the kind derives names from ids. */
function nameAndId(transaction: Transaction, target: WriteTarget, { metadata }: KubeObject): NameAndId {
  const { kind } = target;
  const sequence = sequenceOf(kind);
  if (metadata.name === '' && (metadata.generateName ?? '') === '') return nameOfId(transaction, target, sequence);
  const name = metadata.name === '' ? freeName(transaction, target, metadata.generateName ?? '') : metadata.name;
  const kept = keptId(transaction, target, metadata);
  if (transaction.isDryRun || kind.internalId !== true) return { name };
  return { name, id: kept ?? transaction.state.nextId(sequence) };
}

function nameOfId({ state, reader }: Transaction, { kind, namespace }: WriteTarget, sequence: string): NameAndId {
  for (;;) {
    const id = state.nextId(sequence);
    const name = kind.nameOf?.(id) ?? '';
    // A client may have created an object with this name before.
    if (reader.entry(kind.qualified, namespace, name) === undefined) return { name, id };
  }
}

function freeName({ reader, entropy }: Transaction, { kind, namespace }: WriteTarget, base: string): string {
  const names = entropy.names(base, longestName(kind));
  const [first = base] = names;
  // The beginning may be valid where the name is not: a dash must not follow a dot.
  const causes = causesOf('generateName', base, nameProblems(first, kind.names));
  if (causes.length > 0) throw kind.conventions.invalid(kind, '', causes);
  const free = names.find((name) => reader.entry(kind.qualified, namespace, name) === undefined);
  if (free === undefined) throw notUnique(alreadyExists(kind, names.at(-1) ?? base));
  return free;
}

/** The longest name that the server generates. */
export function longestName({ names }: Kind): number {
  return names?.maxLength ?? 63;
}

function notUnique(cause: ApiError): ApiError {
  return new ApiError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${cause.message}, the server was not able to generate a unique name for the object`,
    details: { ...cause.details, retryAfterSeconds: 1 },
    cause,
  });
}
