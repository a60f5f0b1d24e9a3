import type { KubeObject, OwnerReference } from '../../../pkg/kube/meta/types.js';
import type { Job } from '../../background/background.js';
import type { Propagation } from '../../kinds/propagation.js';
import { settle } from '../../testing/jobs.js';
import { inWorld, type World, type WorldOptions } from '../../testing/world.js';
import { NO_DELETE_OPTIONS } from '../../write/delete.js';
import { garbageJobs } from '../garbage-collector.js';

/** A world with the jobs of the collector. */
export interface Collecting extends World {
  readonly jobs: readonly Job[];
  /** What the operator was told. */
  readonly errors: unknown[];
  /** Lets the collector do all that it can do now. */
  collect(): Promise<void>;
  /** Deletes an object by a policy. */
  remove(object: KubeObject, propagation?: Propagation): Promise<void>;
}

export const owning = (
  { apiVersion, kind, metadata }: KubeObject,
  more: Partial<OwnerReference> = {},
): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
  ...more,
});
export const owners = (
  ...all: readonly (KubeObject | OwnerReference)[]
): { readonly ownerReferences: readonly OwnerReference[] } => ({
  ownerReferences: all.map((one) => ('metadata' in one ? owning(one) : one)),
});
export const blocking = (...all: readonly KubeObject[]): { readonly ownerReferences: readonly OwnerReference[] } => ({
  ownerReferences: all.map((one) => owning(one, { blockOwnerDeletion: true })),
});

/** The body of a test of the collector. `isFollowing`: it has looked at everything before, and follows the changes. */
export function withCollector(
  work: (world: Collecting) => Promise<void>,
  isFollowing: boolean,
  options: WorldOptions = {},
) {
  return inWorld(async (world) => {
    const errors: unknown[] = [];
    const jobs = garbageJobs(world.registry, { onError: (error) => void errors.push(error) });
    const collect = () => settle(world, jobs);
    const remove = async ({ kind, metadata }: KubeObject, propagation?: Propagation) => {
      const found = world.registry.kinds.find((one) => one.kind === kind);
      if (found === undefined) throw new Error(`there is no kind ${kind}`);
      await world.admin.delete(found, metadata.namespace ?? '', metadata.name, { ...NO_DELETE_OPTIONS, propagation });
    };
    if (isFollowing) await collect();
    await work(Object.assign(world, { jobs, errors, collect, remove }));
  }, options);
}
