import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Credential } from '../../../pkg/legacyclient/server.js';

/** The credential in a Secret. Throws with a message that has nothing of the Secret but the names of keys. */
export function credentialIn(secret: KubeObject | undefined, name: string): Credential {
  if (secret === undefined) throw new Error(`there is no Secret ${JSON.stringify(name)} in the namespace`);
  const { data = {} } = secret as { readonly data?: Readonly<Record<string, string>> };
  const text = (key: string): string | undefined => {
    const encoded = data[key];
    return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8').trim();
  };
  const token = text('token');
  if (token !== undefined && token !== '') return { token };
  const [login, password] = [text('login') ?? text('username'), text('password')];
  if (login !== undefined && password !== undefined) return { login, password };
  throw new Error(`the Secret ${JSON.stringify(name)} has neither the key token nor the keys login and password`);
}
