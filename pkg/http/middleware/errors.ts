import type { Logger } from 'pino';
import type { ApiError } from '../../status/status.js';
import { asApiError, renderStatus } from '../errors.js';
import type { Context, Middleware } from '../request.js';

/** Answers failures in the words of the API that was asked: a Status, or `{"message": …}`. Logs those of the server. */
export function errors(log: Logger): Middleware {
  return (ctx, next) =>
    next().catch((error: unknown) => {
      const { state } = ctx;
      const known = asApiError(error);
      if (known.code >= 500 && !state.isClosed && !known.isLogged && !isTooNew(known)) logFailure(log, ctx, known);
      state.failure = known;
      state.response = (state.mount?.renderError ?? renderStatus)(known, state);
    });
}

function logFailure(log: Logger, { state }: Context, error: ApiError): void {
  const { auditId, method, path } = state;
  log.error({ err: error.cause ?? error, auditId, method, path, status: error.code }, error.message);
}

/** A revision that has not happened yet: asked for by the client, whatever the state of the server. */
function isTooNew({ details }: ApiError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') === true;
}
