import { createHash, randomUUID } from 'node:crypto';
import { jsonSteps, PLAIN } from '../../../../pkg/kube/json/json-steps.js';
import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import { ApiError } from '../../../../pkg/kube/status/status.js';
import { runSteps, type Steps } from '../../../../pkg/system/yielding/steps.js';
import { runStepsYielding, yielding } from '../../../../pkg/system/yielding/yielding.js';
import type { Memo } from '../../../../registry/client/memo.js';
import { Retry } from '../../../../registry/signals/retry.js';
import { type Converter, type Version, versionSteps } from '../versions.js';
import type { Call } from './call.js';
import {
  type ConversionRequest,
  convertedObjects,
  ReviewError,
  type ReviewVersion,
  reviewOf,
  typeText,
  withMaps,
} from './review.js';

/** An object that is to be converted. */
interface Item {
  readonly key: string;
  readonly object: KubeObject;
  readonly size: number;
}

/** The most that one request sends. */
const MOST_OBJECTS = 100;
const MOST_BYTES = 2 ** 20;

/** Milliseconds in which requests for the same objects share a call that was not answered yet. */
const SHARED = 1000;

/** A call that was not answered yet. */
interface Asked {
  /** `performance.now()` when it was sent. */
  readonly at: number;
  readonly answer: Promise<readonly KubeObject[]>;
}

/**
 * Converts by a webhook. The webhook is asked for each request, because nothing tells when it begins to answer in
 * another way. The memo only brings an answer to the attempt of the request that waited for it, unless the operator
 * lets answers get older. Its keys are the content of the objects, without the metadata that the server sets with each
 * write, because a webhook cannot change these. Many objects are always asked for, so that old and new answers do not
 * come together.
 */
export class WebhookConverter implements Converter {
  readonly #call: Call;
  readonly #version: ReviewVersion;
  readonly #memo: Memo<KubeObject>;
  /** A part of all keys, so that definitions do not share results. */
  readonly #own = randomUUID();
  readonly #asked = new Map<string, Asked>();

  constructor(call: Call, version: ReviewVersion, memo: Memo<KubeObject>) {
    this.#call = call;
    this.#version = version;
    this.#memo = memo;
  }

  convert = (to: Version, object: KubeObject): KubeObject => runSteps(this.#convert(to, object));

  steps = (to: Version, object: KubeObject): Steps<KubeObject> => this.#convert(to, object);

  *#convert(to: Version, object: KubeObject): Steps<KubeObject> {
    if (object.apiVersion === to.apiVersion) return yield* versionSteps(to, object);
    const item = yield* this.#itemOf(to, object);
    const known = this.#memo.get(item.key);
    if (known !== undefined) return shown(object, known);
    throw new Retry('the webhook has not answered yet', async () => {
      const [value] = await this.#ask(to, [item]);
      return this.#memo.hold(item.key, value as KubeObject);
    });
  }

  convertAll = async (to: Version, objects: readonly KubeObject[]): Promise<readonly KubeObject[]> => {
    const converted: KubeObject[] = [];
    const missing: (Item & { readonly at: number })[] = [];
    for await (const [at, object] of yielding(objects.entries())) {
      if (object.apiVersion === to.apiVersion) converted[at] = await runStepsYielding(versionSteps(to, object));
      else missing.push({ ...(await runStepsYielding(this.#itemOf(to, object))), at });
    }
    for (const batch of batchesOf(missing)) {
      const values = await this.#ask(to, batch);
      for (const [i, { at, object }] of batch.entries()) converted[at] = shown(object, values[i] as KubeObject);
    }
    return converted;
  };

  *#itemOf(to: Version, object: KubeObject): Steps<Item> {
    const { resourceVersion: _, managedFields: __, generation: ___, ...metadata } = object.metadata;
    const text = yield* jsonSteps([this.#own, to.apiVersion, { ...object, metadata }], PLAIN);
    return { key: yield* digestSteps(text), object, size: text.length };
  }

  /**
   * The same objects that another request has just asked for are not asked for again, such as those of an event for all
   * watches.
   */
  #ask(to: Version, items: readonly Item[]): Promise<readonly KubeObject[]> {
    const key = items.length === 1 ? (items[0]?.key ?? '') : digest(items.map((item) => item.key).join());
    const at = performance.now();
    const known = this.#asked.get(key);
    if (known !== undefined && at - known.at < SHARED) return known.answer;
    const asked = { at, answer: this.#send(to, items, at) };
    this.#asked.set(key, asked);
    const forget = (): void => {
      if (this.#asked.get(key) === asked) this.#asked.delete(key);
    };
    asked.answer.then(forget, forget);
    return asked.answer;
  }

  async #send(to: Version, items: readonly Item[], since: number): Promise<readonly KubeObject[]> {
    const objects = items.map(({ object }) => object);
    const request = { uid: randomUUID(), desiredAPIVersion: to.apiVersion, objects };
    const converted = await this.#converted(request);
    const values: KubeObject[] = [];
    for await (const [i, { key, size }] of yielding(items.entries())) {
      const value = await runStepsYielding(versionSteps(to, converted[i] as KubeObject));
      this.#memo.set(key, value, size, since);
      values.push(value);
    }
    return values;
  }

  async #converted(request: ConversionRequest): Promise<readonly KubeObject[]> {
    const about = `conversion webhook for ${typeText(request.objects[0] as KubeObject)}`;
    try {
      const answer = await this.#call(reviewOf(request, this.#version));
      return await runStepsYielding(convertedObjects(answer, request, this.#version));
    } catch (error) {
      const rest = error instanceof ReviewError ? error.rest : `failed: ${(error as Error).message}`;
      throw new ApiError({ code: 500, reason: 'InternalError', message: `${about} ${rest}`, cause: error });
    }
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** So many bytes are hashed in one step. */
const HASHED = 2 ** 18;

/** The same in steps. */
function* digestSteps(text: string | Buffer): Steps<string> {
  if (typeof text === 'string') return digest(text);
  const hash = createHash('sha256');
  for (let from = 0; from < text.length; from += HASHED) {
    hash.update(text.subarray(from, from + HASHED));
    yield;
  }
  return hash.digest('base64');
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
