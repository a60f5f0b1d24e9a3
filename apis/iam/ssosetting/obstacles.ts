import { isIPv6 } from 'node:net';
import { hostsOf } from '../../../pkg/identity/ldap/config.js';
import { NO_ROOT_URL } from '../../../pkg/identity/saml/root-url.js';
import type { SignOnProvider } from '../../../pkg/identity/signon/keys.js';
import type { Reach } from '../../../pkg/identity/signon/reach.js';
import type { SignOnValues } from '../../../pkg/identity/signon/values.js';
import type { SignOnEnvironment } from '../../environment.js';

/** Why nobody can sign in by a provider, although its settings are right: the server itself is in the way. */
export function obstaclesOf(
  type: SignOnProvider,
  values: SignOnValues,
  reach: Reach,
  { rootUrl, isLocal }: SignOnEnvironment,
): readonly string[] {
  const isWithoutAddress = type === 'saml' && rootUrl === undefined && isLocal !== true;
  return [...(isWithoutAddress ? [NO_ROOT_URL] : []), ...unreachable(values, reach)];
}

const ASKED = ['tokenUrl', 'apiUrl', 'teamsUrl', 'idpMetadataUrl'] as const;

/** The addresses that the server must ask at a sign-in, and does not ask. */
function unreachable(values: SignOnValues, { guard, ofOperator }: Reach): readonly string[] {
  const hosts = values.config.servers.flatMap(hostsOf).map((host) => ['config', urlOf(host)] as const);
  const asked = [...ASKED.map((key) => [key, values[key]] as const), ...hosts];
  return asked.flatMap(([key, url]) => {
    const why = ofOperator.has(key) || url === '' ? undefined : guard.problem(url);
    return why === undefined ? [] : [`spec.settings.${key}: ${why}`];
  });
}

const urlOf = (host: string): string => `ldap://${isIPv6(host) ? `[${host}]` : host}`;
