import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../pkg/config/schema.js';
import { filesOfStore } from '../../pkg/identity/certs/store.js';
import { trusts } from '../../pkg/identity/certs/trust.js';
import type { OperatorCredentials } from './identity.js';
import type { SharedPkiStore } from './pki-store.js';
import { loadTls, type Tls } from './tls.js';

/** The certificates of this server and the credentials of the operator, which may be rotated while the server runs. */
export interface Keys {
  readonly operator: OperatorCredentials;
  /** The certificates of the last `renew`. */
  tls(): Tls;
  /** Reads everything again, and renews certificates that end soon. */
  renew(): Promise<Tls>;
  /** Whether something was changed since the last `renew` began. */
  hasChanged(): Promise<boolean>;
}

export interface KeysOptions {
  readonly settings: Settings;
  readonly clock: () => Date;
  /** The authority of servers that share a database. */
  readonly store: SharedPkiStore | undefined;
  /** Called with a sentence for the operator whenever a certificate is read that needs care. */
  readonly warn: (message: string) => void;
}

export async function openKeys({ settings, clock, store, warn }: KeysOptions): Promise<Keys> {
  const { data } = settings.paths;
  const { cert_file, key_file } = settings.server;
  const files = [
    join(data, 'admin.token'),
    ...(store === undefined ? filesOfStore(join(data, 'pki')) : []),
    ...[cert_file, key_file].filter((file) => file !== undefined),
  ];
  const versions = async (): Promise<readonly unknown[]> => [
    store?.version(),
    ...(await Promise.all(files.map(versionOf))),
  ];
  const read = async () => {
    const seen = await versions();
    const tls = await loadTls(settings, clock, store);
    if (tls.warning !== undefined) warn(tls.warning);
    return { seen, tls };
  };
  let latest = await read();
  return {
    tls: () => latest.tls,
    renew: async () => {
      latest = await read();
      return latest.tls;
    },
    hasChanged: async () => (await versions()).some((version, index) => version !== latest.seen[index]),
    operator: {
      token: () => latest.tls.pki.adminToken,
      // The stored generation counts at once, also while this server still makes its new certificates.
      accepts: ({ x509 }) => x509 !== undefined && trusts(store?.trust() ?? latest.tls.pki.trust, x509),
    },
  };
}

/** Changes when the file is replaced; undefined if there is none. */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(path);
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return undefined;
  }
}
