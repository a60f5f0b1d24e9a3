import type { Logger } from 'pino';
import type { ApiError } from '../../kube/status/status.js';
import { seldom } from '../../system/log/seldom.js';
import { asApiError, type ErrorRenderer, isTooNew, renderStatus } from '../errors.js';
import { Pauses } from '../flowcontrol/pauses.js';
import type { Context, Middleware } from '../pipeline.js';
import { flowOf, type RequestState } from '../request.js';
import type { InFlight } from './in-flight.js';

/** A request with a larger body is refused at once, so that its body takes no memory. */
const MOST_KEPT = 4096;

/**
 * Answers failures in the form of the API that was asked: a Status, or `{"message": …}`. Logs those of the server. The
 * refusal of a request that was not admitted is delayed if the server is too busy for it, or has others of its flow in
 * this turn. `renderUnknown` is for paths that belong to no API.
 */
export function errors(log: Logger, requests: InFlight, renderUnknown: ErrorRenderer = renderStatus): Middleware {
  const pauses = new Pauses();
  const logOutage = seldom(
    (_message, ctx: Context, error: ApiError) => logFailure(log, ctx, error),
    () => performance.now(),
  );
  const answer = async (ctx: Context, error: unknown): Promise<void> => {
    const { state } = ctx;
    const known = asApiError(error);
    if (known.code >= 500 && !state.isClosed && !known.isLogged && !isTooNew(known)) {
      // In an outage, all requests fail for one reason. The metrics count them.
      if (known.code === 503) logOutage(known.message, ctx, known);
      else logFailure(log, ctx, known);
    }
    state.failure = known;
    if (!state.isAdmitted && state.body.length <= MOST_KEPT) await holdBack(state, known, requests, pauses);
    state.response = rendererOf(state, renderUnknown)(known, state);
  };
  return (ctx, next) => {
    try {
      return next()?.catch((error: unknown) => answer(ctx, error));
    } catch (error) {
      return answer(ctx, error);
    }
  };
}

function rendererOf({ mount }: RequestState, renderUnknown: ErrorRenderer): ErrorRenderer {
  return mount === undefined ? renderUnknown : (mount.renderError ?? renderStatus);
}

function holdBack(state: RequestState, { code }: ApiError, requests: InFlight, pauses: Pauses): Promise<void> | void {
  const flow = flowOf(state);
  if (code !== 429 && requests.start('exempt', flow)) return requests.leave('exempt', flow);
  return pauses.pause(flow, state.signal);
}

function logFailure(log: Logger, { state }: Context, error: ApiError): void {
  const { auditId, method, path } = state;
  log.error({ err: error.cause ?? error, auditId, method, path, status: error.code }, error.message);
}
