import { isObject, type Members } from '../../system/object/is-object.js';
import { runSteps, type Steps } from '../../system/yielding/steps.js';
import { Work } from '../../system/yielding/work.js';
import type { ObjectMeta } from '../meta/types.js';
import { beginning, Causes, type StatusCause } from '../status/causes.js';
import { anywhere } from './anywhere.js';
import { append } from './append.js';
import { child, invalid, key, required } from './cause.js';
import { after, atOnce, type Changed, mapItems, mapMembers } from './copy.js';
import { isEqual } from './equal.js';
import { byBytes } from './go-text.js';
import type { Node, Structural } from './node.js';
import { decodeMeta } from './object-meta.js';
import { objectMetaCauses } from './object-meta-rules.js';
import { nodeOf } from './structural.js';

/**
 * Resources inside of a resource (x-kubernetes-embedded-resource), as
 * apiextensions-apiserver/pkg/apiserver/schema/objectmeta treats them.
 */

export interface CoerceOptions {
  /** The object itself is treated as an embedded resource, too. */
  readonly isResourceRoot?: boolean;
  /** Drops what is malformed, without causes: for objects that are read from the store. */
  readonly dropsInvalid?: boolean;
}

export interface Coerced<Type> {
  /** The same object if nothing is different. */
  readonly object: Type;
  /** The sorted paths of fields of metadata that were dropped because ObjectMeta does not have them. */
  readonly unknown: readonly string[];
  /** The problems of metadata, an apiVersion or a kind. If there are any, the object must not be used. */
  readonly causes: readonly StatusCause[];
}

interface Coercion {
  readonly dropsInvalid: boolean;
  readonly unknown: string[];
  readonly causes: StatusCause[];
  readonly work: Work;
}

/**
 * Drops what ObjectMeta does not have from the metadata of embedded resources, and writes the rest as Kubernetes does.
 * The first cause ends it.
 */
export function coerce<Type>(structural: Structural, object: Type, options: CoerceOptions = {}): Coerced<Type> {
  return atOnce(startCoerce(structural, object, options));
}

/** The same with pauses. */
export function startCoerce<Type>(
  structural: Structural,
  object: Type,
  options: CoerceOptions = {},
): Changed<Coerced<Type>> {
  const dropsInvalid = options.dropsInvalid === true;
  const coercion: Coercion = { dropsInvalid, unknown: [], causes: [], work: new Work() };
  const node = nodeOf(structural);
  const isEmbedded = node.isEmbedded || options.isResourceRoot === true;
  return after(coerceValue(object, node, isEmbedded, '', coercion), (coerced) => ({
    object: coerced as Type,
    unknown: coercion.unknown.sort(byBytes),
    causes: coercion.causes,
  }));
}

function coerceValue(value: unknown, node: Node, isEmbedded: boolean, path: string, coercion: Coercion): Changed {
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return value;
    return mapItems(value, coercion.work, (item, i) => coerceChild(item, items, key(path, i), coercion));
  }
  if (!isObject(value)) return value;
  return mapMembers(value, coercion.work, (member, name) => {
    const below = coerceBelow(member, name, node, path, coercion);
    return isEmbedded && IDENTITY.has(name) ? coerceIdentity(below, name, path, coercion) : below;
  });
}

const IDENTITY: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function coerceIdentity(below: Changed, name: string, path: string, coercion: Coercion): Changed {
  return after(below, (kept) => (coercion.causes.length === 0 ? coerceMeta(kept, name, path, coercion) : kept));
}

function coerceBelow(member: unknown, name: string, node: Node, path: string, coercion: Coercion): Changed {
  const property = node.properties?.get(name);
  if (property !== undefined) return coerceChild(member, property, child(path, name), coercion);
  const { additionalProperties: more } = node;
  return typeof more === 'object' ? coerceChild(member, more, key(path, name), coercion) : member;
}

function coerceChild(value: unknown, structural: Structural, path: string, coercion: Coercion): Changed {
  if (!isContainer(value) || coercion.causes.length > 0 || !hasEmbedded(structural.schema)) return value;
  const node = nodeOf(structural);
  return coerceValue(value, node, node.isEmbedded, path, coercion);
}

function coerceMeta(member: unknown, name: string, path: string, coercion: Coercion): unknown {
  if (name === 'metadata') return coerceMetadata(member, child(path, name), coercion);
  if (typeof member === 'string') return member;
  if (coercion.dropsInvalid) return undefined;
  coercion.causes.push(invalid(child(path, name), member, 'must be a string'));
  return member;
}

/** Most names may be unknown, and each may be long. */
const MOST_UNKNOWN = 100;
const LONGEST_NAME = 1000;

function addUnknown({ unknown: known }: Coercion, path: string, unknown: readonly string[]): void {
  for (const name of unknown) {
    if (known.length >= MOST_UNKNOWN) return;
    known.push(`${beginning(path, LONGEST_NAME)}.${beginning(name, LONGEST_NAME)}`);
  }
}

