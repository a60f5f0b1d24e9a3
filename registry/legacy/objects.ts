import type { UserInfo } from '../../pkg/authn/user.js';
import { covers } from '../../pkg/authz/grants.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { notFound } from '../../pkg/status/errors.js';
import { decodeObject } from '../../storage/codec.js';
import { keyOf } from '../../storage/key.js';
import type { Entry } from '../../storage/state.js';
import { encodeTuple, type Tuple } from '../../storage/tuple.js';
import { guardedObject } from '../access/guarded.js';
import { isMaster } from '../access/masters.js';
import { type Places, placesOf } from '../access/places.js';
import { stateView } from '../access/views.js';
import { decodeTyped } from '../decode.js';
import type { Kind } from '../kind.js';
import { ownedKeys } from '../metadata.js';
import { checkName } from '../names.js';
import {
  CONTAINER_INDEX,
  containerTuple,
  INTERNAL_ID_INDEX,
  objectKey,
  REFERENCE_INDEX,
  type Registry,
  referenceTuple,
} from '../registry.js';
import { deletion, type Store } from '../store.js';
import type { ObjectView } from '../strategy.js';
import { type Plan, transact, type Written } from '../transact.js';
import { objectView } from '../view.js';
import { accessDenied } from './errors.js';

/** Part of a kind's objects: those whose tuple in `index` begins with `prefix`, in the index's order. */
export interface Range {
  readonly index: string;
  readonly prefix: Tuple;
}

/** What a new object is made of; the server adds the rest. */
export interface Draft<Spec> {
  readonly metadata: Partial<KubeObject['metadata']>;
  readonly spec: Spec;
}

/** Makes the object to store from the stored one. Pure: it may be called again on a newer one. What it throws is the answer. */
export type LegacyChange<Spec> = (old: KubeObject<Spec>) => KubeObject<Spec>;

export type WriteVerb = 'create' | 'update' | 'delete';

/** The reads of one kind, in one namespace and with the caller's rights; they see everything acknowledged before the request. */
export interface Reads<Spec = unknown> {
  readonly kind: Kind;
  /** Throws 404, and 403 for one that the caller may not view. */
  get(name: string): KubeObject<Spec>;
  /** The object, if the caller may do this to it. Throws 403, and 404 to those who may know that there is none. */
  demand(verb: 'get' | 'update' | 'delete', name: string): KubeObject<Spec>;
  /** By the integer that the legacy interface calls it by; `undefined` if there is none in this namespace. No permission is looked at. */
  byId(id: number): KubeObject<Spec> | undefined;
  /** Those the caller may view, without the first `from`; all of them in order of names, or a part. */
  list(range?: Range, from?: number): Generator<KubeObject<Spec>, void, undefined>;
  /** Without looking at permissions: for what is looked up on the way to an answer. */
  peek(name: string): KubeObject<Spec> | undefined;
  scan(range?: Range): Generator<KubeObject<Spec>, void, undefined>;
  /** Those that name an object of another kind, by the kind's `references`; permissions aside. */
  referring(to: Kind, name: string): Generator<KubeObject<Spec>, void, undefined>;
  /** Those that lie directly in a container; permissions aside. */
  contained(container: string): Generator<KubeObject<Spec>, void, undefined>;
  /** Whether the caller has the action on this object; with none, on any. */
  may(action: string, object?: KubeObject): boolean;
  /** Throws 403 unless the caller has the action on this object; with none, on any. */
  require(action: string, object?: KubeObject): void;
  /** Throws 403 unless the caller may do this: to this object, or with none to any. */
  check(verb: 'get' | WriteVerb, object?: KubeObject): void;
  /** The integer that the legacy interface calls it by. */
  idOf(object: KubeObject): number;
}

/** The writes of one kind: the Store's, schema, rules, permissions and all. */
export interface Writes<Spec = unknown> {
  create(draft: Draft<Spec>): Promise<KubeObject<Spec>>;
  update(name: string, change: LegacyChange<Spec>): Promise<KubeObject<Spec>>;
  /** The object as it was. */
  delete(name: string, parameters?: ReadonlyMap<string, string>): Promise<KubeObject<Spec>>;
  /** The same as parts of one commit: `call.transact([…])`. */
  readonly plan: {
    create(draft: Draft<Spec>): Plan;
    update(name: string, change: LegacyChange<Spec>): Plan;
    delete(name: string, parameters?: ReadonlyMap<string, string>): Plan;
  };
}

export interface Objects<Spec = unknown> extends Reads<Spec>, Writes<Spec> {}

