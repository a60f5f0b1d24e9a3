import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MASTERS_GROUP, type UserInfo } from '../pkg/authn/user.js';
import type { KubeObject } from '../pkg/meta/types.js';
import { ApiError } from '../pkg/status/status.js';
import { objectKey, type Registry } from './registry.js';
import type { Store } from './store.js';
import { objectOfEntry } from './view.js';

export interface Election {
  /** Whether this server is to do the job now. A hint that keeps servers out of each other's way, never what makes the job safe. */
  isElected(): boolean;
  /** Gives the lease back, so that another server goes on at once. */
  close(): Promise<void>;
}

export interface ElectionOptions {
  readonly name: string;
  /** Milliseconds between renewals; a holder that misses three has lost. */
  readonly period?: number;
  readonly onError: (error: unknown) => void;
}

interface Lease {
  readonly holder: string;
  readonly renewals: number;
}

const ELECTOR: UserInfo = { name: 'system:election', uid: '', groups: [MASTERS_GROUP], extra: {} };
const OPTIONS = { user: ELECTOR, namespace: '', dryRun: false };
const MISSED = 3;

/** Alone on its store a server is always the one. */
export const unopposed: Election = { isElected: () => true, close: async () => undefined };

/**
 * One of the servers of a store, by a lease among the objects (as client-go's leaderelection does it): the holder counts it up; who sees it
 * stand still for three periods of its own clock takes it. Clocks need not agree.
 */
export function startElection(registry: Registry, leases: Store, options: ElectionOptions): Election {
  const { name, period = 10_000, onError } = options;
  const identity = randomUUID();
  const stop = new AbortController();
  let electedUntil = 0;
  const run = async (): Promise<void> => {
    let seen: Lease | undefined;
    let still = 0;
    while (!stop.signal.aborted) {
      const held = read(registry, leases, name);
      still = held !== undefined && isSame(held, seen) ? still + 1 : 0;
      seen = held;
      if (held === undefined || held.holder === identity || held.holder === '' || still >= MISSED) {
        const began = performance.now();
        const won = await take(leases, name, identity, held).catch((error: unknown) => {
          if (!stop.signal.aborted) onError(error);
          return false;
        });
        if (won) electedUntil = began + MISSED * period;
      }
      await sleep(period, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const running = run();
  const isElected = (): boolean => !stop.signal.aborted && performance.now() < electedUntil;
  return {
    isElected,
    close: async () => {
      const holds = isElected();
      stop.abort();
      await running;
      if (holds) await giveBack(leases, name, identity).catch(onError);
    },
  };
}

function read(registry: Registry, leases: Store, name: string): Lease | undefined {
  const entry = registry.cacher.state.resource(leases.kind.qualified).get(objectKey(leases.kind, '', name));
  return entry && (objectOfEntry(entry).spec as Lease);
}

function isSame(a: Lease, b: Lease | undefined): boolean {
  return a.holder === b?.holder && a.renewals === b.renewals;
}

/** False if another server was faster. */
async function take(leases: Store, name: string, holder: string, seen: Lease | undefined): Promise<boolean> {
  const { apiVersion, kind } = leases.kind;
  if (seen === undefined) {
    const object = { apiVersion, kind, metadata: { name }, spec: { holder, renewals: 0 } };
    return leases.create(object, OPTIONS).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.reason === 'AlreadyExists') return false;
        throw error;
      },
    );
  }
  let won = false;
  await leases.update(
    name,
    (old) => {
      won = isSame(old.spec as Lease, seen);
      return won ? { ...old, spec: { holder, renewals: seen.renewals + 1 } } : old;
    },
    OPTIONS,
  );
  return won;
}

async function giveBack(leases: Store, name: string, holder: string): Promise<void> {
  const change = (old: KubeObject): KubeObject => {
    const { holder: now, renewals } = old.spec as Lease;
    return now === holder ? { ...old, spec: { holder: '', renewals: renewals + 1 } } : old;
  };
  await leases.update(name, change, OPTIONS);
}
