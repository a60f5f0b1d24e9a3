import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { ignoreMissing } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { partsOf } from '../../storage/key.js';
import { Client } from '../client/client.js';
import type { Kind } from '../kinds/kind.js';
import { type Registry, TERMINATING_INDEX } from '../kinds/registry.js';
import { inPages } from '../read/pages.js';
import { apiErrorOf } from '../signals/storage-errors.js';
import { NO_DELETE_OPTIONS } from '../write/delete.js';
import { type BackgroundOptions, type Job, pauseAfter, startJobs } from './background.js';

const COLLECTOR: UserInfo = { name: 'system:namespace-collector', uid: '', groups: [MASTERS_GROUP], extra: {} };

/** A namespace that could not be removed: how often in a row, and from when on it is tried again. */
interface Refusal {
  readonly failures: number;
  readonly until: number;
}

/**
 * Empties terminating namespaces and then removes them, as Kubernetes' namespace controller does. Only the elected
 * server needs to run it, but several servers may. Returns a function that stops it.
 */
export function startNamespaceCollector(registry: Registry, options: BackgroundOptions): () => Promise<void> {
  return startJobs(registry, namespaceCollectorJobs(registry, options), options);
}

/** The same as jobs that do not run yet. There is none if no kind is the kind of namespaces. */
export function namespaceCollectorJobs(
  registry: Registry,
  { onError }: Pick<BackgroundOptions, 'onError'>,
): readonly Job[] {
  const { namespaces } = registry;
  return namespaces === undefined ? [] : [new NamespaceCollector(registry, namespaces, onError)];
}

class NamespaceCollector implements Job {
  readonly wokenBy: string;
  readonly #registry: Registry;
  readonly #kind: Kind;
  readonly #onError: (error: unknown) => void;
  readonly #refused = new Map<string, Refusal>();

  constructor(registry: Registry, kind: Kind, onError: (error: unknown) => void) {
    this.wokenBy = kind.qualified;
    this.#registry = registry;
    this.#kind = kind;
    this.#onError = onError;
  }

  restart(): void {
    this.#refused.clear();
  }

  /** Tries all namespaces before it fails, because the failure of one must not hold up the others. */
  async run(signal: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    const namespaces = terminating(this.#registry, this.#kind);
    this.#forgetOthers(namespaces);
    for (const namespace of namespaces) {
      if (signal.aborted) return;
      await this.#try(namespace, signal).catch((error: unknown) => failures.push(error));
    }
    // The store failed for all of them, so one failure tells the operator enough.
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Throws the failures of the store. All others concern only this namespace: the operator is told, and it alone is
   * tried again after a pause.
   */
  async #try(namespace: KubeObject, signal: AbortSignal): Promise<void> {
    const id = idOf(namespace);
    const { failures = 0, until = 0 } = this.#refused.get(id) ?? {};
    const { cacher, clock } = this.#registry;
    if (clock.now() < until) return;
    try {
      await collect(this.#registry, this.#kind, namespace, signal);
      this.#refused.delete(id);
    } catch (error) {
      if (signal.aborted || cacher.closed || isOfStore(error)) throw error;
      this.#refused.set(id, { failures: failures + 1, until: clock.now() + pauseAfter(failures + 1) });
      this.#onError(error);
    }
  }

  #forgetOthers(namespaces: readonly KubeObject[]): void {
    const ids = new Set(namespaces.map(idOf));
    for (const id of this.#refused.keys()) if (!ids.has(id)) this.#refused.delete(id);
  }
}

/** A new namespace with the same name has another id. */
const idOf = ({ metadata }: KubeObject): string => metadata.uid ?? metadata.name;

/** Whether the store cannot be reached, cannot write or has too much to do. */
function isOfStore(error: unknown): boolean {
  const known = apiErrorOf(error);
  return known instanceof ApiError && (known.code >= 500 || known.code === 429);
}

function terminating({ reader }: Registry, kind: Kind): readonly KubeObject[] {
  return reader.range(kind.qualified, TERMINATING_INDEX, []);
}

async function collect(registry: Registry, kind: Kind, { metadata }: KubeObject, signal: AbortSignal): Promise<void> {
  const { name, uid } = metadata;
  const client = new Client(registry, { user: COLLECTOR, isTrusted: true, signal });
  const contained = registry.kinds.filter(({ scope }) => scope === 'Namespaced');
  for (const containedKind of contained) await purge(client, containedKind, name);
  // Objects with finalizers may remain. The next change starts another attempt.
  for (const containedKind of contained) if (registry.reader.count(containedKind.qualified, name) > 0) return;
  // A terminating namespace accepts no new objects, so an empty one stays empty.
  const options = { ...NO_DELETE_OPTIONS, preconditions: uid === undefined ? {} : { uid } };
  await client.delete(kind, '', name, options).catch(ignoreMissing);
}

async function purge(client: Client, kind: Kind, namespace: string): Promise<void> {
  const { reader } = client.registry;
  const remove = (name: string) => client.delete(kind, namespace, name).catch(ignoreMissing);
  // The state of this moment does not change, however many objects are deleted meanwhile.
  for (const page of inPages(reader.inNamespace(kind.qualified, namespace))) {
    const names = page.map(({ key }) => partsOf(key).name);
    // Some were deleted with others, and some stay until no finalizer holds them.
    const isLeft = (name: string): boolean => {
      const entry = reader.entry(kind.qualified, namespace, name);
      return entry !== undefined && entry.attributes.isTerminating !== true;
    };
    await Promise.all(names.filter(isLeft).map(remove));
  }
}
