import { createHash, randomUUID } from 'node:crypto';
import type { KubeObject } from '../../../../pkg/meta/types.js';
import { ApiError } from '../../../../pkg/status/status.js';
import type { Memo } from '../../../../registry/client/memo.js';
import { Suspended } from '../../../../registry/client/suspended.js';
import { inTurns } from '../../../../registry/read/pages.js';
import { asVersion, type Converter, type Version } from '../versions.js';
import type { Call } from './call.js';
import { type ConversionRequest, convertedObjects, ReviewError, reviewOf, typeText, withMaps } from './review.js';

/** An object that is to be converted. */
interface Item {
  readonly key: string;
  readonly object: KubeObject;
  readonly size: number;
}

/** The most that one request sends. */
const MOST_OBJECTS = 100;
const MOST_BYTES = 2 ** 20;

/**
 * Converts by a webhook. Results are remembered by the content of the objects, without the metadata that the server sets with each write, because a
 * webhook cannot change these.
 */
export class WebhookConverter implements Converter {
  readonly #call: Call;
  readonly #memo: Memo<KubeObject>;
  /** A part of all keys, so that definitions do not share results. */
  readonly #own = randomUUID();
  readonly #asked = new Map<string, Promise<KubeObject>>();

  constructor(call: Call, memo: Memo<KubeObject>) {
    this.#call = call;
    this.#memo = memo;
  }

  convert = (to: Version, object: KubeObject): KubeObject => {
    const known = this.#known(to, object);
    if (!('key' in known)) return known;
    throw new Suspended(async () => {
      const [value] = await this.#ask(to, [known]);
      return this.#memo.hold(known.key, value as KubeObject);
    });
  };

  convertAll = async (to: Version, objects: readonly KubeObject[]): Promise<readonly KubeObject[]> => {
    const results: KubeObject[] = [];
    const missing: (Item & { readonly at: number })[] = [];
    for await (const [at, object] of inTurns(objects.entries())) {
      const known = this.#known(to, object);
      if ('key' in known) missing.push({ ...known, at });
      else results[at] = known;
    }
    for (const batch of batchesOf(missing)) {
      const values = await this.#ask(to, batch);
      for (const [i, { at, object }] of batch.entries()) results[at] = shown(object, values[i] as KubeObject);
    }
    return results;
  };

  #known(to: Version, object: KubeObject): KubeObject | Item {
    if (object.apiVersion === to.apiVersion) return asVersion(to, object);
    const { resourceVersion: _, managedFields: __, generation: ___, ...metadata } = object.metadata;
    const text = JSON.stringify([this.#own, to.apiVersion, { ...object, metadata }]);
    const key = createHash('sha256').update(text).digest('base64');
    const value = this.#memo.get(key);
    return value === undefined ? { key, object, size: text.length } : shown(object, value);
  }

  /** Objects that another request has asked for already are not asked for again. */
  async #ask(to: Version, items: readonly Item[]): Promise<readonly KubeObject[]> {
    const missing = items.filter(({ key }) => !this.#asked.has(key));
    if (missing.length > 0) {
      const answer = this.#send(to, missing);
      for (const [i, { key }] of missing.entries()) {
        const one = answer.then((values) => values[i] as KubeObject);
        this.#asked.set(key, one);
        one.catch(() => undefined).finally(() => this.#asked.delete(key));
      }
    }
    return Promise.all(items.map(({ key }) => this.#asked.get(key) as Promise<KubeObject>));
  }

  async #send(to: Version, items: readonly Item[]): Promise<readonly KubeObject[]> {
    const objects = items.map(({ object }) => object);
    const request = { uid: randomUUID(), desiredAPIVersion: to.apiVersion, objects };
    const converted = await this.#converted(request);
    const values: KubeObject[] = [];
    for await (const [i, { key, size }] of inTurns(items.entries())) {
      const value = asVersion(to, converted[i] as KubeObject);
      this.#memo.set(key, value, size);
      values.push(value);
    }
    return values;
  }

  async #converted(request: ConversionRequest): Promise<readonly KubeObject[]> {
    const about = `conversion webhook for ${typeText(request.objects[0] as KubeObject)}`;
    try {
      return convertedObjects(await this.#call(reviewOf(request)), request);
    } catch (error) {
      const rest = error instanceof ReviewError ? error.rest : `failed: ${(error as Error).message}`;
      throw new ApiError({ code: 500, reason: 'InternalError', message: `${about} ${rest}`, cause: error });
    }
  }
}

/** The result with the metadata of the object, which may have been written again since then. */
function shown({ metadata }: KubeObject, value: KubeObject): KubeObject {
  return { ...value, metadata: withMaps(metadata, value.metadata.labels, value.metadata.annotations) };
}

function* batchesOf<T extends Item>(items: readonly T[]): Generator<readonly T[], void, undefined> {
  let batch: T[] = [];
  let bytes = 0;
  for (const item of items) {
    if (batch.length === MOST_OBJECTS || (batch.length > 0 && bytes + item.size > MOST_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(item);
    bytes += item.size;
  }
  if (batch.length > 0) yield batch;
}
