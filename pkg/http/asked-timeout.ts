import { badRequest } from '../kube/status/errors.js';
import { goDuration } from '../system/time/go-duration.js';

/**
 * The milliseconds of `?timeout=30s`, in which a client wants its answer: the longest time of a request, or the length
 * of a watch. As in Kubernetes, none or a negative one leaves it to the server. Throws 400 for what is not a duration
 * of Go.
 */
export function askedTimeout(query: URLSearchParams): number | undefined {
  const text = query.get('timeout') ?? '';
  if (text === '') return undefined;
  const nanos = goDuration(text);
  if (nanos === undefined)
    throw badRequest(
      `invalid timeout specified in the request URL: ${JSON.stringify(text.slice(0, 100))} is no duration, such as 30s or 1m30s`,
    );
  return nanos > 0n ? Number(nanos) / 1e6 : undefined;
}
