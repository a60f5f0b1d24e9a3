import type { ApiRequest } from '../../pkg/http/handler.js';
import { siteOf } from '../../pkg/http/peer.js';
import { foreignOrigin } from '../../pkg/identity/authn/errors.js';
import { isForeign } from '../../pkg/identity/authn/origin.js';
import { methodNotAllowed } from '../../pkg/kube/status/errors.js';

/** Throws 405 for another method. */
export function checkMethod({ method }: ApiRequest, methods: readonly string[]): void {
  if (!methods.includes(method)) throw methodNotAllowed();
}

/** Throws 403 if a page of another site may have sent the request. */
export function refuseForeign(request: ApiRequest, rootUrl: string | undefined): void {
  if (isForeign(siteOf(request), rootUrl)) throw foreignOrigin();
}
