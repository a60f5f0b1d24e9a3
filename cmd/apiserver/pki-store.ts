import { SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import type { KeyMaterial, SigningKeySpec } from '../../apis/internal/signingkey/schema.js';
import type { Authority } from '../../pkg/identity/certs/authority.js';
import type { PkiStore } from '../../pkg/identity/certs/store.js';
import type { Trust } from '../../pkg/identity/certs/trust.js';
import type { Sealer } from '../../pkg/identity/crypto/seal.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { Client } from '../../registry/client/client.js';
import type { ObjectClient } from '../../registry/client/objects.js';
import type { Registry } from '../../registry/kinds/registry.js';
import { AUTHORITY, sealedAgain, sealedOnce, steady } from './sealed-keys.js';
import { authorityOf, isOf, resealed, specWith, trustedBy } from './stored-authority.js';

type Stored = KubeObject<SigningKeySpec>;

/** The certificate authority in the database. */
export interface SharedPkiStore extends PkiStore {
  /** The newest authority that this server has read. Does not wait. Undefined if there is no authority. */
  trust(): Trust | undefined;
  /** Changes when the stored authority changes. */
  version(): object;
  /** Encrypts the keys under the secret key `to` as well, so that servers with either key can read them. */
  sealAgain(to: Sealer): Promise<void>;
  /** Ends the use of the previous secret key. */
  sealOnce(): Promise<void>;
}

/**
 * Stores the certificate authority as an object, its keys encrypted under `security.secret_key`, so that servers which
 * share a database trust each other's clients. `secret` is asked for the key each time, because it may be rotated.
 */
export function sharedPkiStore(registry: Registry, secret: () => Promise<Sealer>): SharedPkiStore {
  const kind = registry.compiled.get('internal/SigningKey');
  const keys: ObjectClient<SigningKeySpec> = new Client(registry, { user: SYSTEM_USER }).objects(kind);
  const find = (): Stored | undefined => keys.find(AUTHORITY);
  const version = (): object => registry.reader.version(kind.qualified);
  let known: { readonly version: object; readonly trust: Trust | undefined } | undefined;
  const load = async (): Promise<Authority | undefined> => {
    await registry.cacher.fresh();
    const spec = find()?.spec;
    return spec && authorityOf(spec, await secret());
  };
  const change = async (next: (old: SigningKeySpec) => SigningKeySpec): Promise<void> => {
    await keys.update(AUTHORITY, (old) => ({ ...old, spec: next(specOf(old)) }));
  };
  const replace = async (previous: Authority | undefined, next: Authority): Promise<Authority> => {
    // The change may run again, and encryption is random.
    const sealer = steady(await secret());
    if (previous === undefined) {
      const spec = specWith(undefined, next, sealer);
      await keys.create({ metadata: { name: AUTHORITY }, spec }).catch(unlessThere);
    } else await change((old) => (isOf(old, previous) ? specWith(old, next, sealer) : old));
    return (await load()) ?? next;
  };
  const reseal = async (how: (material: KeyMaterial) => KeyMaterial): Promise<void> => {
    await registry.cacher.fresh();
    await change((old) => resealed(old, how));
  };
  return {
    load,
    replace,
    trust: () => {
      if (known?.version !== version()) known = { version: version(), trust: trustedBy(find()?.spec) };
      return known.trust;
    },
    version,
    sealAgain: async (to) => {
      const from = await secret();
      const next = steady(to);
      await reseal((material) => sealedAgain(material, from, next));
    },
    sealOnce: async () => {
      const sealer = await secret();
      if (find()?.spec?.privateKeyBefore === undefined)
        throw new Error('There is no rotation of the secret key to finish.');
      await reseal((material) => sealedOnce(material, sealer));
    },
  };
}

function specOf({ spec }: Stored): SigningKeySpec {
  if (spec === undefined) throw new Error(`the signing key ${AUTHORITY} has no spec`);
  return spec;
}

/** Another server may have created it at the same time. */
function unlessThere(error: unknown): void {
  if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
}