function coerceMetadata(value: unknown, path: string, coercion: Coercion): unknown {
  const { meta, unknown, problem } = decodeMeta(value);
  if (problem === undefined) {
    addUnknown(coercion, path, unknown);
    return isEqual(meta, value) ? value : meta;
  }
  if (coercion.dropsInvalid) return isObject(value) ? readableParts(value, path, coercion) : value;
  coercion.causes.push(invalid(path, value, problem));
  return value;
}

/** The fields that can be read one by one. */
function readableParts(value: Members, path: string, coercion: Coercion): Members {
  const parts = Object.entries(value).map(([name, member]) => decodeMeta(Object.fromEntries([[name, member]])));
  const readable = parts.filter(({ problem }) => problem === undefined);
  for (const { unknown } of readable) addUnknown(coercion, path, unknown);
  return Object.fromEntries(readable.flatMap(({ meta }) => Object.entries(meta)));
}

/** The apiVersion, the kind and the metadata of embedded resources. */
export function validateEmbedded(
  structural: Structural,
  object: unknown,
  options: EmbeddedOptions = {},
): readonly StatusCause[] {
  return runSteps(embeddedSteps(structural, object, options));
}

type EmbeddedOptions = Pick<CoerceOptions, 'isResourceRoot'> & { readonly path?: string };

interface Search {
  readonly causes: Causes;
  readonly work: Work;
}

/** The same in steps, with at most as many causes as an answer has. */
export function* embeddedSteps(
  structural: Structural,
  object: unknown,
  { isResourceRoot = false, path = '' }: EmbeddedOptions = {},
): Steps<readonly StatusCause[]> {
  const search: Search = { causes: new Causes(), work: new Work() };
  const node = nodeOf(structural);
  yield* visit(object, node, node.isEmbedded || isResourceRoot, path, search);
  return search.causes.list;
}

function* visit(value: unknown, node: Node, isEmbedded: boolean, path: string, search: Search): Steps<void> {
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined || !hasEmbedded(items.schema)) return;
    for (let i = 0; i < value.length; i++) yield* visitChild(value[i], items, () => key(path, i), search);
  } else if (isObject(value)) {
    if (isEmbedded) {
      search.work.add(EMBEDDED);
      search.causes.addAll(resourceCauses(value, path));
    }
    for (const name of Object.keys(value)) {
      if (isContainer(value[name])) yield* visitMember(value[name], name, node, path, search);
    }
  }
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function* visitMember(member: unknown, name: string, node: Node, path: string, search: Search): Steps<void> {
  const property = node.properties?.get(name);
  const { additionalProperties: more } = node;
  if (property !== undefined) yield* visitChild(member, property, () => child(path, name), search);
  else if (typeof more === 'object') yield* visitChild(member, more, () => key(path, name), search);
}

/** Whether an object of the schema has embedded resources. */
export const hasEmbedded = anywhere((schema) => schema['x-kubernetes-embedded-resource'] === true);

/** Units of work to check an embedded resource. */
const EMBEDDED = 20;

function* visitChild(value: unknown, structural: Structural, pathOf: () => string, search: Search): Steps<void> {
  const { causes, work } = search;
  if (!isContainer(value) || causes.isCut || !hasEmbedded(structural.schema)) return;
  work.add(1);
  if (work.isDue()) yield;
  const node = nodeOf(structural);
  yield* visit(value, node, node.isEmbedded, pathOf(), search);
}

function resourceCauses(value: Members, path: string): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  for (const name of ['apiVersion', 'kind']) {
    if (!Object.hasOwn(value, name)) causes.push(required(child(path, name)));
  }
  for (const name of Object.keys(value)) {
    if (name === 'apiVersion') append(causes, apiVersionCauses(value[name], child(path, name)));
    if (name === 'kind') append(causes, kindCauses(value[name], child(path, name)));
    if (name === 'metadata') append(causes, metadataCauses(value[name], child(path, name)));
  }
  return causes;
}

function apiVersionCauses(value: unknown, path: string): readonly StatusCause[] {
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')];
  if (value === '') return [invalid(path, value, 'must not be empty')];
  return value.split('/').length > 2 ? [invalid(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

const KIND_LABEL = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const KIND_LENGTH = 63;
const KIND_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

function kindCauses(value: unknown, path: string): readonly StatusCause[] {
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')];
  if (value === '') return [invalid(path, value, 'must not be empty')];
  const kind = value.toLowerCase();
  const problems = Buffer.byteLength(kind) > KIND_LENGTH ? [`must be no more than ${KIND_LENGTH} characters`] : [];
  if (!KIND_LABEL.test(kind)) problems.push(KIND_TEXT);
  if (problems.length === 0) return [];
  return [invalid(path, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`)];
}

function metadataCauses(value: unknown, path: string): readonly StatusCause[] {
  const { meta, problem } = decodeMeta(value);
  return problem === undefined ? objectMetaCauses(meta as Partial<ObjectMeta>, path) : [invalid(path, value, problem)];
}
