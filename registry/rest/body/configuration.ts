import type { ApiRequest } from '../../../pkg/http/handler.js';
import { FieldsError } from '../../../pkg/kube/fieldmanager/element.js';
import { declaredSteps } from '../../../pkg/kube/fieldmanager/remove.js';
import { type Decoded, decodeJson, decodeYaml, isJsonObject } from '../../../pkg/kube/json/decode.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { badRequest, invalid } from '../../../pkg/kube/status/errors.js';
import { extended } from '../../../pkg/system/object/extended.js';
import { isObject, type Members } from '../../../pkg/system/object/is-object.js';
import type { Steps } from '../../../pkg/system/yielding/steps.js';
import { completeTypeMeta, placed } from '../../decode/decode.js';
import { storedObject } from '../../kinds/conversion.js';
import type { Kind } from '../../kinds/kind.js';
import type { Configuration } from '../../write/apply.js';
import { fieldTypeOf } from '../../write/field-types.js';
import { preconditionsIn } from '../../write/prepare.js';
import { checkNamespaceInBody } from '../options/write-options.js';
import { partOf, type VerbTarget } from '../verb.js';
import type { FieldValidation } from './body.js';

/** The kind and the path that a configuration is applied to. */
type ApplyTarget = Pick<VerbTarget, 'kind' | 'info'>;

interface ApplyOptions {
  readonly validation: FieldValidation;
  readonly force: boolean;
}

interface ReadConfiguration {
  readonly config: Configuration;
  readonly warnings: readonly string[];
}

/** Reads what a client wants an object to be, in steps. Throws 400. */
export function* readConfiguration(
  place: ApplyTarget,
  { value, duplicates }: Decoded,
  { validation, force }: ApplyOptions,
): Steps<ReadConfiguration> {
  const { kind, info } = place;
  const whole = completeTypeMeta(kind, value, false);
  const { metadata } = whole;
  if (!isObject(metadata)) throw badRequest('metadata must be an object');
  checkMetadata(place, metadata);
  const { config, undeclared } = yield* declared(place, {
    ...whole,
    metadata: { ...placed(kind, systemless(metadata)), name: info.name },
  });
  const problems = [
    ...duplicates.map((path) => `duplicate field ${JSON.stringify(path.slice(0, 300))}`),
    ...[...undeclared].sort().map((path) => `unknown field ${JSON.stringify(path.slice(1, 300))}`),
  ].slice(0, MOST_NAMED);
  const warnings = checkProblems(kind, info.name, problems, undeclared, validation);
  return { config: { object: config, preconditions: preconditionsIn(metadata), force }, warnings };
}

/** The configuration in the form in which fields are managed. */
export function storedConfiguration(kind: Kind, config: Configuration): Configuration {
  if (kind.writeOnly !== undefined)
    return { ...config, object: kind.writeOnly.stored(config.object), sent: config.object };
  if (kind.conversion === undefined || kind.conversion.keepsFields === true) return config;
  return { ...config, object: storedObject(kind, config.object), sent: config.object };
}

/** Throws Invalid without a manager: fields that nobody manages cannot be applied. */
export function requireManager({ query }: ApiRequest): void {
  if (query.get('fieldManager')) return;
  const message = 'Required value: is required for apply patch';
  const cause = { reason: 'FieldValueRequired', message, field: 'fieldManager' };
  throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [cause]);
}

const MOST_NAMED = 100;

/** JSON is YAML, but it is read faster. */
export function decodeConfiguration({ body, limits }: ApiRequest): Decoded {
  if (body.byteLength === 0) throw badRequest('the request needs a body');
  return isJsonObject(body) ? decodeJson(body, limits) : decodeYaml(body, limits);
}

function checkMetadata(target: ApplyTarget, metadata: Members): void {
  const { name, namespace, managedFields } = metadata;
  if (managedFields !== undefined && managedFields !== null) throw badRequest('metadata.managedFields must be nil');
  if (name === undefined || name === null || name === '') {
    throw badRequest(
      `the name of the object (${target.info.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (name !== target.info.name) {
    const shown = typeof name === 'string' ? name.slice(0, 300) : typeof name;
    throw badRequest(`the name of the object (${shown}) does not match the name on the URL (${target.info.name})`);
  }
  const inBody = typeof namespace === 'string' ? namespace : '';
  checkNamespaceInBody(target, { metadata: { name: target.info.name, namespace: inBody } });
}

/** The metadata without what only the server sets. */
function systemless({ uid: _, resourceVersion: __, managedFields: ___, ...metadata }: Members): Members {
  return metadata;
}

interface Declared {
  readonly config: KubeObject;
  readonly undeclared: readonly string[];
}

/**
 * The fields that the kind has. A request applies only the part of the object that its path names: the spec or the
 * status.
 */
function* declared({ kind, info }: ApplyTarget, whole: Members): Steps<Declared> {
  const { status, spec, ...rest } = whole;
  const both = kind.hasStatus || kind.schema === undefined ? { spec } : { spec, status };
  const part = partOf(info) === 'status' ? { status } : both;
  const present = Object.fromEntries(Object.entries(extended(rest, part)).filter(([, value]) => value !== undefined));
  try {
    const { value, undeclared } = yield* declaredSteps(present, fieldTypeOf(kind));
    return { config: value as KubeObject, undeclared };
  } catch (error) {
    if (error instanceof FieldsError) throw untyped(kind, info.name, error.message);
    throw error;
  }
}

function checkProblems(
  kind: Kind,
  name: string,
  problems: readonly string[],
  undeclared: readonly string[],
  validation: FieldValidation,
): readonly string[] {
  if (problems.length === 0 || validation === 'Ignore') return [];
  if (validation === 'Warn') return problems;
  const [first] = undeclared;
  if (first !== undefined) throw untyped(kind, name, `${first.slice(0, 300)}: field not declared in schema`);
  throw badRequest(`error decoding the patch: strict decoding error: ${problems.join(', ')}`);
}

function untyped(kind: Kind, name: string, detail: string): Error {
  return badRequest(
    `failed to create typed patch object (${name.slice(0, 300)}; ${kind.apiVersion}, Kind=${kind.kind}): ${detail}`,
  );
}
