import { badRequest, pathNotFound } from '../../kube/status/errors.js';
import type { Done } from '../done.js';
import { headersTooLarge } from '../header-limit.js';
import { namesOneHost } from '../host.js';
import type { Http2Request } from '../http2.js';
import type { Context, Middleware } from '../request.js';
import { repeatedHeader } from '../single-headers.js';

/**
 * Refuses what can be refused before anyone is authenticated: headers above the limit, several hosts or credentials,
 * and paths under which nothing is served.
 */
export function requestTarget(ctx: Context, next: Parameters<Middleware>[1]): Done {
  if ((ctx.req as Partial<Http2Request>).hasTooLargeHeaders === true) throw headersTooLarge();
  if (!namesOneHost(ctx.req)) throw badRequest('a request must name one host, in one header');
  const repeated = repeatedHeader(ctx.req.rawHeaders);
  if (repeated !== undefined)
    throw badRequest(`a request must have one line of the header ${repeated}, and not several`);
  if (!ctx.state.path.startsWith('/')) throw badRequest('the path of a request must begin with a slash');
  if (ctx.state.mount === undefined) throw pathNotFound();
  return next();
}
