import pLimit from 'p-limit';
import type { z } from 'zod';
import { jsonSteps, PLAIN } from '../kube/json/json-steps.js';
import { limitsOf } from '../kube/json/limits.js';
import { runStepsYielding } from '../system/yielding/yielding.js';
import { answerOf, type Decoding, type LegacyAnswer, read } from './answer.js';
import { type Exchange, exchangeWith } from './exchange.js';
import { redactorOf } from './failure.js';
import { Retries, type RetriesOptions, waiting } from './retries.js';
import { type LegacyLimits, type LegacyServer, LIMITS } from './server.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface LegacyRequest {
  readonly query?: Query;
  /** The media type of the answer, if it is not plain JSON. */
  readonly accept?: string;
  /** A value of JSON. */
  readonly body?: unknown;
  /**
   * Whether the request may be sent again if its outcome is not known. By default GET, PUT and DELETE may. A DELETE
   * that is sent again may answer 404.
   */
  readonly isIdempotent?: boolean;
}

/** The legacy REST API of another server. It knows no kinds. */
export interface LegacyClient {
  /** Rejects with LegacyFailure if the answer is an error, and with Unreachable if there is none. */
  send(method: Method, path: string, request?: LegacyRequest): Promise<LegacyAnswer>;
  /** The body of an answer to GET. Rejects also if it has not the form of the schema. */
  get<T>(path: string, schema: z.ZodType<T>, query?: Query): Promise<T>;
  /** The same server with the same limits, in another organization. */
  inOrganization(organization: number): LegacyClient;
  /** Ends the connections. */
  close(): void;
}

export type LegacyClientOptions = LegacyServer & Partial<Pick<RetriesOptions, 'onRetry' | 'wait'>>;

/** Throws WrongAddress. */
export function legacyClient(options: LegacyClientOptions): LegacyClient {
  const limits: LegacyLimits = { ...LIMITS, ...options.limits };
  const { signal, onRetry = () => undefined, wait = waiting } = options;
  const shared: Shared = {
    exchange: exchangeWith(options, limits),
    retries: new Retries({ limits, signal, onRetry, wait }),
    slots: pLimit(limits.parallel),
    decoding: { redact: redactorOf(options.credential), limits: limitsOf(limits.bytes) },
  };
  return new SharedClient(shared, options.organization);
}

/** What the clients of all organizations share. */
interface Shared {
  readonly exchange: Exchange;
  readonly retries: Retries;
  readonly slots: ReturnType<typeof pLimit>;
  readonly decoding: Decoding;
}

const IDEMPOTENT: ReadonlySet<Method> = new Set(['GET', 'PUT', 'DELETE']);

class SharedClient implements LegacyClient {
  readonly #shared: Shared;
  readonly #organization: number | undefined;

  constructor(shared: Shared, organization: number | undefined) {
    this.#shared = shared;
    this.#organization = organization;
  }

  async send(method: Method, path: string, request: LegacyRequest = {}): Promise<LegacyAnswer> {
    const { exchange, retries, slots, decoding } = this.#shared;
    const { query, accept, body: value, isIdempotent = IDEMPOTENT.has(method) } = request;
    const body = value === undefined ? undefined : await runStepsYielding(jsonSteps(value, PLAIN));
    const asked = { method, path: `${path}${queryOf(query)}`, body, accept, organization: this.#organization };
    const attempt = async () => answerOf(asked, await slots(() => exchange.send(asked)), decoding);
    return retries.run(attempt, isIdempotent);
  }

  async get<T>(path: string, schema: z.ZodType<T>, query?: Query): Promise<T> {
    return read(schema, { method: 'GET', path }, await this.send('GET', path, query && { query }));
  }

  inOrganization(organization: number): LegacyClient {
    return new SharedClient(this.#shared, organization);
  }

  close(): void {
    this.#shared.exchange.close();
  }
}

function queryOf(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of value === undefined ? [] : [value].flat()) parameters.append(name, String(one));
  return parameters.size === 0 ? '' : `?${parameters}`;
}
