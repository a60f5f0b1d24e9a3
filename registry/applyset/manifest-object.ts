import { ApiError } from '../../pkg/kube/status/status.js';
import type { Key } from '../../storage/key.js';
import type { Kind } from '../kinds/kind.js';
import type { Configuration } from '../write/apply.js';

/** An object of a request. */
export interface ManifestObject {
  /** Its position in the request. */
  readonly index: number;
  /** The kind as which the object is stored. */
  readonly kind: Kind;
  /** The kind that the manifest names. */
  readonly requestedKind: Kind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly key: Key;
  /** The digest of everything that decides about the result, except the stored object. */
  readonly digest: string;
  /** The wanted object. It is read when it is needed, and at most once. Throws ApiError. */
  readonly configuration: () => Configuration;
}

/** A request to apply many objects. */
export interface ApplySetRequest {
  readonly name: string;
  readonly namespace: string;
  readonly wanted: readonly ManifestObject[];
  readonly force: boolean;
  readonly fieldManager: string;
  readonly prune: boolean;
  /** Selects further objects to prune. */
  readonly selector: ((labels: Readonly<Record<string, string>>) => boolean) | undefined;
}

/** Which object of a request an error is about. */
export function placeOf({
  index,
  requestedKind,
  name,
}: Pick<ManifestObject, 'index' | 'requestedKind' | 'name'>): string {
  return `spec.objects[${index}] (${requestedKind.kind} ${JSON.stringify(name.slice(0, 253))})`;
}

/** The error of one object as the error of the request. */
export function named(place: string, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, reason, message, details } = error;
  return new ApiError({ code, reason, message: `${place}: ${message}`, ...(details && { details }), cause: error });
}
