import type { ApiRequest, ApiResponse } from '../../pkg/http/exchange.js';
import type { Kind } from '../kind.js';
import type { Registry } from '../registry.js';
import type { RequestInfo } from './request-info.js';

/** The kind and the path that a verb is applied to. */
export interface Target {
  readonly registry: Registry;
  readonly kind: Kind;
  readonly info: RequestInfo;
}

/** One verb of the resource API, without HTTP framework. Throws ApiError. */
export type Verb = (request: ApiRequest, target: Target) => Promise<ApiResponse>;

/** By HTTP method: Kubernetes' name of the verb, and the verb. */
export type Methods = Readonly<Record<string, readonly [string, Verb]>>;
