import type { z } from 'zod';
import type { ApiRequest } from '../../pkg/http/handler.js';
import { decodeJson } from '../../pkg/json/decode.js';
import { badRequestData } from './errors.js';

/** Reads the body as JSON, whatever its content type is. An empty body or `null` is an empty object. Throws 400 "bad request data". */
export function legacyBody<T>(request: ApiRequest, schema: z.ZodType<T>): T {
  const value = decoded(request.body) ?? {};
  if (request.audit !== undefined) request.audit.body = value;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw badRequestData(parsed.error);
  return parsed.data;
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

/** A query parameter that is an integer of at least 1. Returns `fallback` for any other value. */
export function positive(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name) ?? '';
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  return value > 0 ? value : fallback;
}
