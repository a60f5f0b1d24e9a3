import { expect } from 'chai';
import type { Answer } from '../harness/answer.js';
import type { CallOptions, Server } from '../harness/server.js';

/** Any body of the legacy API. Tests read the members that they expect. */
// biome-ignore lint/suspicious/noExplicitAny: a test that reads an absent field fails
export type Json = any;

/** A time, as answers of the legacy API write it. */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/;

export interface Legacy {
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Expects the status, and returns the body. */
  ask(status: number, method: string, path: string, body?: unknown, options?: CallOptions): Promise<Json>;
  /** Expects exactly this failure, except for the field after "bad request data: ", which has its own tests. */
  refused(status: number, expected: unknown, method: string, path: string, body?: unknown): Promise<void>;
}

export function legacyOf(server: () => Server): Legacy {
  const call: Legacy['call'] = (method, path, options) => server().call(method, `/api${path}`, options);
  const ask: Legacy['ask'] = async (status, method, path, body, options = {}) => {
    const answer = await call(method, path, { ...options, ...(body === undefined ? {} : { body }) });
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.equal(status);
    return answer.text === '' ? undefined : JSON.parse(answer.text);
  };
  return {
    call,
    ask,
    refused: async (status, expected, method, path, body) => {
      expect(shortened(await ask(status, method, path, body))).to.deep.equal(shortened(expected));
    },
  };
}

const BAD_DATA = /^bad request data: .+/s;

/** The failure without the field that was wrong. */
export function shortened<T>(failure: T): T {
  const message = (failure as { readonly message?: unknown } | undefined)?.message;
  return typeof message === 'string' && BAD_DATA.test(message) ? { ...failure, message: 'bad request data' } : failure;
}

let names = 0;

/** A uid that no other test of this process has. */
export function fresh(prefix: string): string {
  names += 1;
  return `${prefix}-${names}`;
}
