import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { grantsOf } from '../../pkg/identity/authz/grants.js';
import type { KubeObject, ObjectMeta } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { Backend } from '../../storage/backend.js';
import { decodeObject } from '../../storage/state/codec.js';
import { applySetKinds } from '../applyset/names.js';
import { Client, type ClientOptions } from '../client/client.js';
import { CompiledKinds } from '../kinds/compiled.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import type { Report } from '../kinds/reports.js';
import { DEFAULT_RETENTION, type Retention } from '../kinds/retention.js';
import { type Library, library } from './library.js';
import { type OpenRegistry, openRegistry } from './open-registry.js';
import { NAMESPACE, objectOfKind } from './write-context.js';

export interface WorldOptions {
  /** Changes kinds of the library. */
  readonly kinds?: { readonly [Name in keyof Library]?: Partial<Kind> };
  readonly retention?: Partial<Retention>;
  /** Without it, there is only the namespace `default`, which is no object. */
  readonly withNamespaces?: boolean;
}

/** The time in milliseconds since the epoch. Tests move it. */
interface TestClock {
  time: number;
}

/** A registry without a server, on a store in memory. */
export class World {
  readonly kinds: Library;
  readonly registry: Registry;
  readonly backend: Backend;
  readonly clock: TestClock;
  /** What people were told. */
  readonly told: Report[];
  /** May do everything. */
  readonly admin: Client;
  readonly #open: OpenRegistry;

  constructor(kinds: Library, open: OpenRegistry, clock: TestClock, told: Report[]) {
    this.kinds = kinds;
    this.backend = open.backend;
    this.registry = open.registry;
    this.clock = clock;
    this.told = told;
    this.#open = open;
    this.admin = new Client(this.registry, { user: { ...caller('admin'), groups: [MASTERS_GROUP] } });
  }

  /** A caller with these permissions, as `action scope`, or `action scope basic` for those of a basic role. */
  readonly as = (...permissions: readonly string[]): Client =>
    new Client(this.registry, { user: caller('ann', permissions) });

  /** One who may do everything, with these options. */
  readonly with = (options: Partial<ClientOptions>): Client =>
    new Client(this.registry, { ...this.admin.options, ...options });

  /** Stores an object, and returns it as it is stored. */
  readonly put = async (
    kind: Kind,
    name: string,
    spec: object = {},
    more: Partial<ObjectMeta> = {},
  ): Promise<KubeObject> =>
    (await this.admin.create(kind, more.namespace ?? NAMESPACE, sentObject(kind, name, spec, more))).object;

  /** The stored object. */
  readonly get = (kind: Kind, name: string, namespace = NAMESPACE): KubeObject | undefined =>
    this.registry.reader.get(kind.qualified, kind.scope === 'Cluster' ? '' : namespace, name);

  /** The stored objects of a kind in all namespaces. */
  readonly all = async <Spec = Readonly<Record<string, string>>>(kind: Kind): Promise<readonly KubeObject<Spec>[]> => {
    const all: KubeObject<Spec>[] = [];
    for await (const chunk of this.backend.load(kind.qualified))
      all.push(...chunk.map(({ value }) => decodeObject(value) as KubeObject<Spec>));
    return all;
  };

  readonly names = async (kind: Kind): Promise<readonly string[]> =>
    (await this.all(kind)).map(({ metadata }) => metadata.name);

  /** Replaces the spec of an object, and parts of its metadata. */
  readonly change = async (
    kind: Kind,
    name: string,
    spec: object,
    metadata: Partial<ObjectMeta> = {},
  ): Promise<KubeObject> => {
    const change = (old: KubeObject): KubeObject => ({ ...old, spec, metadata: { ...old.metadata, ...metadata } });
    return (await this.admin.update(kind, NAMESPACE, name, change)).object;
  };

  close(): Promise<void> {
    return this.#open.close();
  }
}

/** An object as a client sends it. */
export function sentObject(
  kind: Kind,
  name: string,
  spec: object = {},
  metadata: Partial<ObjectMeta> = {},
): KubeObject {
  const { uid: _, ...bare } = objectOfKind(kind, name, spec, metadata).metadata;
  return { ...objectOfKind(kind, name, spec), metadata: bare };
}

export function caller(name: string, permissions: readonly string[] = []): UserInfo {
  return { name, uid: `${name}s`, groups: [], extra: { may: permissions } };
}

function resolved({ extra }: UserInfo) {
  const permissions = (extra['may'] ?? []).map((text) => {
    const [action = '', scope = '', basic] = text.split(' ');
    return { action, scope, ...(basic === 'basic' && { isBasic: true as const }) };
  });
  const grants = grantsOf(permissions);
  return { grants: () => grants, isMember: () => true, isCurrent: () => true };
}

async function openWorld(options: WorldOptions): Promise<World> {
  const made = library();
  const kinds = Object.fromEntries(
    Object.entries(made).map(([name, kind]) => [name, { ...kind, ...options.kinds?.[name as keyof Library] }]),
  ) as unknown as Library;
  const all = Object.values(kinds) as readonly Kind[];
  const clock: TestClock = { time: Date.parse('2026-01-01T00:00:00Z') };
  const told: Report[] = [];
  const own = {
    namespaces: options.withNamespaces ? kinds.namespace : undefined,
    retained: kinds.retained,
    retention: { ...DEFAULT_RETENTION, ...options.retention },
    applySets: applySetKinds(new CompiledKinds(all)),
    report: (report: Report) => void told.push(report),
  };
  const open = await openRegistry(all, { now: () => clock.time, grants: { resolve: resolved }, own });
  return new World(kinds, open, clock, told);
}

/** The body of a test in a world of its own. */
export function inWorld(work: (world: World) => Promise<void>, options: WorldOptions = {}): () => Promise<void> {
  return async () => {
    const world = await openWorld(options);
    try {
      await work(world);
    } finally {
      await world.close();
    }
  };
}

/** The code, reason and message of a refusal. Empty if there is none. */
export async function refusal(work: Promise<unknown> | (() => Promise<unknown>)): Promise<string> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.code} ${error.reason} ${error.message}`;
  }
  return '';
}
