import { ApiError } from '../../pkg/kube/status/status.js';
import { partsOf, resourceOf } from '../../storage/key.js';
import type { AppliedWrite } from '../../storage/state/applied-write.js';
import { kindOf, type Registry } from '../kinds/registry.js';
import type { Transaction } from './transaction.js';

/**
 * Refuses an object that grew above the bound of all objects. A body has a bound of its own, but patches and managers
 * of fields add to what is stored, and each change and each list takes as long as the whole object is large. One that
 * is as large already can be made smaller. Objects of internal kinds have no such bound, because the server itself
 * decides what is in them.
 */
export function refuseLargeObjects({ registry, state }: Transaction): void {
  const limit = registry.limits?.objectBytes;
  if (limit === undefined) return;
  for (const applied of state.written()) if (isGrown(applied, limit)) refuse(registry, applied, limit);
}

function isGrown({ entry, previous }: AppliedWrite, limit: number): boolean {
  return entry !== undefined && entry.size > limit && entry.size > (previous?.size ?? 0);
}

function refuse(registry: Registry, { key, entry }: AppliedWrite, limit: number): void {
  const resource = resourceOf(key);
  if (kindOf(registry, resource)?.served === false) return;
  const { name } = partsOf(key);
  const message = `${resource} ${JSON.stringify(name)} would take ${entry?.size} bytes with its metadata, and at most ${limit} are stored of an object (twice limits.body_bytes of the server)`;
  throw new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message });
}
