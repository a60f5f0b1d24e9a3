import type { UserInfo } from '../../pkg/authn/user.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { notFound } from '../../pkg/status/errors.js';
import { decodeObject } from '../../storage/codec.js';
import { keyOf } from '../../storage/key.js';
import type { Entry } from '../../storage/state.js';
import { encodeTuple, type Tuple } from '../../storage/tuple.js';
import { decodeTyped } from '../decode.js';
import type { Kind } from '../kind.js';
import { ownedKeys } from '../metadata.js';
import { INTERNAL_ID_INDEX, objectKey, REFERENCE_INDEX, type Registry, referenceTuple } from '../registry.js';
import { apiErrorOf } from '../storage-errors.js';
import type { Store, Written } from '../store.js';
import type { LegacyAccess } from './access.js';
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

type Verb = 'get' | 'create' | 'update' | 'delete';

/**
 * The objects of one kind, in the caller's organization and with the caller's rights. Reads see everything acknowledged before the request;
 * writes are the Store's, schema, rules and all.
 */
export interface Objects<Spec = unknown> {
  readonly kind: Kind;
  /** Throws 404, and 403 for one that the caller may not view. */
  get(name: string): KubeObject<Spec>;
  /** By the integer that the legacy interface calls it by; `undefined` if there is none in this organization. No permission is looked at. */
  byId(id: number): KubeObject<Spec> | undefined;
  /** Those the caller may view; all of them in order of names, or a part. */
  list(range?: Range): Generator<KubeObject<Spec>, void, undefined>;
  /** Without looking at permissions: for what is looked up on the way to an answer. */
  peek(name: string): KubeObject<Spec> | undefined;
  scan(range?: Range): Generator<KubeObject<Spec>, void, undefined>;
  /** Those that name an object of another kind, by the kind's `references`; permissions aside. */
  referring(to: Kind, name: string): Generator<KubeObject<Spec>, void, undefined>;
  /** Whether the caller has the action on this object; with none, on any. */
  may(action: string, object?: KubeObject): boolean;
  /** Throws 403 unless the kind's permissions let the caller do this. */
  check(verb: Verb, object?: KubeObject): void;
  idOf(object: KubeObject): number;
  create(draft: Draft<Spec>): Promise<KubeObject<Spec>>;
  /** `change` is pure: it may be called again on a newer object. What it throws is the answer. */
  update(name: string, change: (old: KubeObject<Spec>) => KubeObject<Spec>): Promise<KubeObject<Spec>>;
  /** The object as it was. */
  delete(name: string, parameters?: ReadonlyMap<string, string>): Promise<KubeObject<Spec>>;
}

export interface ObjectsOptions {
  readonly registry: Registry;
  readonly store: Store;
  readonly access: LegacyAccess;
  readonly user: UserInfo;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

export function objectsOf<Spec>(options: ObjectsOptions): Objects<Spec> {
  const { registry, store, access, user, namespace } = options;
  const { kind } = store;
  const state = () => registry.cacher.state.resource(kind.qualified);
  const may: Objects['may'] = (action, object) =>
    access.has(user, action, { kind, namespace, ...(object && { object }) });
  const check: Objects['check'] = (verb, object) => {
    if (object !== undefined && kind.permissions?.allowSelf?.(object, user, verb) === true) return;
    const actions = kind.permissions?.[verb] ?? [`${kind.resource}:${verb}`];
    if (!actions.every((action) => may(action, object))) throw accessDenied(actions);
  };
  const isShown = (object: KubeObject): boolean =>
    kind.permissions?.allowSelf?.(object, user, 'get') === true ||
    (kind.permissions?.get ?? [`${kind.resource}:get`]).every((action) => may(action, object));
  const peek = (name: string) => read<Spec>(state().get(objectKey(kind, namespace, name)));
  function* scan(range?: Range): Generator<KubeObject<Spec>, void, undefined> {
    for (const entry of entriesOf(options, range)) yield decode<Spec>(entry);
  }
  function* list(range?: Range): Generator<KubeObject<Spec>, void, undefined> {
    for (const object of scan(range)) if (isShown(object)) yield object;
  }
  function* byIndex(range: Range): Generator<KubeObject<Spec>, void, undefined> {
    for (const object of scan(range)) if ((object.metadata.namespace ?? '') === namespace) yield object;
  }
  return {
    kind,
    may,
    check,
    peek,
    scan,
    list,
    get: (name) => {
      const object = peek(name);
      if (object === undefined) throw notFound(kind, name);
      check('get', object);
      return object;
    },
    byId: (id) => byIndex({ index: INTERNAL_ID_INDEX, prefix: [id] }).next().value ?? undefined,
    referring: (to, name) => {
      const from = to.scope === 'Cluster' ? '' : namespace;
      const prefix = referenceTuple({ resource: to.qualified, namespace: from, name });
      return byIndex({ index: REFERENCE_INDEX, prefix });
    },
    idOf: (object) => Number(object.metadata.labels?.[ownedKeys(kind.domain).internalId] ?? 0),
    ...writesOf<Spec>(options, check, peek),
  };
}

type Writes<Spec> = Pick<Objects<Spec>, 'create' | 'update' | 'delete'>;

function writesOf<Spec>(
  { store, user, namespace, signal }: ObjectsOptions,
  check: Objects['check'],
  peek: Objects<Spec>['peek'],
): Writes<Spec> {
  const { kind } = store;
  const options = { user, namespace, dryRun: false, signal };
  const typed = (value: unknown): KubeObject => decodeTyped(kind, value).object;
  const found = (name: string): KubeObject => {
    const object = peek(name);
    if (object === undefined) throw notFound(kind, name);
    return object;
  };
  return {
    create: async (draft) => {
      const { apiVersion, kind: kindName } = kind;
      const object = typed({ apiVersion, kind: kindName, ...draft });
      check('create', { ...object, metadata: { ...object.metadata, ...(namespace && { namespace }) } });
      return written(await store.create(object, options));
    },
    update: async (name, change) => {
      check('update', found(name));
      return written(await store.update(name, (old) => typed(change(old as KubeObject<Spec>)), options));
    },
    delete: async (name, parameters = new Map()) => {
      check('delete', found(name));
      return written(await store.delete(name, { ...options, preconditions: {}, orphan: false, parameters }));
    },
  };
}

function entriesOf({ registry, store, namespace }: ObjectsOptions, range: Range | undefined): Iterable<Entry> {
  const { kind } = store;
  const state = registry.cacher.state.resource(kind.qualified);
  if (range !== undefined) return state.range(range.index, encodeTuple(range.prefix));
  const low = keyOf(kind.qualified, namespace, '');
  return state.entries(low, `${low.slice(0, -1)}0`);
}

function read<Spec>(entry: Entry | undefined): KubeObject<Spec> | undefined {
  return entry && decode<Spec>(entry);
}

function decode<Spec>({ value }: Entry | Written): KubeObject<Spec> {
  return decodeObject(value) as KubeObject<Spec>;
}

const written = decode;

/** Failures of the store in the words of the API. */
export { apiErrorOf };
