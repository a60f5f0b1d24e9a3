import { isObject, type Members } from '../../system/object/is-object.js';
import type { Steps } from '../../system/yielding/steps.js';
import { decodeJson } from '../json/decode.js';
import { compare } from './compare.js';
import { FieldsError, goJson } from './element.js';
import { differenceSteps, type Fields } from './fields.js';
import { fieldsSteps } from './fields-of.js';
import { declaredSteps } from './remove.js';
import type { FieldType } from './type.js';

/** What kubectl's client-side apply has sent, in an annotation. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Kubernetes' limit for all annotations of an object. */
const MOST_BYTES = 256 * 1024;

/**
 * The fields that kubectl's client-side apply has set and that have not changed since. `undefined` if it has not
 * written the object. As in Kubernetes, the object that it has sent must fit the schema. `stored` makes the stored form
 * of it. In steps.
 */
export function* allowedByLastApplied(
  live: unknown,
  type: FieldType,
  apiVersion: string,
  stored = (sent: unknown): unknown => sent,
): Steps<Fields | undefined> {
  const config = stored(readLastApplied(annotationsOf(live)[LAST_APPLIED]));
  if (!isObject(config) || config['apiVersion'] !== apiVersion) return undefined;
  try {
    if ((yield* declaredSteps(config, type)).undeclared.length > 0) return undefined;
    const { modified, added, removed } = yield* compare(config, live, type);
    let fields = yield* fieldsSteps(config, type);
    for (const changed of [modified, added, removed]) fields = yield* differenceSteps(fields, changed);
    return fields;
  } catch (error) {
    if (error instanceof FieldsError) return undefined;
    throw error;
  }
}

/**
 * The object in the annotation. `undefined` if it is malformed or deeper than a body may be, because later code is
 * recursive.
 */
export function readLastApplied(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return decodeJson(Buffer.from(text)).value;
  } catch {
    return undefined;
  }
}

function annotationsOf(object: unknown): Members {
  const metadata = isObject(object) ? object['metadata'] : undefined;
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  return isObject(annotations) ? annotations : {};
}

/**
 * Keeps the annotation of the client-side apply up to date, so that a later client-side apply knows what was applied
 * last.
 */
export function withNewLastApplied(object: unknown, config: unknown): unknown {
  if (!isObject(object) || !annotationsOf(object)[LAST_APPLIED]) return object;
  const text = `${goJson(withAnnotation(config, undefined))}\n`;
  const next = withAnnotation(object, text);
  const bytes = Object.entries(annotationsOf(next)).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  );
  return bytes > MOST_BYTES ? withAnnotation(object, undefined) : next;
}

function withAnnotation(object: unknown, text: string | undefined): unknown {
  if (!isObject(object) || !isObject(object['metadata'])) return object;
  const { annotations: _, ...metadata } = object['metadata'];
  const { [LAST_APPLIED]: __, ...others } = annotationsOf(object);
  const annotations = text === undefined ? others : { ...others, [LAST_APPLIED]: text };
  const isLeft = Object.keys(annotations).length > 0;
  return { ...object, metadata: { ...metadata, ...(isLeft && { annotations }) } };
}
