import type { z } from 'zod';
import { type DecodeLimits, decodeAhead, decodeJson, mayBeLarge } from '../kube/json/decode.js';
import { messageOf } from '../system/errors/message.js';
import { yieldToLoop } from '../system/yielding/yielding.js';
import type { Incoming } from './exchange.js';
import { type Asked, LegacyFailure } from './failure.js';

/** What the server answered, if it did what was asked. */
export interface LegacyAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** How answers are read. */
export interface Decoding {
  /** Makes a text of the server fit for people. */
  readonly redact: (text: string) => string;
  readonly limits: DecodeLimits;
}

/** Reads an answer. Throws LegacyFailure if it is an error, a redirect, or no JSON. */
export async function answerOf(
  asked: Asked,
  { status, headers, bytes }: Incoming,
  { redact, limits }: Decoding,
): Promise<LegacyAnswer> {
  if (status >= 300 && status < 400) throw redirected(asked, status, headers.location, redact);
  const isDone = status >= 200 && status < 300;
  const body = await bodyOf(bytes, limits).catch((error: unknown) => {
    if (!isDone) return undefined;
    const type = headers['content-type'] ?? 'no type';
    const why = /html/i.test(type) || bytes[0] === 0x3c ? 'a page and not JSON. Is this the address of its API?' : '';
    const words = why === '' ? `what cannot be read as JSON (${redact(type)}): ${redact(messageOf(error))}` : why;
    throw new LegacyFailure(asked, status, `the server answered ${status} with ${words}`);
  });
  if (isDone) return { status, body };
  const why = `the server answered ${status}: ${redact(messageIn(body) ?? textOf(bytes))}`;
  const wait = secondsOf(headers['retry-after']);
  throw new LegacyFailure(asked, status, why, { body, ...(wait !== undefined && { wait }) });
}

async function bodyOf(bytes: Buffer, limits: DecodeLimits): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  if (mayBeLarge(bytes)) for (const _ of decodeAhead(bytes, limits)) await yieldToLoop();
  return decodeJson(bytes, limits).value;
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' ? body.message : undefined;
}

const textOf = (bytes: Buffer): string => {
  const text = bytes.subarray(0, 1000).toString('utf8');
  return /^\s*</.test(text) ? 'a page and not JSON' : text;
};

/** The header has seconds or a date. */
function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

function redirected(asked: Asked, status: number, location: string | undefined, redact: (text: string) => string) {
  const where = location !== undefined && URL.canParse(location) ? new URL(location) : undefined;
  const to = where === undefined ? 'another address' : redact(`${where.origin}${where.pathname}`);
  const advice = 'The credential is not sent there. If that is the server, give its address';
  return new LegacyFailure(asked, status, `the server answered ${status}, and leads to ${to}. ${advice}.`);
}

/** The body in the form that is expected. Throws LegacyFailure that says where it differs. */
export function read<T>(schema: z.ZodType<T>, asked: Asked, { status, body }: LegacyAnswer): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.');
  const why = `the answer is not what this API answers: ${where}: ${issue?.message ?? ''}`;
  throw new LegacyFailure(asked, status, why);
}
