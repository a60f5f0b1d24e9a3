import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import type { ObjectPart } from '../decode/decode.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import { STATUS } from '../kinds/subresource.js';
import type { SubresourceWrite } from '../write/write.js';
import type { RequestInfo } from './request-info.js';

/** The kind and the path that a verb is applied to. */
export interface VerbTarget {
  readonly registry: Registry;
  /**
   * The kind that the request names. Its objects may be stored as those of another kind: a write has that as
   * `WriteTarget.kind`, and this one as `WriteTarget.requestedKind`.
   */
  readonly kind: Kind;
  readonly info: RequestInfo;
}

/**
 * One verb of the resource API, without HTTP framework. Throws ApiError, or rejects with one. The result is a promise
 * only if it has to wait for something.
 */
export type Verb = (request: ApiRequest, target: VerbTarget) => Promise<ApiResponse> | ApiResponse;

/** The part of an object that a path names. */
export function partOf({ subresource }: RequestInfo): ObjectPart {
  return subresource === STATUS ? 'status' : 'spec';
}

/** The subresource that an update of this path goes through. */
export function writeThrough({ subresource }: RequestInfo, verb: string): SubresourceWrite | undefined {
  return subresource === '' ? undefined : { name: subresource, verb };
}

/** By HTTP method: Kubernetes' name of the verb, and the verb. */
export type Methods = Readonly<Record<string, readonly [string, Verb]>>;
