import { badRequest, tooLarge, tooManyRequests } from '../status/errors.js';
import type { Incoming } from './wire.js';

const EMPTY = new Uint8Array(0);
const CUT_SHORT = 'the request ended before its body did';

/** Whether the request says it has a body. */
function hasBody(req: Incoming): boolean {
  if (req.hasBody !== undefined) return req.hasBody;
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Bodies that have begun and not ended keep no more than this, all together. */
const MOST_WAITING = 256 * 2 ** 20;

/** What is kept of bodies on their way. */
export interface Waiting {
  bytes: number;
}

/**
 * Reads the body whole. Throws ApiError 413 as soon as it is known to be over `limit`, and 429 when too much of other bodies is waiting for
 * its end; what follows is left unread.
 */
export function readBody(req: Incoming, limit: number, waiting: Waiting): Promise<Uint8Array> | Uint8Array {
  if (!hasBody(req)) return EMPTY;
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  return collect(req, limit, waiting);
}

function collect(req: Incoming, limit: number, waiting: Waiting): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (): void => {
      waiting.bytes -= length;
      req.off('data', onData);
      req.off('end', onEnd);
      req.off('close', onClose);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      waiting.bytes += chunk.length;
      if (length <= limit && waiting.bytes <= MOST_WAITING) {
        chunks.push(chunk);
        return;
      }
      settle();
      req.pause();
      reject(length > limit ? tooLarge(limit) : tooManyRequests(1));
    };
    const onEnd = (): void => {
      settle();
      if (!req.complete) reject(badRequest(CUT_SHORT));
      else resolve(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks));
    };
    const onClose = (): void => {
      settle();
      reject(badRequest(CUT_SHORT));
    };
    req.on('data', onData);
    req.on('end', onEnd);
    req.on('close', onClose);
  });
}

/** How long, and how much, a client may go on sending a body that was refused, so that it reads the answer before we hang up. */
const LINGER = { milliseconds: 1_000, bytes: 16 * 2 ** 20 };

/** Call after answering a request whose body was not read to its end. */
export function discardBody(req: Incoming): void {
  if (req.complete || !hasBody(req)) return;
  if (req.discard !== undefined) {
    req.discard();
    return;
  }
  let length = 0;
  const hangUp = (): void => {
    req.socket.destroy();
  };
  const timer = setTimeout(hangUp, LINGER.milliseconds);
  req.on('data', (chunk) => {
    length += chunk.length;
    if (length > LINGER.bytes) hangUp();
  });
  req.on('end', () => clearTimeout(timer));
  req.on('close', () => clearTimeout(timer));
  req.resume();
}
