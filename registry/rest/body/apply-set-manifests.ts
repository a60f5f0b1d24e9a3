import { createHash } from 'node:crypto';
import type { ApiRequest } from '../../../pkg/http/handler.js';
import { decodeInSteps } from '../../../pkg/http/middleware/decode-ahead.js';
import { type Decoded, type DecodeLimits, decodeJson } from '../../../pkg/kube/json/decode.js';
import { splitElements } from '../../../pkg/kube/json/elements.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';
import { runSteps } from '../../../pkg/system/yielding/steps.js';
import { Yielder } from '../../../pkg/system/yielding/yielding.js';
import type { Key } from '../../../storage/key.js';
import { type ManifestObject, named, placeOf } from '../../applyset/manifest-object.js';
import { MOST_OBJECTS } from '../../applyset/messages.js';
import { PART_OF, setId } from '../../applyset/names.js';
import { schemaDigest } from '../../applyset/schema-digest.js';
import { storedKind } from '../../kinds/conversion.js';
import type { Kind } from '../../kinds/kind.js';
import { placeAnnotations } from '../../kinds/place-annotations.js';
import { namespaceOf, objectKey, type Registry } from '../../kinds/registry.js';
import type { Configuration } from '../../write/apply.js';
import { adviceOn } from '../answer/warnings.js';
import { typeOf } from '../request-info.js';
import type { VerbTarget } from '../verb.js';
import { auditDecoded, decodeBody, type FieldValidation } from './body.js';
import { readConfiguration, storedConfiguration } from './configuration.js';

/** An object of a request, as the client sent it. */
export interface Manifest extends Decoded {
  readonly bytes: Uint8Array;
}

interface Divided {
  /** The body without its objects, if they are in `manifests`. */
  readonly rest: Decoded;
  readonly manifests: readonly Manifest[] | undefined;
}

const OBJECTS = ['spec', 'objects'];
const BOTH = new Set(['spec', 'spec.objects']);

/** Decodes the body: the objects of a body in JSON one by one, in steps, because there may be many. Throws 400. */
export async function manifestsOf(request: ApiRequest, type: 'json' | 'yaml'): Promise<Divided> {
  const limit = { elements: MOST_OBJECTS, error: tooMany };
  const divided = type === 'json' ? splitElements(request.body, OBJECTS, limit) : undefined;
  if (divided === undefined) {
    await decodeInSteps(request);
    return { rest: decodeBody(request), manifests: undefined };
  }
  const { limits } = request;
  await decodeInSteps({ body: divided.rest, limits });
  const rest = auditDecoded(request, decodeJson(divided.rest, limits));
  if (rest.duplicates.some((path) => BOTH.has(path))) throw badRequest('the body has spec or spec.objects twice');
  const yielder = new Yielder();
  const manifests: Manifest[] = [];
  for (const bytes of divided.elements) {
    if (yielder.isDue) await yielder.yield();
    const steps = decodeInSteps({ body: bytes, limits });
    if (steps !== undefined) await steps;
    manifests.push(decodeOne(bytes, limits, manifests.length));
  }
  return { rest, manifests };
}

function decodeOne(bytes: Uint8Array, limits: DecodeLimits | undefined, index: number): Manifest {
  try {
    return { ...decodeJson(bytes, limits), bytes };
  } catch (error) {
    throw named(`spec.objects[${index}]`, error);
  }
}

function tooMany(): Error {
  return badRequest(`spec.objects: Too many: must have at most ${MOST_OBJECTS} items`);
}

interface Reading {
  /** The id of the set. */
  readonly id: string;
  readonly request: ApiRequest;
  readonly target: VerbTarget;
  readonly validation: FieldValidation;
  readonly force: boolean;
  readonly fieldManager: string;
  warn(warning: string): void;
}

/** Finds the kind and the place of each object. Throws 400, and 403 for a kind that the caller may not write at all. */
export async function readManifests(
  manifests: readonly Manifest[],
  options: Omit<Reading, 'id'>,
): Promise<readonly ManifestObject[]> {
  const { kind: sets, info } = options.target;
  const reading = { ...options, id: setId(sets, info.namespace, info.name) };
  const byType = kindsByType(reading.target.registry);
  const admitted = new Set<string>();
  const seen = new Map<Key, number>();
  const wanted: ManifestObject[] = [];
  const yielder = new Yielder();
  for (const [index, manifest] of manifests.entries()) {
    if (yielder.isDue) await yielder.yield();
    const object = readOne(reading, byType, index, manifest);
    const twin = seen.get(object.key);
    if (twin !== undefined) throw badRequest(`${placeOf(object)}: the same object as spec.objects[${twin}]`);
    seen.set(object.key, index);
    admit(reading, object, admitted);
    wanted.push(object);
  }
  return wanted;
}

