import { MASTERS_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import type { KeyPair } from '../../pkg/certs/generate.js';
import type { PkiStore } from '../../pkg/certs/store.js';
import { SealBroken, type Sealer } from '../../pkg/crypto/seal.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { ApiError } from '../../pkg/status/status.js';
import { objectKey, type Registry } from '../../registry/registry.js';
import type { Store } from '../../registry/store.js';
import { objectOfEntry } from '../../registry/view.js';

const SYSTEM: UserInfo = { name: 'system:apiserver', uid: '', groups: [MASTERS_GROUP], extra: {} };
const NAME = 'certificate-authority';

interface Spec {
  readonly algorithm: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

/**
 * The certificate authority among the objects, its key sealed under `security.secret_key`: servers that share a database trust each
 * other's clients. `keys` is the store of the SigningKey kind.
 */
export function sharedPkiStore(registry: Registry, keys: Store, sealer: Sealer): PkiStore {
  const options = { user: SYSTEM, namespace: '', dryRun: false };
  const stored = (): KubeObject | undefined => {
    const entry = registry.cacher.state.resource(keys.kind.qualified).get(objectKey(keys.kind, '', NAME));
    return entry && objectOfEntry(entry);
  };
  const load = async (): Promise<KeyPair | undefined> => {
    await registry.cacher.fresh();
    const object = stored();
    return object && opened(object.spec as Spec, sealer);
  };
  const create = async (next: KeyPair): Promise<void> => {
    const { apiVersion, kind } = keys.kind;
    await keys.create({ apiVersion, kind, metadata: { name: NAME }, spec: sealed(next, sealer) }, options);
  };
  const update = async (previous: KeyPair, next: KeyPair): Promise<void> => {
    const change = (old: KubeObject): KubeObject =>
      opened(old.spec as Spec, sealer).certificate === previous.certificate
        ? { ...old, spec: sealed(next, sealer) }
        : old;
    await keys.update(NAME, change, options);
  };
  return {
    load,
    replace: async (previous, next) => {
      await (previous === undefined ? create(next).catch(unlessThere) : update(previous, next));
      return (await load()) ?? next;
    },
  };
}

function sealed(pair: KeyPair, sealer: Sealer): Spec {
  return { algorithm: 'ECDSA-P256', privateKey: sealer.seal(pair.key, NAME), publicKey: pair.certificate };
}

function opened(spec: Spec, sealer: Sealer): KeyPair {
  try {
    return { certificate: spec.publicKey, key: sealer.unseal(spec.privateKey, NAME) };
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause;
    throw new Error(
      'security.secret_key is not the key that this database was made with: give every server of a database the same key (the first one made its own, secret.key in its data folder).',
      { cause },
    );
  }
}

/** Another server that started at the same time was first. */
function unlessThere(error: unknown): void {
  if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
}
