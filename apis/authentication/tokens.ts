import type { Authenticator } from '../../pkg/identity/authn/authenticator.js';
import { tokenRefused } from '../../pkg/identity/authn/errors.js';
import { bearerToken } from '../../pkg/identity/authn/static-token.js';
import { hashSecret, isTokenText } from '../../pkg/identity/authn/token-text.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import { tokenId } from '../internal/credential-ids.js';
import { drawToken, REQUESTED_TOKEN, type TokenOptions } from '../internal/token/issue.js';
import { BY_ACCOUNT, BY_HASH, type TokenSpec } from '../internal/token/schema.js';
import { byCredential, type Directory } from './directory.js';
import type { IdentityServices, SessionAuthor } from './services.js';
import { sweep } from './sweep.js';

type Token = KubeObject<TokenSpec>;

/**
 * Authenticates service accounts by bearer token, also as the password of `api_key`. Other bearer tokens are left to
 * other authenticators. `onUse` is called for each request with a valid token.
 */
export function tokenAuthenticator(
  services: IdentityServices,
  accounts: Directory,
  onUse: (token: Token) => void,
): Authenticator {
  const { resource, now } = services;
  const tokens = resource('internal/tokens');
  const identify = byCredential();

  const accountOf = (token: Token): UserInfo | undefined =>
    accounts.serviceAccount(token.metadata.namespace ?? '', token.spec?.serviceAccountRef.name ?? '');

  const stillValid = ({ metadata }: Token): boolean => {
    const token = services.reader.get<TokenSpec>(tokens, metadata.namespace ?? '', metadata.name);
    return token !== undefined && refusal(token, now()) === undefined && accountOf(token) !== undefined;
  };

  return {
    authenticate: ({ authorization }) => {
      const text = bearerToken(authorization);
      if (text === undefined || !isTokenText(text)) return undefined;
      const [token] = services.reader.range<TokenSpec>(tokens, BY_HASH, [hashSecret(text)], 1);
      if (token === undefined) throw tokenRefused('invalid');
      const why = refusal(token, now());
      if (why !== undefined) throw tokenRefused(why);
      const account = accountOf(token);
      if (account === undefined) throw tokenRefused('invalid');
      onUse(token);
      return identify(account, token, tokenId(token.metadata.name), () => stillValid(token));
    },
  };
}

function refusal(token: Token, now: number): 'revoked' | 'expired' | undefined {
  const { spec } = token;
  if (spec?.revoked === true || isTerminating(token)) return 'revoked';
  return spec?.expires !== undefined && Date.parse(spec.expires) <= now ? 'expired' : undefined;
}

/** The last authenticator of bearer tokens. It refuses unknown tokens, even if the request has other credentials. */
export const unknownTokens: Authenticator = {
  authenticate: ({ authorization }) => {
    if (bearerToken(authorization) === undefined) return undefined;
    throw tokenRefused('invalid');
  },
};

export interface IssueOptions extends Omit<TokenOptions, 'name'> {
  readonly namespace: string;
  /** metadata.name of the token; generated if absent. */
  readonly name?: string;
}

export interface IssuedToken {
  /** The token itself. It is shown only once, because only its hash is stored. */
  readonly text: string;
  readonly token: Token;
}

/** The tokens of service accounts, for both APIs, which authorize the caller beforehand. */
export interface ServiceAccountTokens {
  /** Throws Invalid for a title that is taken or an account that does not exist. */
  issue(options: IssueOptions, by: SessionAuthor): Promise<IssuedToken>;
  list(namespace: string, account: string): readonly Token[];
  /** Revokes a token. It stays listed. Throws 404. */
  revoke(namespace: string, name: string, by: SessionAuthor): Promise<void>;
  /**
   * Deletes tokens of `kubectl create token` some time after their expiry, a limited number per call. Nothing else
   * deletes them.
   */
  sweep(): Promise<void>;
  /** Deletes a token. Throws 404. */
  remove(namespace: string, name: string, by: SessionAuthor): Promise<void>;
}

/** For this time after the expiry callers are told that their token expired. Later it is unknown. */
const KEPT_EXPIRED = 24 * 3_600_000;

export function serviceAccountTokens(services: IdentityServices): ServiceAccountTokens {
  const all = services.objects<TokenSpec>('internal/tokens');
  const writing = (namespace: string, by: SessionAuthor) =>
    services.objects<TokenSpec>('internal/tokens', namespace, by);
  const isOver = ({ metadata, spec }: Token): boolean => {
    const expired = Date.parse(spec?.expires ?? '');
    return metadata.name.startsWith(REQUESTED_TOKEN) && expired + KEPT_EXPIRED < services.now();
  };
  return {
    issue: async ({ namespace, ...options }, by) => {
      const { text, object } = drawToken({ name: services.newName(), ...options });
      return { text, token: await writing(namespace, by).create(object) };
    },
    list: (namespace, account) => [...all.range({ index: BY_ACCOUNT, prefix: [namespace, account] })],
    revoke: async (namespace, name, by) => {
      const change = (old: Token): Token => ({ ...old, spec: { ...(old.spec as TokenSpec), revoked: true } });
      await writing(namespace, by).update(name, change);
    },
    sweep: () => sweep(services, 'internal/tokens', BY_ACCOUNT, isOver),
    remove: async (namespace, name, by) => {
      await writing(namespace, by).delete(name);
    },
  };
}
