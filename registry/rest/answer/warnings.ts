import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { warningHeaders } from '../../../pkg/http/warnings.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import { closestName } from '../../../pkg/system/text/closest-name.js';
import type { ObjectPart } from '../../decode/decode.js';
import type { Kind } from '../../kinds/kind.js';

/**
 * Adds warnings about the kind or the parameters to an answer, also to a refusal. They come first, because the others
 * are about the object.
 */
export async function warning(
  texts: readonly string[],
  request: ApiRequest,
  answer: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  try {
    const response = await answer();
    return { ...response, headers: withWarnings(texts, response.headers) };
  } catch (error) {
    request.failureHeaders = withWarnings(texts, request.failureHeaders);
    throw error;
  }
}

function withWarnings(texts: readonly string[], headers: ApiResponse['headers'] = {}): ApiResponse['headers'] {
  const { warning: given = [] } = headers;
  const { warning: first = [] } = warningHeaders(texts);
  const others = [given].flat().filter((warning) => !first.includes(warning));
  return { ...headers, warning: [...first, ...others] };
}

/**
 * The warnings about an object that was written: those of its kind, and those about reserved keys that have no meaning
 * yet.
 */
export function adviceOn(kind: Kind, object: KubeObject, part: ObjectPart = 'spec'): readonly string[] {
  if (part === 'status') return [];
  const { labels, annotations } = object.metadata;
  // An apply has the members as the client wrote them: `spec:` or `labels:` without anything after it is null.
  const advice = [...(kind.strategy?.warnings?.(withoutNulls(object)) ?? [])];
  if (isObject(labels)) advice.push(...reserved(kind, 'labels', labels));
  if (isObject(annotations)) advice.push(...reserved(kind, 'annotations', annotations));
  return advice;
}

function withoutNulls(object: KubeObject): KubeObject {
  const members = Object.entries(object);
  const given = members.filter(([, value]) => value !== null);
  return given.length === members.length ? object : (Object.fromEntries(given) as unknown as KubeObject);
}

/** Finalizers of Kubernetes itself, which have no domain. */
const KNOWN_FINALIZERS: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Kubernetes' warning about finalizers of a new object that others might use, too. */
export function finalizerWarnings({ metadata: { finalizers = [] } }: KubeObject): readonly string[] {
  return finalizers
    .filter((name) => !name.includes('/') && !KNOWN_FINALIZERS.has(name))
    .map(
      (name) =>
        `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
}

function reserved(kind: Kind, field: string, map: Readonly<Record<string, unknown>>): readonly string[] {
  const prefix = `${kind.domain}/`;
  const warnings: string[] = [];
  for (const key of Object.keys(map))
    if (key.startsWith(prefix) && !hasMeaning(kind, key, key.slice(prefix.length)))
      warnings.push(
        `metadata.${field}[${key}]: keys that begin with ${prefix} are reserved, and this one has no meaning: ${adviceFor(kind, key)}`,
      );
  return warnings;
}

function adviceFor(kind: Kind, key: string): string {
  const meant = closestName(key.slice(kind.domain.length + 1), keysOf(kind));
  return meant === undefined ? 'remove it, or use a prefix of your own' : `did you mean ${kind.domain}/${meant}?`;
}

/** The reserved keys that objects of the kind may have, without the domain. */
function keysOf({ domain, ownedKeys, ownKeys = [] }: Kind): readonly string[] {
  const owned = [...ownedKeys.annotations, ...ownedKeys.labels].map((key) => key.slice(domain.length + 1));
  return [...owned, ...ownKeys];
}

/** `own` is the key without the domain. */
function hasMeaning({ ownedKeys, ownKeys = [], history }: Kind, key: string, own: string): boolean {
  if (ownedKeys.annotations.includes(key) || ownedKeys.labels.includes(key) || ownKeys.includes(own)) return true;
  return history !== undefined && key === ownedKeys.message;
}
