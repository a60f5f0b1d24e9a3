import { setTimeout as sleep } from 'node:timers/promises';
import { MASTERS_GROUP, type UserInfo } from '../../../pkg/identity/authn/user.js';
import { isSameJson } from '../../../pkg/kube/json/same.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { type BackgroundOptions, type Job, startJobs, storedKinds } from '../../../registry/background/background.js';
import { Client } from '../../../registry/client/client.js';
import { completed, isServedAsStored } from '../../../registry/kinds/conversion.js';
import type { Kind } from '../../../registry/kinds/kind.js';
import type { Registry } from '../../../registry/kinds/registry.js';
import { selectedPages } from '../../../registry/read/pages.js';
import { type Entry, objectOf, placeOf } from '../../../registry/read/reader.js';
import { Retry } from '../../../registry/signals/retry.js';
import { DEFINITIONS } from '../names.js';

const MIGRATOR: UserInfo = { name: 'system:storage-migrator', uid: '', groups: [MASTERS_GROUP], extra: {} };

/**
 * Milliseconds without a change of a definition before its objects are stored again. People often change a definition
 * several times.
 */
const QUIET = 5000;
/** Objects that are looked at together, and so the most that are written together. */
const STEP = 20;
/** Milliseconds between two steps, in which others write. */
const PAUSE = 20;

/**
 * Stores objects again if their definition has got another storage version or other defaults since they were stored.
 * Then a version can be taken out of `status.storedVersions`, as after a migration in Kubernetes. Only the elected
 * server needs to run it. Returns a function that stops it.
 */
export function startMigration(registry: Registry, options: BackgroundOptions): () => Promise<void> {
  return startJobs(registry, [migrationJob(registry)], options);
}

/** What is known of the definition of a kind. */
interface Seen {
  readonly since: number;
  isDone: boolean;
}

/** The same as a job that does not run yet. Each change of a definition makes a new `Kind`. */
export function migrationJob(registry: Registry, quiet = QUIET): Job {
  let seen = new Map<Kind, Seen>();
  return {
    wokenBy: DEFINITIONS,
    restart: () => {
      seen = new Map();
    },
    run: async (signal) => {
      const now = registry.clock.now();
      const kinds = storedKinds(registry).filter(({ completion }) => completion !== undefined);
      seen = new Map(kinds.map((kind) => [kind, seen.get(kind) ?? { since: now, isDone: false }]));
      for (const [kind, one] of seen) {
        if (one.isDone || now - one.since < quiet) continue;
        one.isDone = await migrate(registry, kind, signal);
      }
    },
  };
}

/** Returns whether all objects have been looked at. */
async function migrate(registry: Registry, kind: Kind, signal: AbortSignal): Promise<boolean> {
  const client = new Client(registry, { user: MIGRATOR, isTrusted: true, signal });
  const isOld = (entry: Entry): boolean => !isServedAsStored(kind, entry);
  for await (const old of selectedPages(registry.reader.each(kind.qualified), isOld, STEP)) {
    if (signal.aborted || !registry.kinds.includes(kind)) return false;
    await storeAgain(client, kind, old);
    await sleep(PAUSE, undefined, { ref: false });
  }
  return true;
}

/** An object that would stay the same is not written, because its watchers would get an event without a change. */
async function storeAgain(client: Client, kind: Kind, entries: readonly Entry[]): Promise<void> {
  const stored = entries.map((entry) => objectOf(entry));
  const served = (await kind.serve?.(stored)) ?? stored.map((object) => completed(kind, object));
  const changed = entries.filter((_, i) => !isSameJson(stored[i], served[i]));
  await Promise.all(changed.map((entry) => storeOne(client, kind, entry)));
}

/** As in Kubernetes, an update that changes nothing stores an object in its new form. */
async function storeOne(client: Client, kind: Kind, entry: Entry): Promise<void> {
  const [namespace, name] = placeOf(entry);
  const unchanged = (old: KubeObject): KubeObject => old;
  await client.update(kind, namespace, name, unchanged).catch(ignoreRefusal);
}

/**
 * An object that is gone needs nothing. One that the new schema does not allow stays as it is, until somebody writes
 * it.
 */
function ignoreRefusal(error: unknown): void {
  if (error instanceof Retry || (error instanceof ApiError && [404, 409, 422].includes(error.code))) return;
  throw error;
}
