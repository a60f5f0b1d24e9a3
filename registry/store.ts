import { randomInt, randomUUID } from 'node:crypto';
import type { UserInfo } from '../pkg/authn/user.js';
import { isSameJson } from '../pkg/json/same.js';
import { generateName } from '../pkg/meta/names.js';
import type { KubeObject } from '../pkg/meta/types.js';
import { alreadyExists, invalid, notFound } from '../pkg/status/errors.js';
import { ApiError } from '../pkg/status/status.js';
import { keyOf } from '../storage/key.js';
import type { View, Write } from '../storage/transaction.js';
import { guardOf } from './access/guard.js';
import { isMaster } from './access/masters.js';
import { beforeCreate, beforeUpdate, checkPreconditions, type Preconditions, withInternalId } from './before.js';
import { companionObject, namedKind } from './companions.js';
import { type Doomed, isReleased, released, subtree } from './dependents.js';
import type { Kind } from './kind.js';
import { timestamp } from './metadata.js';
import { checkName, isNumbered, nameAndId } from './names.js';
import { checkNamespace } from './namespaces.js';
import { Overlay } from './overlay.js';
import { orphaned } from './owners.js';
import { containedKinds, objectKey, type Registry } from './registry.js';
import type { Dismissal, WriteContext } from './strategy.js';
import { type Plan, transact, type Written } from './transact.js';
import { objectOfEntry, objectView } from './view.js';

export interface WriteOptions {
  readonly user: UserInfo;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** Everything is checked, nothing is kept. */
  readonly dryRun: boolean;
  /** Whoever asks for this write has made sure that it is allowed; `user` is only its author. */
  readonly isTrusted?: boolean;
  readonly signal?: AbortSignal;
}