export interface ObjectsOptions {
  readonly registry: Registry;
  readonly store: Store;
  readonly user: UserInfo;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

export function objectsOf<Spec>(options: ObjectsOptions): Objects<Spec> {
  const reads = readsOf<Spec>(options);
  return { ...reads, ...writesOf<Spec>(options, reads) };
}

function readsOf<Spec>(options: ObjectsOptions): Reads<Spec> {
  const { registry, store, user, namespace } = options;
  const { kind } = store;
  const view = () => stateView(registry.cacher.state);
  const peek = (name: string): KubeObject<Spec> | undefined => {
    const entry = registry.cacher.state.resource(kind.qualified).get(objectKey(kind, namespace, name));
    return entry && decode<Spec>(entry);
  };
  const check = (verb: string, name: string, object: KubeObject | undefined): void => {
    const guarded = object && { object: guardedObject(kind, object), old: guardedObject(kind, object) };
    registry.access.check({ user, verb, kind, namespace, name, ...guarded }, view());
  };
  function* scan(range?: Range): Generator<KubeObject<Spec>, void, undefined> {
    for (const entry of entriesOf(options, range)) yield decode<Spec>(entry);
  }
  function* list(range?: Range, from = 0): Generator<KubeObject<Spec>, void, undefined> {
    const visibility = registry.access.visible({ user, verb: 'list', kind, namespace }, view());
    let seen = 0;
    for (const entry of entriesOf(options, range)) {
      if ((visibility.all || visibility.sees(entry)) && seen++ >= from) yield decode<Spec>(entry);
    }
  }
  /** Of an index that is not divided by namespaces. */
  function* within(range: Range): Generator<KubeObject<Spec>, void, undefined> {
    for (const object of scan(range)) if ((object.metadata.namespace ?? '') === namespace) yield object;
  }
  const demand: Reads<Spec>['demand'] = (verb, name) => {
    const object = peek(name);
    check(verb, name, object);
    if (object === undefined) throw notFound(kind, name);
    return object;
  };
  return {
    kind,
    peek,
    scan,
    list,
    demand,
    get: (name) => demand('get', name),
    byId: (id) => within({ index: INTERNAL_ID_INDEX, prefix: [id] }).next().value ?? undefined,
    referring: (to, name) => {
      const from = to.scope === 'Cluster' ? '' : namespace;
      return within({
        index: REFERENCE_INDEX,
        prefix: referenceTuple({ resource: to.qualified, namespace: from, name }),
      });
    },
    contained: (container) => scan({ index: CONTAINER_INDEX, prefix: containerTuple(namespace, container) }),
    may: (action, object) => hasAction(options, action, object),
    require: (action, object) => {
      if (!hasAction(options, action, object)) throw accessDenied([action]);
    },
    check: (verb, object) => check(verb, object?.metadata.name ?? '', object),
    idOf: (object) => Number(object.metadata.labels?.[ownedKeys(kind.domain).internalId] ?? 0),
  };
}

function hasAction({ registry, store, user, namespace }: ObjectsOptions, action: string, object?: KubeObject): boolean {
  if (isMaster(user)) return true;
  const { kind } = store;
  const view = stateView(registry.cacher.state);
  const scopes = registry.access.grantsOf(user, namespace, view).scopesOf(action);
  if (scopes === undefined || object === undefined) return scopes !== undefined;
  const guarded = guardedObject(kind, object);
  const passes = (scope: string): boolean => covers(scopes, scope);
  if (scopes.everything || guarded.scopes.some(passes)) return true;
  return placesIn(registry, kind).around(guarded, namespace, view, false, passes);
}

const known = new WeakMap<Kind, Places>();

function placesIn({ kinds }: Registry, kind: Kind): Places {
  let places = known.get(kind);
  if (places === undefined) {
    places = placesOf(kind, new Map(kinds.map((one) => [one.qualified, one])));
    known.set(kind, places);
  }
  return places;
}

function writesOf<Spec>({ store, user, namespace, signal }: ObjectsOptions, reads: Reads<Spec>): Writes<Spec> {
  const { kind } = store;
  const options = { user, namespace, dryRun: false, signal };
  const typed = (value: unknown): KubeObject => decodeTyped(kind, value).object;
  const sent = (draft: Draft<Spec>): KubeObject => {
    const object = typed({ apiVersion: kind.apiVersion, kind: kind.kind, ...draft });
    const { metadata } = object;
    reads.check('create', { ...object, metadata: { ...metadata, ...(namespace && { namespace }) } });
    return object;
  };
  const changed = (name: string, change: LegacyChange<Spec>) => {
    reads.demand('update', name);
    return (old: KubeObject): KubeObject => typed(change(old as KubeObject<Spec>));
  };
  const deleteOptions = (name: string, parameters: ReadonlyMap<string, string> = new Map()) => {
    reads.demand('delete', name);
    return { ...deletion(options), parameters };
  };
  return {
    create: async (draft) => decode(await store.create(sent(draft), options)),
    update: async (name, change) => decode(await store.update(name, changed(name, change), options)),
    delete: async (name, parameters) => decode(await store.delete(name, deleteOptions(name, parameters))),
    plan: {
      create: (draft) => {
        const object = sent(draft);
        if (kind.nameOf === undefined || object.metadata.name !== '') checkName(kind, object.metadata.name, '');
        return store.planCreate(object, options);
      },
      update: (name, change) => store.planUpdate(name, changed(name, change), options),
      delete: (name, parameters) => store.planDelete(name, deleteOptions(name, parameters)),
    },
  };
}

/** All or none, in one commit. */
export async function transactAll(
  registry: Registry,
  plans: readonly Plan[],
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const all = await transact(registry, plans, { dryRun: false, signal });
  return all.map((one) => decode(one));
}

/** A part of a commit that depends on the parts before it: `make` sees what they leave. Pure: it may be called again. */
export function dependentPlan(make: (view: ObjectView) => Plan): Plan {
  return (view) => make(objectView(view))(view);
}

function entriesOf({ registry, store, namespace }: ObjectsOptions, range: Range | undefined): Iterable<Entry> {
  const { kind } = store;
  const state = registry.cacher.state.resource(kind.qualified);
  if (range !== undefined) return state.range(range.index, encodeTuple(range.prefix));
  const low = keyOf(kind.qualified, namespace, '');
  return state.entries(low, `${low.slice(0, -1)}0`);
}

function decode<Spec>({ value }: Entry | Written): KubeObject<Spec> {
  return decodeObject(value) as KubeObject<Spec>;
}
