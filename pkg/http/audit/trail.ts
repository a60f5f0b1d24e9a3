import { randomUUID } from 'node:crypto';
import { ANONYMOUS, type UserInfo } from '../../identity/authn/user.js';
import type { ApiError } from '../../kube/status/status.js';
import type { ApiRequest, ApiResponse } from '../handler.js';
import { bodiesOf } from './bodies.js';
import type { AuditEvent, EventObject, EventStatus, EventUser, Level, Stage } from './event.js';
import { type Mask, maskOf, maskUri } from './mask.js';
import { type AuditNotes, type ChangedObject, listOf, objectOf } from './notes.js';
import type { Policy } from './policy.js';
import { type AuditAttributes, type Decide, decisionsOf, quietPaths } from './rules.js';

/** A request after its handler has answered. */
export interface AuditedRequest
  extends Pick<ApiRequest, 'auditId' | 'audit' | 'client' | 'headers' | 'method' | 'path' | 'query' | 'user'> {
  /** Path and query as they were sent. */
  readonly uri: string;
  readonly body: Uint8Array;
  /** By the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Who asked to act as `user`. */
  readonly impersonator: UserInfo | undefined;
  /** Undefined if the client left before there was one. */
  readonly response: ApiResponse | undefined;
  readonly failure: ApiError | undefined;
  readonly isOfResourceApi: boolean;
}

/** Work that the server did by itself. */
export interface BackgroundWork {
  readonly user: UserInfo;
  /** What was written. */
  readonly notes: Pick<AuditNotes, 'changes' | 'furtherChanges'>;
  /** Why, for people. */
  readonly reason: string;
}

/** The verb and the object of a request to the resource API; undefined for its documents. */
export type ResourceOf = (
  request: Pick<AuditedRequest, 'isOfResourceApi' | 'method' | 'path' | 'query'>,
) => { readonly verb: string; readonly object: EventObject } | undefined;

export interface AuditOptions {
  readonly policy: Policy;
  readonly resourceOf: ResourceOf;
  /** Names of members of bodies that hold secrets. */
  readonly secretFields: readonly string[];
  /** Suffix of our own annotations. */
  readonly domain: string;
  /** Takes an event as a line of JSON. If it returns a promise, the answer to the client waits for it. */
  readonly write: (line: string) => Promise<void> | undefined;
}

/** Records that a request reached a stage. The answer waits for the promise, if there is one. */
export type Recording = (stage: Stage) => Promise<void> | undefined;

/** Answers that refuse a caller: unknown, not permitted, a wrong host name, headers that are too large. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 421, 431]);
const MOST_USER_AGENT = 1024;
const MOST_MESSAGE = 1024;
const MOST_LOGIN = 200;

/** Decides which requests are recorded, and makes their events. */
export class AuditTrail {
  readonly #options: AuditOptions;
  readonly #decide: Decide;
  readonly #isQuietPath: (path: string) => boolean;
  readonly #mask: Mask;

  constructor(options: AuditOptions) {
    this.#options = options;
    this.#decide = decisionsOf(options.policy);
    this.#isQuietPath = quietPaths(options.policy);
    this.#mask = maskOf(options.secretFields);
  }

