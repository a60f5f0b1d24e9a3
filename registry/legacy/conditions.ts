import type { ApiRequest } from '../../pkg/http/handler.js';
import { plainFailure } from './errors.js';

const OF_READS = ['if-match', 'if-unmodified-since'];
const OF_WRITES = [...OF_READS, 'if-none-match'];

/**
 * Throws 400 for a condition of HTTP that the legacy API does not check: the request would be done although the thing
 * has changed. `If-Match: *` asks only that the thing exists, as most routes do anyway.
 */
export function refuseConditions({ headers, method }: Pick<ApiRequest, 'headers' | 'method'>): void {
  const isRead = method === 'GET' || method === 'HEAD';
  const name = (isRead ? OF_READS : OF_WRITES).find((one) => headers[one] !== undefined && headers[one] !== '*');
  if (name === undefined) return;
  throw plainFailure(400, `${name} is not possible here: send the version in the body, if the route has one`);
}
