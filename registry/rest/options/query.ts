import { askedTimeout } from '../../../pkg/http/middleware/deadline.js';
import { badRequest, invalid } from '../../../pkg/kube/status/errors.js';

const LIST_OPTIONS = { group: 'meta.k8s.io', kind: 'ListOptions' };

type VersionMatch = 'Exact' | 'NotOlderThan' | undefined;

export interface ListOptions {
  /** 0: no limit. As in Kubernetes, that is also what a negative one means. */
  readonly limit: number;
  readonly continue: string;
  /** `undefined`: the most recent state. 0: any state. */
  readonly resourceVersion: RequestedRevision | undefined;
  readonly match: VersionMatch;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly watch: boolean;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  /** 0: the server decides. */
  readonly timeoutSeconds: number;
}

/** Parses the query of list and watch. Throws 400, or 422 for options that contradict each other. */
export function parseListOptions(query: URLSearchParams): ListOptions {
  const options: ListOptions = {
    limit: Math.max(parseInteger(query, 'limit') ?? 0, 0),
    continue: query.get('continue') ?? '',
    resourceVersion: parseRevision(query.get('resourceVersion')),
    match: parseMatch(query.get('resourceVersionMatch')),
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    watch: parseBoolean(query, 'watch') ?? false,
    bookmarks: parseBoolean(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: parseBoolean(query, 'sendInitialEvents'),
    timeoutSeconds: secondsOf(query),
  };
  if (options.watch) checkWatch(options);
  else checkList(options);
  return isLegacyWatch(options) ? { ...options, sendInitialEvents: true } : options;
}

/** Go's typed clients send the time of a watch as `timeoutSeconds` and as `timeout`. The shorter one holds. */
function secondsOf(query: URLSearchParams): number {
  const seconds = Math.max(parseInteger(query, 'timeoutSeconds') ?? 0, 0) || undefined;
  const timeout = askedTimeout(query);
  if (timeout === undefined) return seconds ?? 0;
  return Math.min(seconds ?? Number.POSITIVE_INFINITY, timeout / 1000);
}

/**
 * A watch with bookmarks from now or from any revision also marks the end of the initial events (docs/wire-contract.md,
 * section 4.4).
 */
function isLegacyWatch({ watch, bookmarks, resourceVersion, sendInitialEvents }: ListOptions): boolean {
  return watch && bookmarks && sendInitialEvents === undefined && (resourceVersion ?? 0) === 0;
}

/** The rules of Kubernetes' ValidateListOptions (docs/wire-contract.md, section 3.2). */
function checkList({ match, resourceVersion, continue: token, sendInitialEvents }: ListOptions): void {
  if (sendInitialEvents !== undefined) throw forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  if (match === undefined) {
    if (token !== '' && resourceVersion !== undefined && resourceVersion !== 0) {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    return;
  }
  const field = 'resourceVersionMatch';
  if (token !== '') throw forbidden(field, 'resourceVersionMatch is forbidden when continue is provided');
  if (resourceVersion === undefined)
    throw forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (match === 'Exact' && resourceVersion === 0) {
    throw forbidden(field, 'resourceVersionMatch "Exact" is forbidden for resourceVersion "0"');
  }
}

function checkWatch({ match, sendInitialEvents, continue: token }: ListOptions): void {
  const field = 'resourceVersionMatch';
  if (token !== '') throw forbidden(field, 'resourceVersionMatch is forbidden when continue is provided');
  if (sendInitialEvents === undefined && match !== undefined) {
    throw forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  }
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    throw forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
}

function forbidden(field: string, message: string): Error {
  return invalid(LIST_OPTIONS, '', [{ reason: 'FieldValueForbidden', message: `Forbidden: ${message}`, field }]);
}

function parseMatch(text: string | null): VersionMatch {
  if (text === null || text === '') return undefined;
  if (text === 'Exact' || text === 'NotOlderThan') return text;
  const message = `Unsupported value: ${JSON.stringify(text.slice(0, 100))}: supported values: "Exact", "NotOlderThan"`;
  throw invalid(LIST_OPTIONS, '', [{ reason: 'FieldValueNotSupported', message, field: 'resourceVersionMatch' }]);
}

/** A bigint above 2^53, because a number would be rounded. No revision is that large. */
export type RequestedRevision = number | bigint;

const LARGEST_UINT64 = 2n ** 64n - 1n;

/** Parses an unsigned integer of 64 bits, as Kubernetes does. Throws 400. */
export function parseRevision(text: string | null | undefined): RequestedRevision | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  const revision = /^[0-9]{1,20}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(revision)) return revision;
  if (Number.isNaN(revision) || BigInt(text) > LARGEST_UINT64)
    throw badRequest(`Invalid value: ${JSON.stringify(text.slice(0, 100))}: invalid resource version`);
  return BigInt(text);
}

const [LEAST_INT64, LARGEST_INT64] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Parses an integer of 64 bits, which Go's clients send for "all". Beyond 2^53 it counts as 2^53. Throws 400. */
export function parseInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const integer = /^[-+]?[0-9]{1,100}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
  if (integer === undefined || integer < LEAST_INT64 || integer > LARGEST_INT64)
    throw badRequest(`the query parameter ${name} must be an integer, not ${JSON.stringify(text.slice(0, 100))}`);
  return Math.max(Math.min(Number(integer), Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);
}

/**
 * `0` and `false` in any case are false, and all else is true, also the empty text, as in apimachinery's
 * Convert_Slice_string_To_bool.
 */
export function parseBoolean(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}
