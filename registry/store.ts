import { randomInt, randomUUID } from 'node:crypto';
import type { UserInfo } from '../pkg/authn/user.js';
import { generateName } from '../pkg/meta/names.js';
import type { KubeObject } from '../pkg/meta/types.js';
import { alreadyExists, invalid, notFound } from '../pkg/status/errors.js';
import { ApiError } from '../pkg/status/status.js';
import type { Bytes } from '../storage/backend.js';
import { encodeText, textOf, withRevision } from '../storage/codec.js';
import { type Key, keyOf } from '../storage/key.js';
import type { Entry } from '../storage/state.js';
import type { Outcome, View, Write } from '../storage/transaction.js';
import {
  beforeCreate,
  beforeUpdate,
  checkPreconditions,
  type Identity,
  type Preconditions,
  withInternalId,
} from './before.js';
import { type Doomed, released, subtree } from './containment.js';
import type { Kind } from './kind.js';
import { timestamp } from './metadata.js';
import { checkName } from './names.js';
import { containedKinds, objectKey, type Registry } from './registry.js';
import { apiErrorOf } from './storage-errors.js';
import type { WriteContext } from './strategy.js';
import { objectOfEntry, objectView } from './view.js';

export interface WriteOptions {
  readonly user: UserInfo;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** Everything is checked, nothing is kept. */
  readonly dryRun: boolean;
  readonly signal?: AbortSignal;
}

export interface DeleteOptions extends WriteOptions {
  readonly preconditions: Preconditions;
  readonly orphan: boolean;
  /** Query parameters that the kind declares in `deleteOptions`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** An object after a write, as bytes ready to send. A dry run of a create has no resourceVersion. */
export interface Written {
  readonly value: Bytes;
}

/** Makes the object to store from the stored one, which is absent on create. Pure: it may be called again. Throws to refuse. */
export type Change = (old: KubeObject) => KubeObject;

const NAME_ATTEMPTS = 8;

/** Reads and writes of one kind for one registry: the only way objects change, whichever door a request came in by. */
export class Store {
  readonly kind: Kind;
  readonly #registry: Registry;

  constructor(kind: Kind, registry: Registry) {
    this.kind = kind;
    this.#registry = registry;
  }

  /** `sent` is decoded and schema-checked. Throws 409 AlreadyExists, Invalid, and what the strategy throws. */
  async create(sent: KubeObject, options: WriteOptions): Promise<Written> {
    const base = sent.metadata.generateName ?? '';
    if (sent.metadata.name !== '' || base === '') {
      checkName(this.kind, sent.metadata.name, base);
      return this.#create(sent, sent.metadata.name, options);
    }
    for (let attempt = 1; ; attempt++) {
      const name = generateName(base, this.kind.names?.maxLength ?? 63, randomInt);
      checkName(this.kind, name, base);
      try {
        return await this.#create(sent, name, options);
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
        if (attempt === NAME_ATTEMPTS) throw notUnique(error);
      }
    }
  }

