import { type Sealer, sealer } from '../../../pkg/identity/crypto/seal.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { serviceUnavailable } from '../../../pkg/kube/status/errors.js';
import type { AlsoWrite } from '../../../registry/kinds/strategy.js';
import { type Entry, nameOf, objectOf, type Reader } from '../../../registry/read/reader.js';
import type { ApisEnvironment } from '../../environment.js';
import { newDataKey } from '../../internal/datakey/key.js';
import { DATA_KEY, SECRETS } from '../../internal/datakey/schema.js';
import type { SealedSecretSpec } from '../../internal/sealedsecret/schema.js';
import type { SSOSettingSpec } from './schema.js';
import { contextOf, type EnteredValues, maskedSecrets, newSecrets, secretResources, storedSecrets } from './secrets.js';

/** The key that encrypts, and the write that stores it if it is new. */
interface Encryption {
  readonly sealer: Sealer;
  readonly writes: readonly AlsoWrite[];
}

/**
 * The writes that store the secrets of a setting, encrypted. `object` is masked, `sent` has what the caller sent.
 * Encryption is random, so a second run of the transaction stores other texts for the same secrets.
 */
export function sealedWrites(
  object: KubeObject<SSOSettingSpec>,
  sent: KubeObject<SSOSettingSpec>,
  reader: Reader,
  environment: ApisEnvironment,
): readonly AlsoWrite[] {
  const provider = object.metadata.name;
  const settings = object.spec?.settings ?? {};
  const before = storedSecrets(reader, environment.domain, environment.signOn).sealed(provider);
  const fresh = newSecrets(sent.spec?.settings ?? {});
  const kept = keptOf(settings, before, fresh);
  const resource = secretResources(environment.domain).secrets;
  if (fresh.size === 0) return isSame(kept, before) ? [] : [{ resource, name: provider, spec: { values: kept } }];
  const { sealer: key, writes } = encryption(provider, Object.keys(kept).length > 0, reader, environment);
  const added = [...fresh].map(([name, value]) => [name, key.seal(value, contextOf(provider, name))]);
  return [...writes, { resource, name: provider, spec: { values: { ...kept, ...Object.fromEntries(added) } } }];
}

type Sealed = Readonly<Record<string, string>>;

/** The encrypted values that stay. */
function keptOf(settings: EnteredValues, before: Sealed, fresh: ReadonlyMap<string, string>): Sealed {
  const kept = maskedSecrets(settings).filter((name) => !fresh.has(name));
  return Object.fromEntries(kept.flatMap((key) => (before[key] === undefined ? [] : [[key, before[key]]])));
}

const isSame = (kept: Sealed, before: Sealed): boolean => Object.keys(kept).length === Object.keys(before).length;

/**
 * The data key, or a new one if there is none. A key that cannot be opened is replaced only if nothing else is
 * encrypted under it. Throws 503 otherwise.
 */
function encryption(provider: string, keeps: boolean, reader: Reader, { domain, signOn }: ApisEnvironment): Encryption {
  const { key } = storedSecrets(reader, domain, signOn);
  if (key !== undefined) return { sealer: key, writes: [] };
  const { secrets, keys } = secretResources(domain);
  const others = [...reader.inNamespace(secrets, '')].filter((entry) => nameOf(entry) !== provider);
  if (keeps || others.some(hasSecrets) || reader.size(SECRETS) > 0) throw serviceUnavailable(WRONG_KEY);
  const dataKey = newDataKey(sealer(signOn.secretKey()));
  return { sealer: dataKey.sealer, writes: [{ resource: keys, name: DATA_KEY, spec: dataKey.spec }] };
}

function hasSecrets(entry: Entry): boolean {
  return Object.keys(objectOf<SealedSecretSpec>(entry).spec?.values ?? {}).length > 0;
}

const WRONG_KEY =
  'Secrets cannot be stored: security.secret_key is not the key under which the other secrets are encrypted. Restore the key, or delete the settings of all providers that have secrets and set them again.';
