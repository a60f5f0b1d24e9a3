import { readFile } from 'node:fs/promises';
import * as openid from 'openid-client';
import { MemberScan } from '../../kube/json/members.js';
import { type BoundedFetch, boundedFetch, type ClientTls } from '../../system/net/bounded-fetch.js';
import { lifetime } from '../../system/time/lifetime.js';
import { ALGORITHMS } from '../authn/jwt.js';
import { SignOnFailure } from './failure.js';
import type { AskedAddress } from './reach.js';
import type { OAuthProvider, OAuthSettings } from './settings.js';

/** All requests of one sign-in together take no longer, in milliseconds. */
const LONGEST = 10_000;
/** The most bytes of one answer. */
const MOST_BYTES = 1024 * 1024;

/** Makes requests to the address in one setting, and to those below it. */
export type ProviderFetch = (address: AskedAddress) => BoundedFetch;

/** Requests to the provider of one sign-in. */
export async function providerFetch(
  { settings, reach }: Pick<OAuthProvider, 'settings' | 'reach'>,
  signal: AbortSignal,
  patience = LONGEST,
): Promise<ProviderFetch> {
  const { signal: ends } = lifetime(signal, patience);
  const isInsecure = settings.tlsSkipVerifyInsecure;
  const options = { signal: ends, bytes: MOST_BYTES, tls: await tlsOf(settings), isInsecure, check };
  const { guard, ofOperator } = reach;
  return (address) => boundedFetch(ofOperator.has(address) ? options : { ...options, guard });
}

/** The library parses the answer of the token address. */
const LIMITS = { depth: 20, values: 10_000 };

function check(body: Uint8Array): void {
  const scan = new MemberScan(body);
  scan.read(LIMITS);
  scan.check(LIMITS);
}

async function tlsOf(settings: OAuthSettings): Promise<ClientTls> {
  const { tlsClientCa, tlsClientCert, tlsClientKey, tlsSkipVerifyInsecure } = settings;
  try {
    const [ca, cert, key] = await Promise.all([tlsClientCa, tlsClientCert, tlsClientKey].map(pemOf));
    return {
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(tlsSkipVerifyInsecure && { rejectUnauthorized: false }),
    };
  } catch (error) {
    throw new SignOnFailure(
      'settings',
      'tls_client_ca, tls_client_cert or tls_client_key names a file that cannot be read',
      error,
    );
  }
}

/** The setting is a path, or PEM. */
async function pemOf(setting: string): Promise<Buffer | string | undefined> {
  if (setting === '' || setting.includes('-----BEGIN')) return setting || undefined;
  return readFile(setting);
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * How the provider checks that the token request is from this server, in the order in which the ways are tried. Throws
 * SignOnFailure.
 */
export async function clientAuthentications(settings: OAuthSettings): Promise<readonly openid.ClientAuth[]> {
  const { clientAuthentication, authStyle, clientSecret } = settings;
  if (clientAuthentication === 'managed_identity') {
    throw new SignOnFailure('settings', 'the client authentication managed_identity is not supported');
  }
  if (clientAuthentication === 'workload_identity') return [await workloadIdentity(settings)];
  if (clientAuthentication === 'none' || clientSecret === '') return [openid.None()];
  const basic = openid.ClientSecretBasic(clientSecret);
  const post = openid.ClientSecretPost(clientSecret);
  const named = { client_secret_basic: basic, client_secret_post: post, InHeader: basic, InParams: post };
  const one = Object.entries(named).find(([name]) => name === clientAuthentication || name === authStyle)?.[1];
  return one === undefined ? [basic, post] : [one];
}

/** A token in a file, which the platform renews, in place of a secret (RFC 7523 §2.2). */
async function workloadIdentity({ workloadIdentityTokenFile: path }: OAuthSettings): Promise<openid.ClientAuth> {
  const token = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new SignOnFailure('settings', 'workload_identity_token_file cannot be read', error);
  });
  return (_server, { client_id: id }, body) => {
    body.set('client_id', id);
    body.set('client_assertion_type', ASSERTION_TYPE);
    body.set('client_assertion', token.trim());
  };
}

/** The client of a provider that has no discovery document. `issuer` is what its ID tokens must name. */
export function clientOf(
  settings: OAuthSettings,
  issuer: string,
  fetch?: BoundedFetch,
  authentication?: openid.ClientAuth,
): openid.Configuration {
  const { authUrl, tokenUrl, clientId } = settings;
  if (clientId === '' || !URL.canParse(authUrl) || !URL.canParse(tokenUrl)) {
    throw new SignOnFailure('settings', 'client_id, auth_url and token_url are needed');
  }
  const server = {
    issuer,
    authorization_endpoint: authUrl,
    token_endpoint: tokenUrl,
    id_token_signing_alg_values_supported: ALGORITHMS,
  };
  const client = new openid.Configuration(server, clientId, undefined, authentication ?? openid.None());
  // The fetch refuses what is not encrypted, except on this machine.
  openid.allowInsecureRequests(client);
  if (fetch !== undefined) client[openid.customFetch] = fetch;
  return client;
}
