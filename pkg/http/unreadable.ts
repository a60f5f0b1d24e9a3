import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { badRequest } from '../kube/status/errors.js';
import { ApiError } from '../kube/status/status.js';
import { headersTooLarge } from './header-limit.js';
import { JSON_TYPE } from './json.js';

/**
 * Milliseconds until the connection is closed. Until then a client may go on sending, so that it has time to read the
 * answer.
 */
const LINGER = 1_000;

/** An error of Node's parser, or of the connection. */
type ClientError = NodeJS.ErrnoException & { readonly reason?: string };

/**
 * Answers a request that Node cannot read as HTTP/1.1 (`clientError` of its server), and closes the connection.
 * `onRefusal` gets the answer.
 */
export function answerUnreadable(error: ClientError, socket: Duplex, onRefusal: (answer: ApiError) => void): void {
  // Node calls this again for data that arrives before the socket is destroyed.
  if (socket.writableEnded) return;
  const known = asApiError(error);
  if (known === undefined || !socket.writable || isBeingAnswered(socket)) {
    socket.destroy();
    return;
  }
  onRefusal(known);
  socket.end(messageOf(known));
  setTimeout(() => socket.destroy(), LINGER).unref();
}

/** `undefined` if the connection failed, because then the client can read no answer. */
function asApiError({ code = '', reason = code }: ClientError): ApiError | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message: 'the chunks have too many extensions' });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError({ code: 408, reason: 'Timeout', message: 'the request did not come whole in time' });
  }
  return code.startsWith('HPE_') ? badRequest(`the request is not valid HTTP/1.1 (${reason})`) : undefined;
}

/**
 * A second answer must not follow a partial one. Node's own handler checks the same private field, because there is no
 * public one.
 */
function isBeingAnswered(socket: Duplex & { readonly _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

function messageOf(error: ApiError): string {
  const body = `${JSON.stringify(error.toStatus())}\n`;
  const head = [
    `HTTP/1.1 ${error.code} ${STATUS_CODES[error.code]}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-cache, private',
    'X-Content-Type-Options: nosniff',
    'X-Frame-Options: DENY',
    'Cross-Origin-Resource-Policy: same-origin',
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