  /** Undefined if the request is not recorded. */
  recordingOf(request: AuditedRequest): Recording | undefined {
    if (this.#isQuiet(request)) return undefined;
    const { policy, resourceOf, write } = this.#options;
    const named = resourceOf(request);
    const subject = subjectOf(request, named);
    const decision = this.#decide(subject);
    const isRaised = decision.level === 'None' && !policy.omitRefusals && isNotable(request);
    const level = isRaised ? 'Metadata' : decision.level;
    if (level === 'None') return undefined;
    const event = this.#eventOf(request, subject, level);
    const { startedAt } = request;
    const received = Date.now() - (performance.now() - startedAt);
    return (stage) => {
      if (decision.omitStages.has(stage)) return undefined;
      return write(lineOf(event, stage, received, received + performance.now() - startedAt));
    };
  }

  /**
   * Records that a client was refused before its request could be read. So neither the caller nor the target is known.
   */
  unreadable(failure: ApiError, remoteAddress: string): void {
    if (this.#options.policy.omitRefusals || !REFUSALS.has(failure.code)) return;
    const event = eventOfServer(ANONYMOUS, '', {
      sourceIPs: addresses(remoteAddress),
      responseStatus: statusOf(failure.code, failure),
    });
    void this.#options.write(lineNow(event));
  }

  /** Records what the server wrote by itself, by the rules for the first object. More work waits for the promise. */
  background({ user, notes, reason }: BackgroundWork): Promise<void> | undefined {
    const [first] = notes.changes;
    if (first === undefined) return undefined;
    const { object, others } = objectOf(undefined, notes.changes);
    const { level, omitStages } = this.#decide({ user, verbs: [first.verb], object, path: undefined });
    if (level === 'None' || omitStages.has('ResponseComplete')) return undefined;
    const { domain, write } = this.#options;
    const annotations = {
      [`audit.${domain}/reason`]: reason.slice(0, MOST_MESSAGE),
      ...(others.length > 0 && { [`audit.${domain}/objects`]: listOf(others, notes.furtherChanges) }),
    };
    const responseStatus = statusOf(200, undefined);
    return write(lineNow(eventOfServer(user, first.verb, { level, objectRef: object, responseStatus, annotations })));
  }

  /** Most requests are reads that succeed and that no rule asks for. This takes less time than trying each rule. */
  #isQuiet({ method, path, query, audit, response }: AuditedRequest): boolean {
    if (method !== 'GET' || response === undefined || response.status >= 400 || audit === undefined) return false;
    return audit.login === undefined && audit.changes.length === 0 && this.#isQuietPath(path) && !query.has('watch');
  }

  #eventOf(request: AuditedRequest, { verbs, object, others }: Subject, level: Level): UntimedEvent {
    const { requestObject, responseObject, isTruncated } = bodiesOf(request, level, this.#mask);
    const { domain } = this.#options;
    const { login, signInFailure: failure } = request.audit ?? {};
    const annotations = {
      ...decisionOf(request),
      ...(login !== undefined && { [`authentication.${domain}/login`]: login.slice(0, MOST_LOGIN) }),
      ...(failure !== undefined && { [`authentication.${domain}/failure`]: failure.slice(0, MOST_MESSAGE) }),
      ...(others.length > 0 && { [`audit.${domain}/objects`]: listOf(others, request.audit?.furtherChanges ?? 0) }),
      ...(isTruncated && { 'audit.k8s.io/truncated': 'true' }),
    };
    const { impersonator, user, response } = request;
    return {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level,
      auditID: request.auditId,
      stage: undefined,
      requestURI: maskUri(request.uri),
      verb: verbs[0],
      user: eventUser(callerOf(request)),
      impersonatedUser: impersonator && eventUser(user),
      sourceIPs: addresses(request.client?.remoteAddress),
      userAgent: request.headers['user-agent']?.slice(0, MOST_USER_AGENT),
      objectRef: object,
      responseStatus: response && statusOf(response.status, request.failure),
      requestObject,
      responseObject,
      requestReceivedTimestamp: undefined,
      stageTimestamp: undefined,
      annotations: Object.keys(annotations).length > 0 ? annotations : undefined,
    };
  }
}

type Timed = Pick<AuditEvent, 'stage' | 'requestReceivedTimestamp' | 'stageTimestamp'>;
/** Has a member for everything that a stage sets. To copy an event for each stage would take as long as making it. */
type UntimedEvent = Omit<AuditEvent, keyof Timed> & { -readonly [Key in keyof Timed]: Timed[Key] | undefined };

interface Subject extends AuditAttributes {
  readonly verbs: readonly [string, ...string[]];
  /** What the request wrote besides `object`. */
  readonly others: readonly ChangedObject[];
}

/** A legacy call is about the object that it wrote, so that rules for its resource hold for both APIs. */
function subjectOf(request: AuditedRequest, named: ReturnType<ResourceOf>): Subject {
  const { audit, method, path } = request;
  const changes = audit?.changes ?? [];
  const { object, others } = objectOf(named?.object, changes);
  const user = callerOf(request);
  if (named !== undefined) return { user, verbs: [named.verb], object, others, path: undefined };
  const plain = method.toLowerCase();
  const [change] = changes;
  if (change === undefined) return { user, verbs: [plain], object, others, path };
  // A call that wrote something is no read, whatever its method.
  return { user, verbs: plain === 'get' ? [change.verb] : [change.verb, plain], object, others, path };
}

function callerOf({ impersonator, audit, user }: AuditedRequest): UserInfo {
  return impersonator ?? audit?.user ?? user;
}

/** Whether the request was refused, or tried to sign in by a password or a provider, with or without success. */
function isNotable({ response, audit }: AuditedRequest): boolean {
  return audit?.login !== undefined || (response !== undefined && REFUSALS.has(response.status));
}

/** The annotations of Kubernetes' authorization. Requests that failed for other reasons have none. */
function decisionOf({ response, failure, audit }: AuditedRequest): Readonly<Record<string, string>> {
  const code = response?.status ?? 500;
  if (audit?.signInFailure !== undefined) return {};
  if (code < 400) return { 'authorization.k8s.io/decision': 'allow' };
  if (code !== 403) return {};
  const reason = failure?.message.slice(0, MOST_MESSAGE) ?? '';
  return { 'authorization.k8s.io/decision': 'forbid', 'authorization.k8s.io/reason': reason };
}

/** An event without a request that could be read. */
function eventOfServer(user: UserInfo, verb: string, more: Partial<UntimedEvent>): UntimedEvent {
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: randomUUID(),
    stage: undefined,
    requestURI: '',
    verb,
    user: eventUser(user),
    requestReceivedTimestamp: undefined,
    stageTimestamp: undefined,
    ...more,
  };
}

