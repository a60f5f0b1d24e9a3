import type { ApiResponse } from '../../pkg/http/handler.js';
import { jsonSteps, PLAIN } from '../../pkg/kube/json/json-steps.js';
import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import { runStepsYielding } from '../../pkg/system/yielding/yielding.js';
import { bytesSteps } from '../read/bytes-steps.js';

const encoder = new TextEncoder();

/** The headers of every answer of the legacy API. */
const USUAL = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'deny',
  'x-xss-protection': '1; mode=block',
} as const;

export function legacyJson(status: number, value: unknown, headers: ApiResponse['headers'] = {}): ApiResponse {
  return { status, headers: { ...USUAL, ...headers }, body: encoder.encode(JSON.stringify(value)) };
}

const { 'content-type': _, ...BODILESS } = USUAL;

/** 204 without a body. */
export const NO_CONTENT: ApiResponse = { status: 204, headers: BODILESS };

/** 200 with a value. */
export function ok(value: unknown, headers: ApiResponse['headers'] = {}): ApiResponse {
  return legacyJson(200, value, headers);
}

/** The same for a value that may be large: its text is written in steps. */
export async function okInSteps(value: unknown): Promise<ApiResponse> {
  return okBytes(await runStepsYielding(bytesSteps(jsonSteps(value, PLAIN))));
}

/** 200 with JSON that is encoded already. */
export function okBytes(body: NonNullable<ApiResponse['body']>): ApiResponse {
  return { status: 200, headers: USUAL, body };
}

/** 201 with the new object. */
export function created(value: unknown): ApiResponse {
  return legacyJson(201, value);
}

/** 200 with `{"message": …}` and the members of `more`. */
export function done(message: string, more: Readonly<Record<string, unknown>> = {}): ApiResponse {
  return legacyJson(200, { message, ...more });
}

const HELD =
  'The deletion has begun: the object stays until its finalizers and those of the objects that depend on it are removed';

/** The answer to a deletion, by the last state of the object: 200 if it is gone, 202 if it stays terminating. */
export function deleted(
  object: KubeObject,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): ApiResponse {
  return isTerminating(object) ? legacyJson(202, { message: HELD, ...more }) : done(message, more);
}
