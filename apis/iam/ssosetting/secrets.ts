import { type Sealer, sealer } from '../../../pkg/identity/crypto/seal.js';
import { type SignOnValues, secretsIn, withSecrets } from '../../../pkg/identity/signon/values.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { Reader } from '../../../registry/read/reader.js';
import type { SignOnEnvironment } from '../../environment.js';
import { openDataKey, unsealed } from '../../internal/datakey/key.js';
import { DATA_KEY, type DataKeySpec } from '../../internal/datakey/schema.js';
import type { SealedSecretSpec } from '../../internal/sealedsecret/schema.js';
import { MASKED } from './schema.js';

export type EnteredValues = Partial<SignOnValues>;

/** The resources that hold the secrets of sign-on settings. */
export function secretResources(domain: string) {
  return {
    settings: resourceName('iam/ssosettings', domain),
    secrets: resourceName('internal/sealedsecrets', domain),
    keys: resourceName('internal/datakeys', domain),
  };
}

/** The names of the secrets that are shown masked. */
export function maskedSecrets(values: EnteredValues): readonly string[] {
  return secretsIn(values).flatMap(({ name, value }) => (value === MASKED ? [name] : []));
}

/** What a secret is bound to, so that an encrypted value cannot be moved to another key or provider. */
export const contextOf = (provider: string, key: string): string => `ssosettings/${provider}/${key}`;

/** The secrets in the store, at one state. */
export interface StoredSecrets {
  /** The encrypted values of a provider by key. */
  sealed(provider: string): Readonly<Record<string, string>>;
  /** The value; undefined if there is none, or if it cannot be decrypted. */
  open(provider: string, key: string): string | undefined;
  /** The data key; undefined if there is none yet, or if `security.secret_key` does not open it. */
  readonly key: Sealer | undefined;
}

export function storedSecrets(reader: Reader, domain: string, signOn: SignOnEnvironment): StoredSecrets {
  const { secrets, keys } = secretResources(domain);
  const stored = reader.get<DataKeySpec>(keys, '', DATA_KEY)?.spec;
  const key = stored && openDataKey(stored, sealer(signOn.secretKey()));
  const sealed = (provider: string) => reader.get<SealedSecretSpec>(secrets, '', provider)?.spec?.values ?? {};
  return {
    sealed,
    key,
    open: (provider, name) => {
      const text = sealed(provider)[name];
      return text === undefined || key === undefined ? undefined : unsealed(key, text, contextOf(provider, name));
    },
  };
}

/**
 * The settings as they are stored and shown: without secrets. A masked value for which no secret is stored is left out.
 */
export function maskedSettings(sent: EnteredValues, old: EnteredValues | undefined): EnteredValues {
  const stored = new Set(secretsIn(old ?? {}).map(({ name }) => name));
  return withSecrets(sent, ({ name, value }) => (value === MASKED && !stored.has(name) ? undefined : MASKED));
}

export const LOST_SECRET = 'It is not stored for this host. Type it again: a secret is not sent to another host.';

/** The secrets of servers that are sent masked, and are not stored for the host: somebody must type them again. */
export function lostSecrets(sent: EnteredValues, old: EnteredValues | undefined) {
  const stored = new Set(secretsIn(old ?? {}).map(({ name }) => name));
  return secretsIn(sent).filter(({ key, name, value }) => key === 'config' && value === MASKED && !stored.has(name));
}

/** The values of secrets that a write sets, by name. */
export function newSecrets(sent: EnteredValues): ReadonlyMap<string, string> {
  const fresh = secretsIn(sent).filter(({ value }) => value !== MASKED);
  return new Map(fresh.map(({ name, value }) => [name, value]));
}