export interface DeleteOptions extends WriteOptions {
  readonly preconditions: Preconditions;
  readonly orphan: boolean;
  /** Query parameters that the kind declares in `deleteOptions`. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A deletion that asks for nothing in particular. */
export function deletion(options: WriteOptions): DeleteOptions {
  return { ...options, preconditions: {}, orphan: false, parameters: new Map() };
}

export type { Written } from './transact.js';

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
    if (isNumbered(this.kind, sent)) return this.#write(options, this.planCreate(sent, options));
    if (sent.metadata.name !== '' || base === '') {
      checkName(this.kind, sent.metadata.name, base);
      return this.#write(options, this.planCreate(sent, options));
    }
    for (let attempt = 1; ; attempt++) {
      const name = generateName(base, this.kind.names?.maxLength ?? 63, randomInt);
      checkName(this.kind, name, base);
      try {
        return await this.#write(options, this.planCreate(withName(sent, name), options));
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
        if (attempt === NAME_ATTEMPTS) throw notUnique(error);
      }
    }
  }

  /** A create as part of a transaction; the object has a name, or the kind makes names of numbers. */
  planCreate(sent: KubeObject, options: WriteOptions): Plan {
    return this.#planCreate(sent, options, randomUUID());
  }

  #planCreate(sent: KubeObject, options: WriteOptions, uid: string): Plan {
    const companions = this.#companions(sent, options);
    const context = this.#context(options);
    const guard = guardOf(this.#registry, this.kind, options);
    return (view) => {
      checkNamespace(this.#registry, this.kind, sent.metadata.name, options.namespace, view);
      const { name, id } = nameAndId(this.kind, sent, view, options.dryRun);
      const key = objectKey(this.kind, options.namespace, name);
      guard.create(view, withName(sent, name));
      if (view.get(key) !== undefined) throw alreadyExists(this.kind, name);
      const object = beforeCreate(this.kind, sent, { name, uid }, context(view));
      guard.create(view, object);
      const numbered = id === undefined ? object : withInternalId(this.kind, object, id);
      const write = { key, object: numbered };
      return { key, object: numbered, writes: [write, ...companions(view, write, context(view))] };
    };
  }

  /** What the kind has come with a new object, each with a uid that stays when the create is evaluated again. */
  #companions(
    sent: KubeObject,
    options: WriteOptions,
  ): (view: View, made: Write & { readonly object: KubeObject }, ctx: WriteContext) => readonly Write[] {
    const { strategy } = this.kind;
    if (strategy?.companions === undefined) return () => [];
    const uids: string[] = [];
    const trusted = { ...options, isTrusted: true };
    return (view, made, ctx) => {
      const wanted = strategy.companions?.(made.object, sent, ctx) ?? [];
      if (wanted.length === 0) return [];
      const overlay = new Overlay(this.#registry.cacher.definitions, view);
      overlay.apply(made);
      return wanted.flatMap((companion, i): readonly Write[] => {
        const { kind, object } = companionObject(this.#registry, companion, options.namespace);
        uids[i] ??= randomUUID();
        return new Store(kind, this.#registry).#planCreate(object, trusted, uids[i])(overlay).writes;
      });
    };
  }

  /** Throws 404, 409 Conflict, Invalid, and what `change` and the strategy throw. No difference, no write. */
  async update(name: string, change: Change, options: WriteOptions): Promise<Written> {
    return this.#write(options, this.planUpdate(name, change, options));
  }

  planUpdate(name: string, change: Change, options: WriteOptions): Plan {
    const key = objectKey(this.kind, options.namespace, name);
    const context = this.#context(options);
    const guard = guardOf(this.#registry, this.kind, options);
    return (view) => {
      const entry = view.get(key);
      guard.touch(view, 'update', name, entry);
      if (entry === undefined) throw notFound(this.kind, name);
      const old = objectOfEntry(entry);
      const object = beforeUpdate(this.kind, change(old), old, context(view));
      if (object === undefined) return { key, object: old, old: entry, writes: [] };
      guard.change(view, object, entry);
      // Who names an owner decides when the object goes.
      if (!haveSameOwners(object, old)) guard.touch(view, 'delete', name, entry);
      if (!isReleased(this.#registry, view, this.kind, object)) {
        const dismissed = this.#dismissed(view, this.kind.strategy?.dismisses?.(object, old, context(view)), options);
        return { key, object, old: entry, writes: [{ key, object }, ...dismissed] };
      }
      const upwards = released(this.#registry, view, this.kind, object).map((one) => ({ key: one.entry.key }));
      return { key, object, old: entry, writes: [{ key }, ...upwards] };
    };
  }

  #dismissed(view: View, dismissals: readonly Dismissal[] = [], options: WriteOptions): readonly Write[] {
    return dismissals.flatMap(({ resource, name }) => {
      const store = new Store(namedKind(this.#registry, resource), this.#registry);
      return store.planDelete(name, deletion({ ...options, isTrusted: true }))(view).writes;
    });
  }

  /** Takes what lies below with it, in the same commit. Returns the object as it was, or as it stays for its finalizers. */
  async delete(name: string, options: DeleteOptions): Promise<Written> {
    return this.#write(options, this.planDelete(name, options));
  }

  planDelete(name: string, options: DeleteOptions): Plan {
    const key = objectKey(this.kind, options.namespace, name);
    const context = this.#context(options);
    const guard = guardOf(this.#registry, this.kind, options);
    return (view) => {
      const entry = view.get(key);
      guard.touch(view, 'delete', name, entry);
      if (entry === undefined) throw notFound(this.kind, name);
      const old = objectOfEntry(entry);
      checkPreconditions(this.kind, old, options.preconditions);
      this.#checkOrphan(name, options.orphan);
      const doomed = subtree(this.#registry, view, this.kind, entry, options);
      checkRemoval(doomed, context(view), options.parameters);
      const removal = this.#removal(view, doomed);
      const writes = options.orphan ? [...removal, ...orphaned(this.#registry, view, old, removal)] : removal;
      const own = writes.find((write) => write.key === key);
      return { key, object: (own?.object as KubeObject | undefined) ?? old, old: entry, writes };
    };
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
    const { user, namespace, isTrusted = false } = options;
    const mayEverything = isTrusted || isMaster(user);
    const { access } = this.#registry;
    return (view) => ({
      view: objectView(view),
      user,
      namespace,
      now,
      grants: () => (mayEverything ? undefined : access.grantsOf(user, namespace, view)),
    });
  }

  #now(): string {
    return timestamp(this.#registry.clock.now());
  }

  async #write(options: WriteOptions, plan: Plan): Promise<Written> {
    const [written] = await transact(this.#registry, [plan], options);
    if (written === undefined) throw new Error('a transaction was answered without being evaluated');
    return written;
  }
}

/** Asks the rules of every kind that a deletion touches. */
function checkRemoval(doomed: readonly Doomed[], ctx: WriteContext, parameters: ReadonlyMap<string, string>): void {
  const going = new Set<string>(doomed.filter(({ stays }) => !stays).map(({ entry }) => entry.key));
  const isGoing = (resource: string, namespace: string, name: string) => going.has(keyOf(resource, namespace, name));
  for (const { kind, object } of doomed) {
    // A deletion may begin elsewhere: at a user, and go on to what is theirs in organizations.
    const { namespace = '' } = object.metadata;
    kind.strategy?.validateDelete?.(object, { ...ctx, namespace, isGoing }, parameters);
  }
}

function haveSameOwners({ metadata }: KubeObject, old: KubeObject): boolean {
  return isSameJson(metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? []);
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

function withName(object: KubeObject, name: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, name } };
}
