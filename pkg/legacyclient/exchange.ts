import http from 'node:http';
import https from 'node:https';
import { messageOf } from '../system/errors/message.js';
import { ForbiddenAddress } from '../system/net/address-guard.js';
import { type Asked, LegacyFailure, Unreachable } from './failure.js';
import { authorizationOf, baseOf, type LegacyLimits, type LegacyServer } from './server.js';

export interface Outgoing extends Asked {
  readonly organization: number | undefined;
  readonly body: string | Buffer | undefined;
  readonly accept?: string | undefined;
}

export interface Incoming {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

export interface Exchange {
  /** Sends a request once. Rejects with Unreachable, LegacyFailure (too large), or ForbiddenAddress of the guard. */
  send(request: Outgoing): Promise<Incoming>;
  close(): void;
}

/** Connections that are kept open between requests. They follow no redirects, so the credential goes nowhere else. */
export function exchangeWith(server: LegacyServer, { parallel, timeout, bytes }: LegacyLimits): Exchange {
  const { tls, guard, credential, userAgent, signal } = server;
  const base = baseOf(server);
  const protocol = base.startsWith('https:') ? https : http;
  const agent = new protocol.Agent({ keepAlive: true, maxSockets: parallel, ...tls });
  const always = {
    ...(credential && { authorization: authorizationOf(credential) }),
    'user-agent': userAgent,
    'accept-encoding': 'identity',
  };
  return {
    send: async (asked) => {
      signal?.throwIfAborted();
      guard?.checkHost(base);
      const limit = AbortSignal.timeout(timeout);
      const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      const { method } = asked;
      const headers = { ...always, ...headersOf(asked) };
      const options = { method, headers, agent, signal: either, ...(guard && { lookup: guard.lookup }) };
      try {
        const answer = await answered(protocol.request(`${base}${asked.path}`, options), asked.body);
        return { status: answer.statusCode ?? 0, headers: answer.headers, bytes: await readAll(asked, answer, bytes) };
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof LegacyFailure || error instanceof ForbiddenAddress) throw error;
        throw unreachable(
          asked,
          base,
          limit.aborted ? `no answer within ${timeout / 1000} s` : messageOf(error),
          error,
        );
      }
    },
    close: () => agent.destroy(),
  };
}

function headersOf({ organization, body, accept = 'application/json' }: Outgoing): http.OutgoingHttpHeaders {
  return {
    accept,
    ...(organization !== undefined && { 'x-grafana-org-id': String(organization) }),
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
}

function answered(request: http.ClientRequest, body: string | Buffer | undefined): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve).on('error', reject).end(body);
  });
}

async function readAll(asked: Asked, answer: http.IncomingMessage, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length;
    // Leaving the loop destroys the answer.
    if (length > limit) throw new LegacyFailure(asked, 0, `the answer is larger than ${limit} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Errors of a connection that was not made. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function unreachable(asked: Asked, base: string, why: string, cause: unknown): Unreachable {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  const code = first instanceof Error && 'code' in first ? String(first.code) : '';
  const words = why === '' ? messageOf(first) : why;
  return new Unreachable(asked, `the server at ${base} cannot be reached: ${words}`, cause, UNSENT.has(code));
}