/** The address is unknown if the connection ended early. */
function addresses(address = ''): AuditEvent['sourceIPs'] {
  return address === '' ? undefined : [address];
}

function eventUser({ name, uid, groups, extra }: UserInfo): EventUser {
  return { username: name, uid: uid || undefined, groups, extra: Object.keys(extra).length > 0 ? extra : undefined };
}

function statusOf(code: number, failure: ApiError | undefined): EventStatus {
  if (code < 400) return { metadata: {}, code };
  const { message, reason } = failure ?? {};
  return { metadata: {}, status: 'Failure', message: message?.slice(0, MOST_MESSAGE), reason, code };
}

function lineNow(event: UntimedEvent): string {
  const now = Date.now();
  return lineOf(event, 'ResponseComplete', now, now);
}

/** `received` is when the request came, `at` when the stage was reached, both in milliseconds since the epoch. */
function lineOf(event: UntimedEvent, stage: Stage, received: number, at: number): string {
  event.stage = stage;
  event.requestReceivedTimestamp = microTime(received);
  event.stageTimestamp = microTime(at);
  return `${JSON.stringify(event)}\n`;
}

let lastStamp = { millisecond: Number.NaN, text: '' };

/**
 * metav1.MicroTime: RFC 3339 with microseconds. The last result is remembered, because many stages fall into the same
 * millisecond.
 */
function microTime(milliseconds: number): string {
  const millisecond = Math.floor(milliseconds);
  if (millisecond !== lastStamp.millisecond)
    lastStamp = { millisecond, text: new Date(millisecond).toISOString().slice(0, -1) };
  const micros = Math.floor((milliseconds - millisecond) * 1000);
  return `${lastStamp.text}${String(micros).padStart(3, '0')}Z`;
}
