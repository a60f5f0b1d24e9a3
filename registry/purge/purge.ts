import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { Yielder } from '../../pkg/system/yielding/yielding.js';
import { partsOf } from '../../storage/key.js';
import { type BackgroundOptions, type Job, startJobs } from '../background/background.js';
import { Client } from '../client/client.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import { type Entry, objectOf } from '../read/reader.js';
import { Retry } from '../signals/retry.js';
import { NO_DELETE_OPTIONS } from '../write/delete.js';
import { agedVersions } from './aged.js';
import { expiredObjects } from './expired.js';
import { orphanedObjects } from './orphaned.js';
import type { Removal } from './removal.js';

const PURGE: UserInfo = { name: 'system:purge', uid: '', groups: [MASTERS_GROUP], extra: {} };
/** The number of objects that are deleted at once. The engine commits them together, and other writes in between. */
const AT_ONCE = 200;

/**
 * Removes the objects that depend on objects that are gone, and those that are too old (docs/adr/0050), in chunks. Only
 * the elected server needs to run it, but several servers may. Returns a function that stops it.
 */
export function startPurge(registry: Registry, options: BackgroundOptions): () => Promise<void> {
  return startJobs(registry, purgeJobs(registry), options);
}

/** The same as jobs that do not run yet. */
export function purgeJobs(registry: Registry): readonly Job[] {
  const removals = registry.kinds.flatMap((kind) => [
    ...orphanedObjects(registry, kind),
    ...expiredObjects(registry, kind),
    ...agedVersions(registry, kind),
  ]);
  return removals.map((removal): Job => {
    return {
      wokenBy: removal.wokenBy,
      run: (signal) => purge(registry, removal, signal),
      restart: () => removal.restart(),
    };
  });
}

async function purge(registry: Registry, removal: Removal, signal: AbortSignal): Promise<void> {
  const client = new Client(registry, { user: PURGE, isTrusted: true, signal });
  const yielder = new Yielder();
  let page: Entry[] = [];
  const removePage = async (): Promise<void> => {
    const some = page;
    page = [];
    await Promise.all(some.map((entry) => remove(client, removal.kind, entry)));
  };
  for (const entry of removal.objects()) {
    if (yielder.isDue) await yielder.yield();
    if (signal.aborted) return;
    if (entry !== undefined) page.push(entry);
    if (page.length >= AT_ONCE) await removePage();
  }
  await removePage();
  if (!signal.aborted) removal.done();
}

/** An object that was changed in the meantime may have to stay. If not, it is found again. */
async function remove(client: Client, kind: Kind, entry: Entry): Promise<void> {
  if (entry.attributes.isTerminating === true) return;
  const { namespace, name } = partsOf(entry.key);
  const { resourceVersion } = objectOf(entry).metadata;
  const preconditions = resourceVersion === undefined ? {} : { resourceVersion };
  await client.delete(kind, namespace, name, { ...NO_DELETE_OPTIONS, preconditions }).catch(unlessChanged);
}

function unlessChanged(error: unknown): void {
  const isChanged = error instanceof ApiError && (error.reason === 'NotFound' || error.reason === 'Conflict');
  if (!(isChanged || error instanceof Retry)) throw error;
}