function kindsByType({ kinds }: Registry): ReadonlyMap<string, Kind> {
  return new Map(kinds.filter(({ served }) => served).map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind]));
}

interface ManifestIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

const DEFINED_BEFORE = 'if a definition makes it, apply the definition first';

function readOne(
  reading: Reading,
  byType: ReadonlyMap<string, Kind>,
  index: number,
  manifest: Manifest,
): ManifestObject {
  const { target, force, fieldManager, validation } = reading;
  const { apiVersion, kind: kindName, name, namespace: own } = identityOf(manifest.value, index);
  const requestedKind = byType.get(`${apiVersion} ${kindName}`);
  if (requestedKind === undefined)
    throw badRequest(
      `spec.objects[${index}]: no matches for kind ${JSON.stringify(kindName)} in version ${JSON.stringify(apiVersion)}; ${DEFINED_BEFORE}`,
    );
  const kind = storedKind(target.registry, requestedKind);
  const namespace = namespaceOf(kind, own === '' ? target.info.namespace : own);
  const at = { index, kind, requestedKind, name };
  if (!requestedKind.verbs.includes('patch'))
    throw badRequest(`${placeOf(at)}: objects of this kind cannot be applied`);
  const key = objectKey(kind, namespace, name);
  let config: Configuration | undefined;
  const configuration = (): Configuration => {
    config ??= { ...read(reading, { ...at, namespace }, manifest), places: placeAnnotations(kind) };
    return config;
  };
  const options = JSON.stringify([fieldManager, force, validation, namespace, schemaDigest(requestedKind)]);
  const digest = createHash('sha256').update(options).update(manifest.bytes).digest('base64url');
  return { ...at, namespace, key, digest, configuration };
}

const LONGEST_NAME = 253;

function identityOf(value: unknown, index: number): ManifestIdentity {
  const { apiVersion, kind, metadata } = (value ?? {}) as Partial<KubeObject>;
  const { name, namespace = '' } = (metadata ?? {}) as Partial<KubeObject['metadata']>;
  const at = `spec.objects[${index}]`;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw badRequest(`${at}: must be an object with apiVersion and kind`);
  if (typeof name !== 'string' || name === '') throw badRequest(`${at}: metadata.name: Required value`);
  for (const text of [name, namespace])
    if (typeof text !== 'string' || text.length > LONGEST_NAME || text.includes('/'))
      throw badRequest(`${at}: metadata.name and metadata.namespace must be names`);
  return { apiVersion: apiVersion.slice(0, 300), kind: kind.slice(0, 300), name, namespace };
}

function read(
  { id, validation, force, warn }: Reading,
  at: Pick<ManifestObject, 'index' | 'requestedKind' | 'name' | 'namespace'>,
  manifest: Manifest,
): Configuration {
  const { requestedKind: kind, name, namespace } = at;
  const { group, version, resource } = kind;
  const info = { group, version, namespace, resource, name, subresource: '', type: typeOf(group, version, resource) };
  const { config, warnings } = runSteps(readConfiguration({ kind, info }, manifest, { validation, force }));
  for (const warning of [...warnings, ...adviceOn(kind, config.object)]) warn(`${placeOf(at)}: ${warning}`);
  return storedConfiguration(kind, { ...config, object: asMember(id, config.object) });
}

/**
 * The label tells every client that the object belongs to the set. The caller adds the name of the object to errors.
 */
function asMember(id: string, object: KubeObject): KubeObject {
  const { labels } = object.metadata;
  const own = labels?.[PART_OF];
  if (own !== undefined && own !== id) throw badRequest(`the label ${PART_OF} names another set; leave it out`);
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, [PART_OF]: id } } };
}

/** The same check as for a request with this object alone. */
function admit({ request: { user }, target: { registry } }: Reading, one: ManifestObject, admitted: Set<string>): void {
  const { requestedKind: kind, namespace, name } = one;
  const place = `${kind.apiVersion}/${kind.resource}/${namespace}`;
  if (admitted.has(place)) return;
  try {
    registry.authorizer.admit({ user, verb: 'patch', kind, namespace, name, subresource: '' }, registry.reader);
  } catch (error) {
    throw named(placeOf(one), error);
  }
  admitted.add(place);
}
