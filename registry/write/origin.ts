import type { KubeObject, ObjectMeta } from '../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../pkg/kube/status/status.js';
import { extended } from '../../pkg/system/object/extended.js';
import { parseTime } from '../../pkg/system/time/rfc3339.js';
import type { Kind } from '../kinds/kind.js';
import { INTERNAL_ID_INDEX, type Registry } from '../kinds/registry.js';
import type { Reader } from '../read/reader.js';
import { withAnnotations } from './metadata.js';
import type { Transaction } from './transaction.js';
import type { WriteTarget } from './write.js';

/**
 * What an object keeps of another server that it comes from, if an administrator of the server asks for it
 * (docs/adr/0064): its creation time, its authors and their times, its generation, and its integer id.
 */
export function withOrigin(
  { kind, form, caller }: WriteTarget,
  object: KubeObject,
  { metadata: sent }: KubeObject,
  old: KubeObject | undefined,
  now: string,
): KubeObject {
  if (caller.keepsOrigin !== true) return object;
  const causes = [...timeCauses(form, sent, now), ...authorCauses(form, sent, old), ...generationCauses(sent)];
  if (causes.length > 0) throw form.conventions.invalid(form, object.metadata.name, causes);
  const { creationTimestamp, generation = 0 } = sent;
  const isNewer = generation > (old?.metadata.generation ?? 0);
  const metadata = extended(object.metadata, {
    ...(old === undefined && creationTimestamp !== undefined && { creationTimestamp }),
    ...(isNewer && { generation }),
  });
  return withAnnotations({ ...object, metadata }, kind.namesAuthors ? authorsIn(kind, sent, old) : {});
}

/** Who has changed the object, and when. Who has made it stays. */
function authorsIn({ ownedKeys: keys }: Kind, { annotations = {} }: ObjectMeta, old: KubeObject | undefined) {
  const names = [keys.updatedBy, keys.updatedTimestamp, ...(old === undefined ? [keys.createdBy] : [])];
  return Object.fromEntries(
    names.flatMap((name) => (annotations[name] === undefined ? [] : [[name, annotations[name]]])),
  );
}

function timeCauses(
  { ownedKeys }: Kind,
  { creationTimestamp, annotations = {} }: ObjectMeta,
  now: string,
): StatusCause[] {
  const updated = annotations[ownedKeys.updatedTimestamp];
  return [
    ...timeCause('metadata.creationTimestamp', creationTimestamp, now),
    ...timeCause(`metadata.annotations[${ownedKeys.updatedTimestamp}]`, updated, now),
  ];
}

/** Milliseconds by which the clock of another server may be ahead. */
const CLOCKS_DIFFER = 5 * 60_000;
/** Times are compared as texts elsewhere, so they have the form in which the server writes them. */
const SECONDS_IN_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

function timeCause(field: string, text: string | undefined, now: string): StatusCause[] {
  if (text === undefined) return [];
  if (!SECONDS_IN_UTC.test(text) || parseTime(text) === undefined)
    return [wrong(field, text, 'must be a time such as 2024-05-01T12:00:00Z')];
  const isFuture = Date.parse(text) > Date.parse(now) + CLOCKS_DIFFER;
  return isFuture ? [wrong(field, text, 'must not be in the future')] : [];
}

const AUTHOR = /^(?:user|service-account):[A-Za-z0-9._@+-]{1,253}$/;

/** An author whom the object has already may have another form, such as an operator who is no stored user. */
function authorCauses(
  { ownedKeys: { createdBy, updatedBy } }: Kind,
  { annotations = {} }: ObjectMeta,
  old: KubeObject | undefined,
): StatusCause[] {
  return [createdBy, updatedBy].flatMap((key) => {
    const author = annotations[key];
    if (author === undefined || AUTHOR.test(author) || author === old?.metadata.annotations?.[key]) return [];
    return [wrong(`metadata.annotations[${key}]`, author, 'must be user:<uid> or service-account:<uid>')];
  });
}

const LAST_GENERATION = 2 ** 31 - 1;

function generationCauses({ generation }: ObjectMeta): StatusCause[] {
  if (generation === undefined || generation === 0) return [];
  if (Number.isSafeInteger(generation) && generation > 0 && generation <= LAST_GENERATION) return [];
  return [wrong('metadata.generation', String(generation), `must be an integer between 1 and ${LAST_GENERATION}`)];
}

function wrong(field: string, value: string, message: string): StatusCause {
  const shown = JSON.stringify(value.slice(0, 100));
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${shown}: ${message}`, field };
}

/** Later ids are larger than this one. A wrong one must not leave none to clients that keep ids in 32 bits. */
const LAST_ID = 2 ** 31 - 1;

/**
 * The integer id that the object had, if no other object has it. Later ids of the sequence are larger. Otherwise
 * `undefined`, and the author is told.
 */
export function keptId(
  { registry, reader, state, isDryRun, warnings }: Transaction,
  { kind, caller }: WriteTarget,
  { labels = {} }: ObjectMeta,
): number | undefined {
  const text = labels[kind.ownedKeys.internalId];
  if (caller.keepsOrigin !== true || kind.internalId !== true || text === undefined) return undefined;
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  const isTaken = isIdTaken(registry, reader, kind, id);
  if (id === 0 || id > LAST_ID || isTaken) {
    const why = isTaken ? 'another object has it' : `it is not an integer between 1 and ${LAST_ID}`;
    warnings.push(`the integer id ${JSON.stringify(text.slice(0, 20))} cannot be kept, because ${why}`);
    return undefined;
  }
  if (!isDryRun) state.useId(sequenceOf(kind), id);
  return id;
}

/** The name of the sequence of a kind. */
export function sequenceOf(kind: Kind): string {
  return kind.idSequence ?? kind.qualified;
}

/** Whether an object of the kind, or of one that shares its sequence, has the id. */
export function isIdTaken({ kinds }: Registry, reader: Reader, kind: Kind, id: number): boolean {
  const sequence = sequenceOf(kind);
  return kinds
    .filter((other) => other.internalId === true && sequenceOf(other) === sequence)
    .some(({ qualified }) => reader.range(qualified, INTERNAL_ID_INDEX, [id], 1).length > 0);
}
