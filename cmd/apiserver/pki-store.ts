import { MASTERS_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import type { KeyPair } from '../../pkg/certs/generate.js';
import type { PkiStore } from '../../pkg/certs/store.js';
import { SealBroken, type Sealer } from '../../pkg/crypto/seal.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { ApiError } from '../../pkg/status/status.js';
import { Client } from '../../registry/client.js';
import type { Kind } from '../../registry/kind.js';
import type { Registry } from '../../registry/registry.js';

const SYSTEM: UserInfo = { name: 'system:apiserver', uid: '', groups: [MASTERS_GROUP], extra: {} };
const NAME = 'certificate-authority';

interface Spec {
  readonly algorithm: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

/**
 * Stores the certificate authority as an object, its key encrypted under `security.secret_key`, so that servers which share a database trust
 * each other's clients.
 */
export function sharedPkiStore(registry: Registry, signingKey: Kind, sealer: Sealer): PkiStore {
  const keys = new Client(registry, { user: SYSTEM }).objects<Spec>(signingKey);
  const load = async (): Promise<KeyPair | undefined> => {
    await registry.cacher.fresh();
    const spec = keys.find(NAME)?.spec;
    return spec && opened(spec, sealer);
  };
  const create = async (next: KeyPair): Promise<void> => {
    await keys.create({ metadata: { name: NAME }, spec: sealed(next, sealer) });
  };
  const update = async (previous: KeyPair, next: KeyPair): Promise<void> => {
    // Encrypted outside of the change, because encryption is random and the change may run again.
    const spec = sealed(next, sealer);
    const change = (old: KubeObject<Spec>): KubeObject<Spec> =>
      opened(old.spec as Spec, sealer).certificate === previous.certificate ? { ...old, spec } : old;
    await keys.update(NAME, change);
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
      'security.secret_key is not the key of this database. All servers of a database need the same key. The first server wrote it to secret.key in its data folder.',
      { cause },
    );
  }
}

/** Another server may have created it at the same time. */
function unlessThere(error: unknown): void {
  if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
}
