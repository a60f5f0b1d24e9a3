import { hashSecret, newToken } from '../../../pkg/identity/authn/token-text.js';
import type { NewObject } from '../../../registry/client/objects.js';
import type { TokenSpec } from './schema.js';

export interface TokenOptions {
  /** metadata.name of the token. */
  readonly name: string;
  /** metadata.name of the service account. */
  readonly account: string;
  /** Unique among the tokens of the account. */
  readonly title: string;
  /** Milliseconds since the epoch. Absent: the token does not expire. */
  readonly expires?: number;
}

export interface NewToken {
  /** The bearer token. Only its hash is stored, so it can be shown only now. */
  readonly text: string;
  readonly object: NewObject<TokenSpec>;
}

/** Draws a token. The token is issued when the object is created. */
export function drawToken({ name, account, title, expires }: TokenOptions): NewToken {
  const text = newToken();
  const spec: TokenSpec = {
    serviceAccountRef: { name: account },
    title,
    hash: hashSecret(text),
    ...(expires !== undefined && { expires: new Date(expires).toISOString() }),
  };
  return { text, object: { metadata: { name }, spec } };
}

/** The names of tokens that were requested by TokenRequest begin with this. */
export const REQUESTED_TOKEN = 'request-';
