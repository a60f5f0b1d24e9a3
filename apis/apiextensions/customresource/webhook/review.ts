import type { KubeObject, ObjectMeta } from '../../../../pkg/kube/meta/types.js';
import { validateObjectMeta } from '../../../../pkg/kube/meta/validation.js';
import { isObject, type Members } from '../../../../pkg/system/object/is-object.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';

/**
 * The request to a webhook and its answer: ConversionReview, with the checks and the messages of Kubernetes
 * (conversion/webhook_converter.go).
 */

const GROUP = 'apiextensions.k8s.io';

const VERSIONS = ['v1', 'v1beta1'] as const;

/** A version of ConversionReview. In `v1beta1`, the type and the uid of an answer are not checked, as in Kubernetes. */
export type ReviewVersion = (typeof VERSIONS)[number];

/** The first version that both sides understand. */
export function reviewVersionOf(understood: readonly string[] | null | undefined): ReviewVersion | undefined {
  return understood?.map((name) => VERSIONS.find((known) => known === name)).find((known) => known !== undefined);
}

export interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly KubeObject[];
}

export function reviewOf(request: ConversionRequest, version: ReviewVersion): unknown {
  return { kind: 'ConversionReview', apiVersion: `${GROUP}/${version}`, request };
}

/** `example.com/v1, Kind=Widget`. */
export function typeText({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): string {
  return `${apiVersion}, Kind=${kind}`;
}

/** Something is wrong with an answer. In the message, `rest` follows `conversion webhook for <kind> `. */
export class ReviewError extends Error {
  readonly rest: string;

  constructor(rest: string) {
    super(rest);
    this.rest = rest;
  }
}

/**
 * The converted objects of an answer, with the metadata of those that were sent: a webhook can only change labels and
 * annotations. Pauses after each object, because the webhook decides how much there is to check. Throws ReviewError.
 */
export function* convertedObjects(
  answer: unknown,
  request: ConversionRequest,
  version: ReviewVersion,
): Steps<readonly KubeObject[]> {
  const objects = objectsIn(answer, version === 'v1' ? request.uid : undefined);
  if (objects.length !== request.objects.length) {
    throw new ReviewError(`returned ${objects.length} objects, expected ${request.objects.length}`);
  }
  const all: KubeObject[] = [];
  for (const [i, original] of request.objects.entries()) {
    all.push(checkedAt(i, original, objects[i], request.desiredAPIVersion));
    yield;
  }
  return all;
}

function checkedAt(index: number, original: KubeObject, converted: unknown, apiVersion: string): KubeObject {
  try {
    return checked(original, converted, apiVersion);
  } catch (error) {
    if (!(error instanceof ObjectError)) throw error;
    throw new ReviewError(`returned ${error.what} at index ${index}: ${error.message}`);
  }
}

const failed = (why: string): ReviewError => new ReviewError(`failed: ${why}`);

/** Without a uid, the type and the uid of the answer are not checked. */
function objectsIn(answer: unknown, uid: string | undefined): readonly unknown[] {
  const { apiVersion = '', kind = '', response } = isObject(answer) ? answer : {};
  const [expected, got] = [`${GROUP}/v1, Kind=ConversionReview`, `${String(apiVersion)}, Kind=${String(kind)}`];
  if (uid !== undefined && got !== expected) throw failed(`expected webhook response of ${expected}, got ${got}`);
  if (!isObject(response)) throw failed('no response provided');
  if (uid !== undefined && response['uid'] !== uid)
    throw failed(`expected response.uid="${uid}", got ${quoted(response['uid'])}`);
  const result = isObject(response['result']) ? response['result'] : {};
  if (result['status'] !== 'Success') {
    const { message, status = '' } = result;
    if (typeof message === 'string' && message !== '') throw failed(message.slice(0, LONGEST));
    throw failed(`response.result.status was '${String(status).slice(0, LONGEST)}', not 'Success'`);
  }
  const { convertedObjects: objects } = response;
  return Array.isArray(objects) ? objects : [];
}

/** The most characters that are shown of a text of a webhook. */
const LONGEST = 10_000;

const quoted = (value: unknown): string => JSON.stringify(typeof value === 'string' ? value.slice(0, LONGEST) : '');

class ObjectError extends Error {
  readonly what: string;

  constructor(message: string, what = 'invalid converted object') {
    super(message);
    this.what = what;
  }
}

function checked(original: KubeObject, converted: unknown, apiVersion: string): KubeObject {
  if (!isObject(converted)) throw new ObjectError('it is no object');
  const { apiVersion: version, kind } = converted;
  if (version !== apiVersion) {
    throw new ObjectError(`invalid groupVersion (expected ${apiVersion}, received ${String(version ?? '')})`);
  }
  if (kind !== original.kind) {
    throw new ObjectError(`invalid kind (expected ${original.kind}, received ${String(kind ?? '')})`);
  }
  checkIdentity(original.metadata, isObject(converted['metadata']) ? converted['metadata'] : {});
  return { ...(converted as unknown as KubeObject), metadata: metadataOf(original.metadata, converted['metadata']) };
}

function checkIdentity(original: ObjectMeta, converted: Members): void {
  for (const [field, word] of IDENTITY) {
    const [before, after] = [original[field] ?? '', converted[field] ?? ''];
    if (before !== after) throw new ObjectError(`must have the same ${word}: ${before} != ${String(after)}`);
  }
}

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

function metadataOf(original: ObjectMeta, converted: unknown): ObjectMeta {
  const wrong = (message: string): ObjectError => new ObjectError(message, 'invalid metadata in object');
  if (converted === undefined) throw wrong('missing metadata in converted object');
  if (!isObject(converted)) throw wrong('invalid metadata in converted object');
  const metadata = withMaps(original, mapIn(converted, 'labels'), mapIn(converted, 'annotations'));
  const causes = validateObjectMeta(metadata, original);
  if (causes.length > 0) throw wrong(causes.map(({ field, message }) => `${field}: ${message}`).join(', '));
  return metadata;
}

type StringMap = Readonly<Record<string, string>>;

function mapIn(metadata: Members, field: string): StringMap | undefined {
  const map = metadata[field];
  if (map === undefined || map === null) return undefined;
  const where = `metadata.${field}`;
  if (!isObject(map)) throw new ObjectError(`invalid ${where} in converted object`, 'invalid metadata in object');
  for (const [key, value] of Object.entries(map)) {
    if (typeof value === 'string') continue;
    throw new ObjectError(`${where}[${key}] must be a string in converted object`, 'invalid metadata in object');
  }
  return map as StringMap;
}

/** The metadata with other labels and annotations. */
export function withMaps(
  { labels: _, annotations: __, ...rest }: ObjectMeta,
  labels: StringMap | undefined,
  annotations: StringMap | undefined,
): ObjectMeta {
  return { ...rest, ...(labels && { labels }), ...(annotations && { annotations }) };
}
