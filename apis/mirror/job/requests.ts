import type { z } from 'zod';
import type { LegacyClient, Method, Query } from '../../../pkg/legacyclient/client.js';
import { LegacyFailure, unlessAbsent } from '../../../pkg/legacyclient/failure.js';
import { type PagesOptions, pages } from '../../../pkg/legacyclient/pages.js';
import { Outage } from './refusal.js';

/** The most items that a list of the other server may have. They are remembered. */
const MOST_LISTED = 200_000;

/** Requests to the other server. Nothing is written when another server of ours keeps the mirror. */
export class Requests {
  readonly #client: LegacyClient;
  readonly #mayWrite: () => boolean;

  constructor(client: LegacyClient, mayWrite: () => boolean) {
    this.#client = client;
    this.#mayWrite = mayWrite;
  }

  get<T>(path: string, schema: z.ZodType<T>, query?: Query): Promise<T> {
    return this.#client.get(path, schema, query);
  }

  /** Absent: there is no such object. */
  find<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
    return unlessAbsent(this.get(path, schema));
  }

  pages<T>(options: PagesOptions<T>): AsyncGenerator<readonly T[], void> {
    return pages(this.#client, { most: MOST_LISTED, ...options });
  }

  async send<T>(method: Method, path: string, body: object, schema: z.ZodType<T>): Promise<T> {
    this.#checkElected();
    const answer = await this.#client.send(method, path, { body });
    const parsed = schema.safeParse(answer.body);
    if (parsed.success) return parsed.data;
    throw new LegacyFailure({ method, path }, answer.status, 'the answer is not what this API answers');
  }

  /** What is gone already is deleted. */
  async delete(path: string, query?: Query): Promise<void> {
    this.#checkElected();
    await unlessAbsent(this.#client.send('DELETE', path, query && { query }));
  }

  close(): void {
    this.#client.close();
  }

  #checkElected(): void {
    if (!this.#mayWrite()) throw new Outage('another server keeps the mirror now');
  }
}
