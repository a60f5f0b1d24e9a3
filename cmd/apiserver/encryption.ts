import { SecretEncryption } from '../../apis/core/secret/encryption.js';
import type { ApisEnvironment } from '../../apis/environment.js';
import { DATA_KEY, type DataKeySpec, SECRETS } from '../../apis/internal/datakey/schema.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { resourceName } from '../../registry/kinds/names.js';
import type { Bytes } from '../../storage/backend.js';
import { keyOf } from '../../storage/key.js';
import type { Encryption } from '../../storage/log/encrypted.js';
import { decodeObject, encodeText, textOfObject } from '../../storage/state/codec.js';

const nothing = (): void => undefined;

/** Encrypts Secrets in the store under its data key. */
export function storeEncryption({ domain, signOn }: ApisEnvironment): Encryption {
  const secrets = new SecretEncryption(domain, () => signOn.secretKey());
  const dataKey = keyOf(resourceName('internal/datakeys', domain), '', DATA_KEY);
  const change = (value: Bytes, by: (object: KubeObject) => KubeObject): Bytes => {
    const object = decodeObject(value) as KubeObject;
    const changed = by(object);
    if (changed === object) return value;
    const { resourceVersion, ...metadata } = changed.metadata;
    return encodeText(textOfObject({ ...changed, metadata }), Number(resourceVersion));
  };
  return {
    needs: [dataKey],
    applies: (resource) => resource === SECRETS,
    learn: ({ key, value }) => {
      if (key !== dataKey || value === undefined) return nothing;
      const { spec } = decodeObject(value) as KubeObject<DataKeySpec>;
      return spec === undefined ? nothing : secrets.learn(spec);
    },
    encrypted: (_key, value) => change(value, (object) => secrets.sealed(object)),
    decrypted: (_key, value) => change(value, (object) => secrets.opened(object)),
  };
}
