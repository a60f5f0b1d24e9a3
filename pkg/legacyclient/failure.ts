import { printable } from '../system/text/printable.js';
import type { Credential } from './server.js';

/** What a failure says which request it was about. */
export interface Asked {
  readonly method: string;
  /** With the query. */
  readonly path: string;
}

/** The server answered with an error, or with what cannot be used. */
export class LegacyFailure extends Error {
  readonly asked: Asked;
  readonly status: number;
  /** The body of the answer, if it is JSON. */
  readonly body: unknown;
  /** Seconds that the server asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(
    asked: Asked,
    status: number,
    why: string,
    more: { readonly body?: unknown; readonly wait?: number } = {},
  ) {
    super(`${asked.method} ${printable(asked.path)}: ${printable(why)}`);
    this.asked = asked;
    this.status = status;
    this.body = more.body;
    this.retryAfter = more.wait;
  }
}

/** There was no answer, or not all of it. */
export class Unreachable extends Error {
  readonly asked: Asked;
  /** The server certainly did nothing, because no connection was made. */
  readonly isUnsent: boolean;

  constructor(asked: Asked, why: string, cause: unknown, isUnsent: boolean) {
    super(`${asked.method} ${printable(asked.path)}: ${why}`, { cause });
    this.asked = asked;
    this.isUnsent = isUnsent;
  }
}

/** The answer, or undefined if the object is not there. Anything else that went wrong is thrown on. */
export async function unlessAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof LegacyFailure && error.status === 404) return undefined;
    throw error;
  }
}

const LONGEST = 300;
const HIDDEN = '…';

/** Makes a text of the server fit for people: one line, not long, and without the credential, which it may repeat. */
export function redactorOf(credential: Credential | undefined): (text: string) => string {
  const secrets = secretsOf(credential).filter((secret) => secret !== '');
  return (text) => {
    let shown = text;
    for (const secret of secrets) shown = shown.replaceAll(secret, HIDDEN);
    const line = printable(shown.replace(/\s+/g, ' ').trim());
    return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  };
}

function secretsOf(credential: Credential | undefined): readonly string[] {
  if (credential === undefined) return [];
  if ('authorization' in credential) return [credential.authorization.replace(/^\S+ /, '')];
  if ('token' in credential) return [credential.token];
  const { login, password } = credential;
  return [Buffer.from(`${login}:${password}`).toString('base64'), password];
}
