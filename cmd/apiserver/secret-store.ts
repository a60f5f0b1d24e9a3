import { SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import { contextOf } from '../../apis/iam/ssosetting/secrets.js';
import { dataKeyText, type NewDataKey, newDataKey, openDataKey, unsealed } from '../../apis/internal/datakey/key.js';
import { DATA_KEY, type DataKeySpec } from '../../apis/internal/datakey/schema.js';
import type { SealedSecretSpec } from '../../apis/internal/sealedsecret/schema.js';
import type { Sealer } from '../../pkg/identity/crypto/seal.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { Client } from '../../registry/client/client.js';
import type { ClientTransaction } from '../../registry/client/transaction.js';
import type { Registry } from '../../registry/kinds/registry.js';
import { SECRET_UNFINISHED } from './sealed-keys.js';

/** The encrypted secrets in the store, for the rotation of `security.secret_key`. */
export interface SecretStore {
  /**
   * Encrypts all secrets again, under a new data key, in one commit. The secret key `to` and the current one can open
   * it. Throws an error for the operator.
   */
  sealAgain(to: Sealer): Promise<void>;
  /**
   * Ends the use of the previous secret key. Throws an error for the operator unless this server already has the new
   * one.
   */
  sealOnce(): Promise<void>;
}

/** `secret` is asked for the secret key each time, because it may be rotated. */
export function secretStore(registry: Registry, secret: () => Promise<Sealer>): SecretStore {
  const client = new Client(registry, { user: SYSTEM_USER });
  const keys = registry.compiled.get('internal/DataKey');
  const secrets = registry.compiled.get('internal/SealedSecret');
  const plain = registry.compiled.get('core/Secret');
  const change = async (next: (key: DataKeySpec, transaction: ClientTransaction) => DataKeySpec): Promise<void> => {
    await registry.cacher.fresh();
    await client.transact((transaction) => {
      const key = transaction.objects<DataKeySpec>(keys).find(DATA_KEY)?.spec;
      if (key !== undefined) transaction.objects<DataKeySpec>(keys).put(DATA_KEY, () => next(key, transaction));
    });
  };
  return {
    sealAgain: async (to) => {
      const from = await secret();
      let made: NewDataKey | undefined;
      await change((key, transaction) => {
        if (key.sealedBefore !== undefined && unsealed(from, key.sealed, DATA_KEY) !== undefined)
          throw new Error(SECRET_UNFINISHED);
        const opened = openedBy(key, from);
        made ??= newDataKey(to, from, dataKeyText(key, from));
        const next = made;
        const objects = transaction.objects<SealedSecretSpec>(secrets);
        for (const object of [...objects.range()])
          objects.put(object.metadata.name, () => resealed(object, opened, next.sealer));
        // The store encrypts what is written, and now under the new key.
        for (const entry of transaction.reader.all(plain.qualified)) transaction.rewrite(entry);
        return made.spec;
      });
    },
    sealOnce: async () => {
      const now = await secret();
      await change(({ sealedBefore: _, ...key }) => {
        openedBy(key, now);
        return key;
      });
    },
  };
}

function openedBy(key: DataKeySpec, secret: Sealer): Sealer {
  const opened = openDataKey(key, secret);
  if (opened !== undefined) return opened;
  throw new Error(
    'security.secret_key is not the key under which the secrets in the store are encrypted. Restore the key that was used before, or, if it was rotated, take the new one.',
  );
}

function resealed({ metadata, spec }: KubeObject<SealedSecretSpec>, from: Sealer, to: Sealer): SealedSecretSpec {
  const values = Object.entries(spec?.values ?? {}).map(([key, text]) => {
    const context = contextOf(metadata.name, key);
    const value = unsealed(from, text, context);
    if (value !== undefined) return [key, to.seal(value, context)];
    throw new Error(
      `The secret ${key} of the sign-on provider ${metadata.name} is damaged. Set it again, and then rotate.`,
    );
  });
  return { values: Object.fromEntries(values) };
}
