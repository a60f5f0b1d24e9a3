import { signal } from '@preact/signals';
import { parseJson } from '../../../kube/json/parse.js';
import { warningsIn } from '../../../system/text/warning-header.js';
import { refusalSentence } from './sentences.js';

/** The path below which a proxy serves the server, without a slash at the end. Empty if there is none. */
export const prefix = new URL('..', document.baseURI).pathname.replace(/\/$/, '');

/** Milliseconds after which a GET counts as lost. */
const READ_WITHIN = 30_000;

/** A problem of one field of the request. */
export interface Cause {
  readonly reason?: string;
  readonly message: string;
  readonly field?: string;
}

/** The server refused the request. The message is that of the server. */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly Cause[];

  constructor(code: number, message: string, reason = '', causes: readonly Cause[] = []) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.causes = causes;
  }
}

/** The server could not be reached. It is unknown whether it has done the request. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached.', { cause });
  }
}

/** Whether the server answers. */
export const isReachable = signal(true);
/** Whether the session has ended. What was typed stays, and the person can sign in again in place. */
export const hasEnded = signal(false);
/** How many requests for the caller of the page were refused because the session has ended, or is of somebody else. */
export const refusals = signal(0);
/** Whether the caller has signed in. A 401 to somebody who never did is no end of a session. */
export const hasSignedIn = signal(false);
/**
 * For whom the page is shown: the uid of the user, or the name of a caller without one. The server refuses requests of
 * this page with the session of somebody else, which another page of the browser may have begun.
 */
export const caller = signal<string | undefined>(undefined);

export interface CallOptions {
  /** A list is sent as one parameter for each of its texts. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  /** A text is sent unchanged, and other values as JSON. */
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** The request is not for the caller of the page, but for whomever the session belongs to. */
  readonly isForAnybody?: boolean;
}

export interface Answer<Body> {
  readonly body: Body;
  readonly status: number;
  readonly headers: Headers;
  /** The texts of the Warning headers. */
  readonly warnings: readonly string[];
}

/** The address of a path of the server, with its query. */
export function addressOf(path: string, query: CallOptions['query'] = {}): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) text.append(name, String(one));
  return `${prefix}${path}${text.size === 0 ? '' : `?${text}`}`;
}

/**
 * Sends a request with the session of the browser. Throws ApiError, Unreachable, or the reason of the aborted signal.
 */
export async function send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const { body, type, accept = 'application/json', headers = {}, query, signal: given, isForAnybody } = options;
  const isText = typeof body === 'string';
  const sent: RequestInit = {
    method,
    headers: {
      accept,
      ...(isForAnybody !== true && caller.value !== undefined && { 'x-expected-user': encodedName(caller.value) }),
      ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    ...(given !== undefined && { signal: given }),
    credentials: 'same-origin',
  };
  let response: Response;
  try {
    response = await fetch(addressOf(path, query), sent);
  } catch (error) {
    if (given?.aborted === true) throw error;
    isReachable.value = false;
    throw new Unreachable(error);
  }
  isReachable.value = !isOfProxy(response);
  if (!isReachable.value) throw new Unreachable(response.status);
  if (response.ok) return response;
  if (response.status === 401 && hasSignedIn.value) {
    hasEnded.value = true;
    if (isForAnybody !== true) refusals.value++;
  }
  throw await errorOf(response);
}

/** As the server encodes it: half a surrogate pair becomes U+FFFD. */
const encodedName = (name: string): string =>
  encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(name)));

/** Whether a proxy answered for a server that is away. Errors of the server itself are JSON. */
function isOfProxy({ status, headers }: Response): boolean {
  const isJson = (headers.get('content-type') ?? '').includes('json');
  return (status === 502 || status === 503 || status === 504) && !isJson;
}

/** Sends a request, and reads the body of the answer. Throws like `send`. */
export async function call<Body>(method: string, path: string, options: CallOptions = {}): Promise<Answer<Body>> {
  const within = method === 'GET' && options.signal === undefined ? AbortSignal.timeout(READ_WITHIN) : undefined;
  const response = await send(method, path, within === undefined ? options : { ...options, signal: within });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  const body = (isJson && text !== '' ? parseJson(text) : text) as Body;
  return { body, status: response.status, headers: response.headers, warnings: warningsOf(response.headers) };
}

/** GET of JSON. */
export async function get<Body>(path: string, query?: CallOptions['query'], signal?: AbortSignal): Promise<Body> {
  const { body } = await call<Body>('GET', path, { ...(query && { query }), ...(signal && { signal }) });
  return body;
}

interface Refusal {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly Cause[] };
}

/** Both APIs have a message in the body. */
async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  let refusal: Refusal = {};
  try {
    refusal = JSON.parse(text) as Refusal;
  } catch {
    // The answer is that of a proxy.
  }
  const { message = `The server answered ${response.status} ${response.statusText}.`, reason, details } = refusal;
  return new ApiError(response.status, message, reason, details?.causes);
}

/** The texts of the `Warning` headers of the server, and none that a proxy has added. */
export function warningsOf(headers: Headers): readonly string[] {
  const found = warningsIn(headers.get('warning') ?? '');
  return found.filter(({ code, agent }) => code === '299' && agent === '-').map(({ text }) => text);
}

/** A message that begins with a word begins with a capital letter. One that begins with a name stays. */
function sentence(message: string): string {
  return /^[a-z]+ /.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message;
}

/** The message of an error for people. */
export function wordsOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'The server did not answer in time.';
  if (error instanceof ApiError && error.code === 403) return sentence(refusalSentence(error.message));
  return sentence(error instanceof Error ? error.message : String(error));
}
