import { randomInt } from 'node:crypto';
import { retryHeaders } from '../../pkg/http/errors.js';
import type { ApiResponse } from '../../pkg/http/handler.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { ApiError, type CauseReason, type Reason, type StatusCause } from '../../pkg/kube/status/status.js';
import { MISSING, missingActions, missingPermissionsMessage } from '../authorization/denied.js';
import type { ObjectReader } from '../client/object-reader.js';
import { legacyJson } from './respond.js';

/** The body of a failure. People read its `message`. */
export interface FailureBody {
  readonly message: string;
  readonly [more: string]: unknown;
}

/** A failure with the words of the legacy API. */
export class LegacyError extends ApiError {
  readonly body: FailureBody;

  constructor(code: number, body: FailureBody, cause?: unknown) {
    super({
      code,
      reason: REASONS[code] ?? (code < 500 ? 'BadRequest' : 'InternalError'),
      message: body.message,
      cause,
    });
    this.name = 'LegacyError';
    this.body = body;
  }
}

const REASONS: Readonly<Record<number, Reason>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'Conflict',
  413: 'RequestEntityTooLarge',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** `{"message": …}`. */
export function plainFailure(code: number, message: string, cause?: unknown): LegacyError {
  return new LegacyError(code, { message }, cause);
}

/** `{"statusCode", "messageId", "message"}`: failures that callers distinguish by an identifier. */
export function structured(code: number, messageId: string, message: string): FailureBody {
  return { statusCode: code, messageId, message, extra: null };
}

/**
 * The body has the wrong form for the endpoint. `detail` names the field, and comes after the words that clients know.
 */
export function badRequestData(cause?: unknown, detail?: string): LegacyError {
  return plainFailure(400, detail === undefined ? 'bad request data' : `bad request data: ${detail}`, cause);
}

/** The caller lacks these actions. */
export function accessDenied(actions: readonly string[]): LegacyError {
  return new LegacyError(403, {
    accessErrorId: `ACE${String(randomInt(10 ** 10)).padStart(10, '0')}`,
    title: 'Access denied',
    message: missingPermissionsMessage(actions),
    // As in a Status, for callers who would otherwise read the message.
    details: { causes: actions.map((action) => ({ reason: MISSING, message: action })) },
  });
}

/** Throws 403 unless the caller has the action on the object. Without an object: on any object. */
export function requireAction(objects: Pick<ObjectReader, 'may'>, action: string, object?: KubeObject): void {
  if (!objects.may(action, object)) throw accessDenied([action]);
}

/**
 * Gives a failure of the registry its status and body in the legacy API. A rule matches if all of its conditions match.
 */
export interface ErrorRule {
  readonly code?: number;
  readonly reason?: Reason;
  /** Matches the message of the whole failure, for failures without causes. */
  readonly message?: RegExp;
  /** `field`, `cause` and `says` must match the same cause. */
  readonly field?: string;
  readonly cause?: CauseReason | (string & {});
  readonly says?: RegExp;
  readonly status: number;
  readonly body: FailureBody;
}

/**
 * The failure in the words of the first rule that matches. Returns the same error if no rule matches or it is already a
 * LegacyError.
 */
export function legacyErrorOf(error: unknown, rules: readonly ErrorRule[]): unknown {
  if (!(error instanceof ApiError) || error instanceof LegacyError) return error;
  const rule = rules.find((rule) => fits(rule, error));
  return rule === undefined ? error : new LegacyError(rule.status, rule.body, error);
}

function fits(rule: ErrorRule, { code, reason, message, details }: ApiError): boolean {
  if (rule.code !== undefined && rule.code !== code) return false;
  if (rule.reason !== undefined && rule.reason !== reason) return false;
  if (rule.message !== undefined && !rule.message.test(message)) return false;
  const wantsCause = rule.field !== undefined || rule.cause !== undefined || rule.says !== undefined;
  return !wantsCause || (details?.causes ?? []).some((cause) => causeFits(rule, cause));
}

function causeFits(rule: ErrorRule, cause: StatusCause): boolean {
  if (rule.field !== undefined && rule.field !== cause.field) return false;
  if (rule.cause !== undefined && rule.cause !== cause.reason) return false;
  return rule.says === undefined || rule.says.test(cause.message);
}

/** Renders a failure of the legacy API. */
export function renderLegacyError(error: ApiError): ApiResponse {
  const { code, body } = error instanceof LegacyError ? error : inGeneral(error);
  return legacyJson(code, body, { 'content-type': ERROR_TYPE, ...retryHeaders(error) });
}

const ERROR_TYPE = 'application/json; charset=UTF-8';

function inGeneral(error: ApiError): LegacyError {
  const { code, message } = error;
  const messageId = messageIdOf(error);
  if (messageId !== undefined) return new LegacyError(code, { ...structured(code, messageId, message), traceID: '' });
  if (code === 400 || code === 422) return plainFailure(400, firstCause(error) ?? message);
  if (code === 403) return accessDenied(missingActions(error));
  if (code === 404) return plainFailure(404, 'Not found');
  return plainFailure(code, code === 500 ? 'Internal Server Error' : message);
}

const MESSAGE_ID = /^[a-z][a-z-]*\.[a-zA-Z.-]+$/;

/** The identifier of a failure (`api-key.expired`). A Status carries it in `details.uid`. */
function messageIdOf({ code, details }: ApiError): string | undefined {
  const uid = details?.uid ?? '';
  if (MESSAGE_ID.test(uid)) return uid;
  return code === 401 ? 'auth.unauthorized' : undefined;
}

/**
 * The message of the first cause, without Kubernetes' prefix. The name of the field is put before a message that does
 * not contain it.
 */
function firstCause({ details }: ApiError): string | undefined {
  const { message, field = '' } = details?.causes?.[0] ?? {};
  const text = message?.replace(/^(Invalid value|Required value|Not found|Forbidden): /, '');
  const name = /[A-Za-z0-9_]+(\[[0-9]+\])*$/.exec(field)?.[0];
  const says = name === undefined || text === undefined || text.toLowerCase().includes(name.toLowerCase());
  return says ? text : `${name}: ${text}`;
}
