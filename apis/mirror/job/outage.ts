import { Unreachable } from '../../../pkg/legacyclient/failure.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { ForbiddenAddress } from '../../../pkg/system/net/address-guard.js';
import { connectionProblem } from '../../../pkg/system/net/connection-problem.js';

const ADVICE = { untrusted: 'If it is your own authority, its operator can name it in NODE_EXTRA_CA_CERTS.' };

/** Why there was no answer, in sentences without the address that the host has. */
export function whyNoAnswer(error: unknown): string {
  return connectionProblem(causeOf(error), ADVICE);
}

/**
 * Why the other server cannot be asked. Who may name a host here does not learn which addresses names have in the
 * network of this server.
 */
export function outageOf(error: unknown): string {
  if (error instanceof ForbiddenAddress) return withoutEnd(whyNoAnswer(error));
  if (!(error instanceof Unreachable) || !hasCode(causeOf(error))) return messageOf(error);
  const { method, path } = error.asked;
  return `${method} ${path}: the server cannot be reached. ${withoutEnd(whyNoAnswer(error))}`;
}

function causeOf(error: unknown): unknown {
  const cause = error instanceof Unreachable ? error.cause : error;
  return cause instanceof AggregateError ? cause.errors[0] : cause;
}

const hasCode = (cause: unknown): boolean => cause instanceof Error && 'code' in cause;

const withoutEnd = (sentences: string): string => sentences.replace(/\.$/, '');
