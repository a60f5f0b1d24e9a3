import type { Logger } from 'pino';
import type { ApiError } from '../../status/status.js';
import { asApiError, renderStatus } from '../errors.js';
import { flowOf } from '../flow.js';
import type { Context, Middleware, RequestState } from '../request.js';
import type { InFlight } from './in-flight.js';

/** A request with a larger body does not wait to be refused. */
const MOST_KEPT = 64 * 1024;

/**
 * Answers failures in the words of the API that was asked: a Status, or `{"message": …}`. Logs those of the server. Requests that were not
 * admitted take turns here, because a client that ignores refusals sends the next request as soon as it has the answer.
 */
export function errors(log: Logger, requests: InFlight): Middleware {
  return (ctx, next) =>
    next().catch(async (error: unknown) => {
      const { state } = ctx;
      const known = asApiError(error);
      if (known.code >= 500 && !state.isClosed && !known.isLogged && !isTooNew(known)) logFailure(log, ctx, known);
      state.failure = known;
      if (!state.isAdmitted && state.body.length <= MOST_KEPT) await takeTurn(state, requests);
      state.response = (state.mount?.renderError ?? renderStatus)(known, state);
    });
}

async function takeTurn(state: RequestState, requests: InFlight): Promise<void> {
  const flow = flowOf(state);
  try {
    if (!requests.start('exempt', flow)) await requests.wait('exempt', flow, state.signal);
    requests.leave('exempt', flow);
  } catch {
    // The client has left, or has waited long enough.
  }
}

function logFailure(log: Logger, { state }: Context, error: ApiError): void {
  const { auditId, method, path } = state;
  log.error({ err: error.cause ?? error, auditId, method, path, status: error.code }, error.message);
}

/** A revision that has not happened yet: asked for by the client, whatever the state of the server. */
function isTooNew({ details }: ApiError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') === true;
}
