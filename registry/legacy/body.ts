import type { z } from 'zod';
import type { ApiRequest } from '../../pkg/http/handler.js';
import { isJson, mediaTypeOf } from '../../pkg/http/media-type.js';
import { isNoForeignForm } from '../../pkg/http/site.js';
import { decodeJson } from '../../pkg/json/decode.js';
import { badRequestData, plainFailure } from './errors.js';

/**
 * Reads the body as JSON. An empty body or `null` is an empty object. Scripts with a bearer token may name any content type, as `curl -d` does.
 * Throws 400 "bad request data", and 415 for a type that a form on a page of another site could have.
 */
export function legacyBody<T>(request: ApiRequest, schema: z.ZodType<T>): T {
  checkMediaType(request);
  const value = decoded(request.body) ?? {};
  if (request.audit !== undefined) request.audit.body = value;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw badRequestData(parsed.error);
  return parsed.data;
}

function checkMediaType(request: ApiRequest): void {
  const type = mediaTypeOf(request);
  if (request.body.length === 0 || type === undefined || isJson(type) || isNoForeignForm(request)) return;
  throw plainFailure(415, 'the body must be JSON, with the header Content-Type: application/json');
}

function decoded(body: Uint8Array): unknown {
  if (body.every((byte) => BLANKS.has(byte))) return {};
  try {
    return decodeJson(body).value;
  } catch (error) {
    throw badRequestData(error);
  }
}

const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Whether the body is JSON or empty. */
export function isReadable(body: Uint8Array): boolean {
  try {
    decoded(body);
    return true;
  } catch {
    return false;
  }
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['false', false],
  ['0', false],
  ['true', true],
  ['1', true],
]);

/** A boolean parameter, in lower or upper case. False without it. Throws 400 for any other text. */
export function flag(query: URLSearchParams, name: string): boolean {
  const value = FLAGS.get((query.get(name) ?? '').toLowerCase());
  if (value === undefined) throw plainFailure(400, `${name} must be true or false`);
  return value;
}

/** A query parameter that is an integer of at least 1. Returns `fallback` for any other value. */
export function positive(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name) ?? '';
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  return value > 0 ? value : fallback;
}
