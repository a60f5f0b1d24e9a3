import { SIGN_ON_PROVIDERS, type SignOnProvider, signOnType } from '../../../pkg/identity/signon/keys.js';
import { providerGuard, type Reach, reachOf } from '../../../pkg/identity/signon/reach.js';
import { type SignOnKey, type SignOnValues, withSecrets } from '../../../pkg/identity/signon/values.js';
import { isTerminating, type KubeObject } from '../../../pkg/kube/meta/types.js';
import type { AddressGuard } from '../../../pkg/system/net/address-guard.js';
import { nameOf, type Reader } from '../../../registry/read/reader.js';
import type { ApisEnvironment } from '../../environment.js';
import { effectiveValues, systemValues } from './effective.js';
import { MASKED, type SSOSettingSpec } from './schema.js';
import { type EnteredValues, type StoredSecrets, secretResources, storedSecrets } from './secrets.js';

/** The settings of a provider that apply now. They contain its secrets, so they are neither shown nor logged. */
export interface ProviderSettings {
  /** The name of the provider in paths: `okta`, `okta-west`. */
  readonly provider: string;
  /** `okta` for both. */
  readonly type: SignOnProvider;
  /** The uid of the object that stores settings of the provider; empty if there is none. */
  readonly id: string;
  readonly source: 'database' | 'system';
  /** A value of each key. The keys that the provider does not have are empty. */
  readonly values: SignOnValues;
  /** Those of clients that this server does not know. */
  readonly custom?: SSOSettingSpec['custom'];
  readonly reach: Reach;
  /** The secrets that are stored but cannot be decrypted with `security.secret_key`. Their values are empty. */
  readonly unreadable: readonly SignOnKey[];
}

/** The providers as this server knows them now. */
export interface SignOnProviders {
  /** Undefined if there is no such provider. */
  get(provider: string): ProviderSettings | undefined;
  /** All providers, in the order of lists. */
  all(): readonly ProviderSettings[];
  /** Those that are enabled. */
  enabled(): readonly ProviderSettings[];
}

/** Resolves the settings of the providers again only when what is stored has changed. */
export function signOnProviders(reader: Reader, environment: ApisEnvironment): SignOnProviders {
  const resources = secretResources(environment.domain);
  const guard = providerGuard(environment.signOn.networks ?? []);
  const known = new Map<string, ProviderSettings>();
  let versions: readonly object[] = [];
  const forgetOld = (): void => {
    const stored = Object.values(resources).map((resource) => reader.version(resource));
    const now = [...stored, ...Object.values(environment.signOn.configured)];
    if (now.every((version, index) => version === versions[index])) return;
    known.clear();
    versions = now;
  };
  const get = (provider: string): ProviderSettings | undefined => {
    forgetOld();
    const settings = known.get(provider) ?? resolved(provider, reader, environment, guard);
    // With an unreadable secret it is resolved again, because the right secret key may be there the next time.
    if (settings !== undefined && settings.unreadable.length === 0) known.set(provider, settings);
    return settings;
  };
  const all = (): readonly ProviderSettings[] => {
    const stored = [...reader.inNamespace(resources.settings, '')].map(nameOf);
    const names = new Set([...SIGN_ON_PROVIDERS, ...stored]);
    return [...names].flatMap((name) => get(name) ?? []);
  };
  return { get, all, enabled: () => all().filter(({ values }) => values.enabled) };
}

/** The settings of a provider at the state of `reader`. Providers with a suffix are only those that are stored. */
function resolved(
  provider: string,
  reader: Reader,
  environment: ApisEnvironment,
  guard: AddressGuard,
): ProviderSettings | undefined {
  const { domain, signOn } = environment;
  const type = signOnType(provider);
  if (type === undefined) return undefined;
  const system = systemValues(provider, signOn);
  const object = reader.get<SSOSettingSpec>(secretResources(domain).settings, '', provider);
  const reaching = (values: SignOnValues) => ({ values, reach: reachOf(values, system, guard) });
  if (object === undefined || isTerminating(object)) {
    const ofSystem = { provider, type, id: '', source: 'system', ...reaching(system), unreadable: [] } as const;
    return type === provider ? ofSystem : undefined;
  }
  const { stored, unreadable } = opened(object, storedSecrets(reader, domain, signOn));
  const values = effectiveValues(stored, system);
  const id = object.metadata.uid ?? '';
  const custom = object.spec?.custom;
  return { provider, type, id, source: 'database', ...reaching(values), unreadable, ...(custom && { custom }) };
}

/** What is stored, with the secrets. */
function opened({ metadata, spec }: KubeObject<SSOSettingSpec>, secrets: StoredSecrets) {
  const stored: EnteredValues = spec?.settings ?? {};
  const unreadable = new Set<SignOnKey>();
  const values = withSecrets(stored, ({ name, key, value }) => {
    if (value !== MASKED) return value;
    const secret = secrets.open(metadata.name, name);
    if (secret === undefined) unreadable.add(key);
    return secret ?? '';
  });
  return { stored: values, unreadable: [...unreadable] };
}
