import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { Client } from '../client/client.js';
import type { ObjectClient } from '../client/objects.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';

export interface Election {
  /** Whether this server should do the work now. This only saves work: it must be safe if several servers do it. */
  isElected(): boolean;
  /** Releases the lease, so that another server can take it at once. */
  close(): Promise<void>;
}

interface ElectionOptions {
  readonly name: string;
  /** Milliseconds between renewals. A holder that misses three renewals loses the lease. */
  readonly period?: number;
  readonly onError: (error: unknown) => void;
}

interface Lease {
  readonly holder: string;
  readonly renewals: number;
}

const ELECTOR: UserInfo = { name: 'system:election', uid: '', groups: [MASTERS_GROUP], extra: {} };
const MISSED = 3;

/** The election of a server that shares its store with no other server. This server is always elected. */
export const unopposed: Election = { isElected: () => true, close: async () => undefined };

/**
 * Elects one of the servers of a store by a Lease object, as client-go's leaderelection does. The holder increments the
 * lease each period. A server that sees no increment for three periods of its own clock takes the lease. The clocks of
 * the servers need not agree.
 */
export function startElection(registry: Registry, kind: Kind, options: ElectionOptions): Election {
  const { name, period = 10_000, onError } = options;
  const leases = new Client(registry, { user: ELECTOR }).objects<Lease>(kind);
  const identity = randomUUID();
  const stop = new AbortController();
  let electedUntil = 0;
  const run = async (): Promise<void> => {
    let seen: Lease | undefined;
    let still = 0;
    while (!stop.signal.aborted) {
      const lease = leases.find(name)?.spec;
      still = lease !== undefined && isSame(lease, seen) ? still + 1 : 0;
      seen = lease;
      if (lease === undefined || lease.holder === identity || lease.holder === '' || still >= MISSED) {
        const began = performance.now();
        const won = await take(leases, name, identity, lease).catch((error: unknown) => {
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
      stop.abort();
      await running;
      // The lease may have been taken while this stopped.
      if (leases.find(name)?.spec?.holder === identity) await giveBack(leases, name, identity).catch(onError);
    },
  };
}

function isSame(a: Lease, b: Lease | undefined): boolean {
  return a.holder === b?.holder && a.renewals === b.renewals;
}

/** Returns false if another server was faster. */
async function take(
  leases: ObjectClient<Lease>,
  name: string,
  holder: string,
  seen: Lease | undefined,
): Promise<boolean> {
  if (seen === undefined) {
    return leases.create({ metadata: { name }, spec: { holder, renewals: 0 } }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.reason === 'AlreadyExists') return false;
        throw error;
      },
    );
  }
  let won = false;
  await leases.update(name, (old) => {
    won = old.spec !== undefined && isSame(old.spec, seen);
    return won ? { ...old, spec: { holder, renewals: seen.renewals + 1 } } : old;
  });
  return won;
}

async function giveBack(leases: ObjectClient<Lease>, name: string, holder: string): Promise<void> {
  await leases.update(name, (old) => {
    if (old.spec?.holder !== holder) return old;
    return { ...old, spec: { holder: '', renewals: old.spec.renewals + 1 } };
  });
}
