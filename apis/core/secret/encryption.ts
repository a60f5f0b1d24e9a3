import { type Sealer, sealer } from '../../../pkg/identity/crypto/seal.js';
import { canonicalJson } from '../../../pkg/kube/json/canonical.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { openDataKeys, unsealed } from '../../internal/datakey/key.js';
import type { DataKeySpec } from '../../internal/datakey/schema.js';

/**
 * The annotation, without the domain, of a stored Secret whose content is encrypted. No client can set it, and a Secret
 * that can be read does not have it.
 */
export const SEALED = 'sealed';
/** The index of Secrets that could not be decrypted. */
export const BY_SEALED = 'bySealed';

/** Whether the content of the object is encrypted, because no key opened it when it was read from the store. */
export function isSealed({ metadata }: KubeObject, domain: string): boolean {
  return metadata.annotations?.[`${domain}/${SEALED}`] !== undefined;
}

/** The only member of the data of such a Secret. */
const CONTENT = 'sealed';

/**
 * What nobody may read in the store. Annotations are part of it, because kubectl keeps a copy of what it applied in
 * one.
 */
interface Content {
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly data?: Readonly<Record<string, string>> | undefined;
}

interface Members {
  readonly data?: Readonly<Record<string, string>>;
}

/** Encrypts the content of Secrets under the data key of the store. */
export class SecretEncryption {
  readonly #annotation: string;
  readonly #secretKey: () => string;
  /** The newest first. */
  #keys: readonly Sealer[] = [];

  constructor(domain: string, secretKey: () => string) {
    this.#annotation = `${domain}/${SEALED}`;
    this.#secretKey = secretKey;
  }

  /**
   * Takes the data key of the store. If it cannot be opened, the previous keys stay. Returns a function that undoes
   * this.
   */
  learn(spec: DataKeySpec): () => void {
    const before = this.#keys;
    const keys = openDataKeys(spec, sealer(this.#secretKey()));
    if (keys.length > 0) this.#keys = keys;
    return () => {
      this.#keys = before;
    };
  }

  /**
   * The object as it is stored. One that could not be decrypted stays as it is, and so does one without data while
   * there is no data key. Throws if there is data, but no key. The strategy of Secrets makes one, in the same commit.
   */
  sealed(object: KubeObject): KubeObject {
    const [key] = this.#keys;
    if (object.metadata.annotations?.[this.#annotation] !== undefined) return object;
    if (key === undefined && (object as Members).data === undefined) return object;
    if (key === undefined) throw new Error('a Secret was to be stored before there was a data key');
    const { annotations, ...metadata } = object.metadata;
    const { data } = object as Members;
    const content: Content = { annotations, data };
    const text = Buffer.from(key.sealAlike(canonicalJson(content), contextOf(object)), 'utf8').toString('base64');
    return {
      ...object,
      metadata: { ...metadata, annotations: { [this.#annotation]: 'v1' } },
      data: { [CONTENT]: text },
    } as KubeObject;
  }

  /** The object with its content, or the same object if no key opens it. */
  opened(object: KubeObject): KubeObject {
    const { data: stored, ...rest } = object as KubeObject & Members;
    const { annotations: marks, ...metadata } = object.metadata;
    if (marks?.[this.#annotation] === undefined) return object;
    const text = Buffer.from(stored?.[CONTENT] ?? '', 'base64').toString('utf8');
    for (const key of this.#keys) {
      const content = unsealed(key, text, contextOf(object));
      if (content === undefined) continue;
      const { annotations, data } = JSON.parse(content) as Content;
      return {
        ...rest,
        metadata: { ...metadata, ...(annotations && { annotations }) },
        ...(data && { data }),
      } as KubeObject;
    }
    return object;
  }
}

/** What the content is bound to, so that it cannot be moved to another Secret. */
function contextOf({ metadata: { namespace, name, uid } }: KubeObject): string {
  return `secrets/${namespace}/${name}/${uid}`;
}
