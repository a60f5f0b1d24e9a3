import { parseJson } from '../../kube/json/parse.js';
import type { ApiResponse } from '../handler.js';
import type { Level } from './event.js';
import type { Mask } from './mask.js';
import type { AuditNotes } from './notes.js';

/** Larger bodies are left out, because masking and writing them would keep other requests waiting. */
const MOST_BYTES = 256 * 1024;

export interface Bodies {
  readonly requestObject: unknown;
  readonly responseObject: unknown;
  /** A body was left out. */
  readonly isTruncated: boolean;
}

interface Sent {
  readonly body: Uint8Array;
  readonly audit?: AuditNotes | undefined;
  readonly response: ApiResponse | undefined;
}

const NONE: Bodies = { requestObject: undefined, responseObject: undefined, isTruncated: false };

/**
 * The bodies that the level asks for, without secrets. A request that was refused before its body was read has none.
 */
export function bodiesOf({ body, audit, response }: Sent, level: Level, mask: Mask): Bodies {
  if (level !== 'Request' && level !== 'RequestResponse') return NONE;
  const isRequestShort = body.byteLength <= MOST_BYTES;
  const answer = level === 'RequestResponse' ? response : undefined;
  const isAnswerShort = answer === undefined || isShort(answer);
  return {
    requestObject: isRequestShort ? mask(audit?.body) : undefined,
    responseObject: isAnswerShort ? mask(jsonOf(answer?.body as Uint8Array | undefined)) : undefined,
    isTruncated: !isRequestShort || !isAnswerShort,
  };
}

/** Whether the body is small, and neither a stream nor compressed. */
function isShort({ body, headers }: ApiResponse): boolean {
  if (body === undefined) return true;
  return body instanceof Uint8Array && body.byteLength <= MOST_BYTES && headers['content-encoding'] === undefined;
}

function jsonOf(body: Uint8Array | undefined): unknown {
  if (body === undefined || body.byteLength === 0) return undefined;
  try {
    return parseJson(Buffer.from(body).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