  async #create(sent: KubeObject, name: string, options: WriteOptions): Promise<Written> {
    const identity: Identity = { name, uid: randomUUID() };
    const key = objectKey(this.kind, options.namespace, name);
    const context = this.#context(options);
    return this.#write(options, (view) => {
      if (view.get(key) !== undefined) throw alreadyExists(this.kind, name);
      const object = beforeCreate(this.kind, sent, identity, context(view));
      if (options.dryRun || this.kind.internalId !== true) return { key, object, writes: [{ key, object }] };
      const numbered = withInternalId(this.kind, object, view.nextId(this.kind.qualified));
      return { key, object: numbered, writes: [{ key, object: numbered }] };
    });
  }

  /** Throws 404, 409 Conflict, Invalid, and what `change` and the strategy throw. No difference, no write. */
  async update(name: string, change: Change, options: WriteOptions): Promise<Written> {
    const key = objectKey(this.kind, options.namespace, name);
    const context = this.#context(options);
    return this.#write(options, (view) => {
      const entry = view.get(key);
      if (entry === undefined) throw notFound(this.kind, name);
      const old = objectOfEntry(entry);
      const object = beforeUpdate(this.kind, change(old), old, context(view));
      if (object === undefined) return { key, object: old, old: entry, writes: [] };
      if (!this.#isReleased(view, object)) return { key, object, old: entry, writes: [{ key, object }] };
      const upwards = released(this.#registry, view, this.kind, object).map((one) => ({ key: one.entry.key }));
      return { key, object, old: entry, writes: [{ key }, ...upwards] };
    });
  }

  /** Its last finalizer is gone and nothing below holds it. */
  #isReleased(view: View, object: KubeObject): boolean {
    if (object.metadata.deletionTimestamp === undefined) return false;
    if ((object.metadata.finalizers?.length ?? 0) > 0) return false;
    const entry = view.get(objectKey(this.kind, object.metadata.namespace ?? '', object.metadata.name));
    return entry !== undefined && subtree(this.#registry, view, this.kind, entry).slice(0, -1).length === 0;
  }

  /** Takes what lies below with it, in the same commit. Returns the object as it was, or as it stays for its finalizers. */
  async delete(name: string, options: DeleteOptions): Promise<Written> {
    const key = objectKey(this.kind, options.namespace, name);
    const context = this.#context(options);
    return this.#write(options, (view) => {
      const entry = view.get(key);
      if (entry === undefined) throw notFound(this.kind, name);
      const old = objectOfEntry(entry);
      checkPreconditions(this.kind, old, options.preconditions);
      this.#checkOrphan(name, options.orphan);
      const doomed = subtree(this.#registry, view, this.kind, entry);
      checkRemoval(doomed, context(view), options.parameters);
      const writes = this.#removal(view, doomed);
      const own = writes.find((write) => write.key === key);
      return { key, object: (own?.object as KubeObject | undefined) ?? old, old: entry, writes };
    });
  }

  #removal(view: View, doomed: readonly Doomed[]): readonly Write[] {
    const writes = doomed.flatMap((one): readonly Write[] => {
      if (!one.stays) return [{ key: one.entry.key }];
      return one.object.metadata.deletionTimestamp === undefined
        ? [{ key: one.entry.key, object: terminating(one.object, this.#now()) }]
        : [];
    });
    const own = doomed.at(-1);
    if (own === undefined || own.stays) return writes;
    return [...writes, ...released(this.#registry, view, this.kind, own.object).map((one) => ({ key: one.entry.key }))];
  }

  #checkOrphan(name: string, orphan: boolean): void {
    if (!orphan || containedKinds(this.#registry, this.kind).length === 0) return;
    const message = 'Forbidden: Orphan is not supported, because what lies in this object cannot be without it';
    throw invalid(this.kind, name, [{ reason: 'FieldValueForbidden', message, field: 'propagationPolicy' }]);
  }

  #context(options: WriteOptions): (view: View) => WriteContext {
    const now = this.#now();
    return (view) => ({ view: objectView(view), user: options.user, namespace: options.namespace, now });
  }

  #now(): string {
    return timestamp(this.#registry.clock.now());
  }

  async #write(options: WriteOptions, evaluate: (view: View) => Evaluated): Promise<Written> {
    let last: Evaluated | undefined;
    const run = (view: View): readonly Write[] => {
      last = evaluate(view);
      return options.dryRun ? [] : last.writes;
    };
    try {
      const outcome = await this.#registry.writer.transact({ run }, options.signal);
      if (last === undefined) throw new Error('a transaction was answered without being evaluated');
      return { value: answerOf(last, outcome) };
    } catch (error) {
      throw apiErrorOf(error);
    }
  }
}

/** What evaluating a write gave: the object to answer with, the stored one it started from, and what to do. */
interface Evaluated {
  readonly key: Key;
  readonly object: KubeObject;
  readonly old?: Entry;
  readonly writes: readonly Write[];
}

/** The bytes to answer with: what was stored, the last state of what was removed with the revision of that, or what a dry run would have stored. */
function answerOf({ key, object, old }: Evaluated, { applied }: Outcome): Bytes {
  const own = applied.find((one) => one.key === key);
  if (own?.entry !== undefined) return own.entry.value;
  if (old === undefined) return Buffer.from(textOf(object));
  const revision = own?.revision ?? old.revision;
  const isStored = object.metadata.resourceVersion !== undefined;
  return isStored ? withRevision(old.value, revision) : encodeText(textOf(object), revision);
}

/** Asks the rules of every kind that a deletion touches. */
function checkRemoval(doomed: readonly Doomed[], ctx: WriteContext, parameters: ReadonlyMap<string, string>): void {
  const going = new Set<string>(doomed.filter(({ stays }) => !stays).map(({ entry }) => entry.key));
  const isGoing = (resource: string, namespace: string, name: string) => going.has(keyOf(resource, namespace, name));
  for (const { kind, object } of doomed) kind.strategy?.validateDelete?.(object, { ...ctx, isGoing }, parameters);
}

function terminating(object: KubeObject, now: string): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      deletionTimestamp: now,
      deletionGracePeriodSeconds: 0,
      generation: (metadata.generation ?? 1) + 1,
    },
  };
}

function notUnique(cause: ApiError): ApiError {
  return new ApiError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${cause.message}, the server was not able to generate a unique name for the object`,
    details: { ...cause.details, retryAfterSeconds: 1 },
    cause,
  });
}
