import { createHash } from 'node:crypto';
import type { LdapConfig, LdapServerConfig } from './config.js';

/** The keys of a server with secret values. */
export const SECRET_SERVER_KEYS = ['bind_password', 'client_key', 'client_key_value'] as const;
type SecretServerKey = (typeof SECRET_SERVER_KEYS)[number];

/**
 * A secret in the configuration. It belongs to the host and not to the place in the list, so that no change of a host
 * has this server send the secret to another one.
 */
export interface ConfigSecret {
  /** `config/<hash of the host>.<number among the servers of this host>/bind_password`. */
  readonly name: string;
  /** `.servers[0].bind_password`. */
  readonly at: string;
  readonly value: string;
}

export function configSecrets(config: LdapConfig): readonly ConfigSecret[] {
  const found: ConfigSecret[] = [];
  mapSecrets(config, (secret) => {
    found.push(secret);
    return secret.value;
  });
  return found;
}

/** The configuration with other values of its secrets. Undefined leaves a secret out. */
export function mapSecrets(config: LdapConfig, change: (secret: ConfigSecret) => string | undefined): LdapConfig {
  const counts = new Map<string, number>();
  const servers = config.servers.map((server, index) => {
    const host = (server.host ?? '').trim().toLowerCase();
    const number = counts.get(host) ?? 0;
    counts.set(host, number + 1);
    const place = `config/${createHash('sha256').update(host).digest('hex').slice(0, 16)}.${number}`;
    const isPresent = (key: SecretServerKey): boolean => server[key] !== undefined && server[key] !== '';
    const changes = SECRET_SERVER_KEYS.filter(isPresent).map(
      (key): Change => [
        key,
        change({ name: `${place}/${key}`, at: `.servers[${index}].${key}`, value: server[key] ?? '' }),
      ],
    );
    return withChanges(server, changes);
  });
  return { ...config, servers };
}

type Change = readonly [key: SecretServerKey, value: string | undefined];

function withChanges(server: LdapServerConfig, changes: readonly Change[]): LdapServerConfig {
  const gone = new Set(changes.filter(([, value]) => value === undefined).map(([key]) => key as string));
  const kept = Object.entries({ ...server, ...Object.fromEntries(changes) }).filter(([key]) => !gone.has(key));
  return Object.fromEntries(kept) as LdapServerConfig;
}
