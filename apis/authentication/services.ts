import { ulidGenerator } from '../../pkg/meta/ulid.js';
import { ApiError } from '../../pkg/status/status.js';
import { type Lookup, lookupOf } from '../../registry/lookup.js';
import type { Registry } from '../../registry/registry.js';
import type { Store, WriteOptions } from '../../registry/store.js';
import { type ResourceName, resourceName } from '../iam/names.js';
import { SYSTEM_USER } from './bootstrap.js';

/** What authentication stands on: reads from the caches, writes by the stores, as all others. */
export interface IdentityServices {
  readonly registry: Registry;
  readonly lookup: Lookup;
  readonly domain: string;
  /** Name of a new session, token or user. */
  readonly newName: () => string;
  store(plural: ResourceName): Store;
  /** `users.iam.svc.app`. */
  resource(plural: ResourceName): string;
  /** Milliseconds since the epoch. */
  now(): number;
}

export function identityServices(registry: Registry, stores: readonly Store[], domain: string): IdentityServices {
  // A view of a kind has its resource, but not its rules.
  const own = stores.filter(({ kind }) => kind.view === undefined);
  const byResource = new Map(own.map((store) => [store.kind.qualified, store]));
  return {
    registry,
    domain,
    lookup: lookupOf(registry.cacher),
    newName: ulidGenerator(),
    store: (plural) => {
      const store = byResource.get(resourceName(plural, domain));
      if (store === undefined) throw new Error(`There is no store of ${plural}.`);
      return store;
    },
    resource: (plural) => resourceName(plural, domain),
    now: () => registry.clock.now(),
  };
}

/** For what nobody asked for: sessions that turn, when users were seen. */
export function asSystem(namespace = ''): WriteOptions {
  return { user: SYSTEM_USER, namespace, dryRun: false };
}

export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** For deletions of what may be gone already. */
export function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
}
