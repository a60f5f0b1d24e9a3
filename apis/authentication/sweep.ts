import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { ResourceName } from '../../registry/kinds/names.js';
import { inPages } from '../../registry/read/pages.js';
import { objectOf } from '../../registry/read/reader.js';
import { NO_DELETE_OPTIONS } from '../../registry/write/delete.js';
import type { IdentityServices } from './services.js';

/** The most objects that one sweep deletes. */
const MOST = 500;

/**
 * Deletes a limited number of the objects of an index that are over. It looks at them in pages, because requests must
 * not wait until it has looked at all. It sees the objects as they were at its start.
 */
export async function sweep<Spec>(
  services: IdentityServices,
  resource: ResourceName,
  index: string,
  isOver: (object: KubeObject<Spec>) => boolean,
): Promise<void> {
  const entries = services.objects<Spec>(resource).entries({ index, prefix: [] });
  let left = MOST;
  for (const page of inPages(entries)) {
    const over = page
      .map((entry) => objectOf<Spec>(entry))
      .filter(isOver)
      .slice(0, left);
    for (const object of over) await remove(services, resource, object);
    left -= over.length;
    if (left === 0) return;
    await yieldToLoop();
  }
}

/** An object that was changed in the meantime may have to stay. If not, the next sweep finds it. */
async function remove(services: IdentityServices, resource: ResourceName, { metadata }: KubeObject): Promise<void> {
  const { namespace, name, resourceVersion } = metadata;
  const preconditions = resourceVersion === undefined ? {} : { resourceVersion };
  const objects = services.objects(resource, namespace);
  await objects.delete(name, { ...NO_DELETE_OPTIONS, preconditions }).catch(unlessChanged);
}

function unlessChanged(error: unknown): void {
  if (!(error instanceof ApiError && (error.reason === 'NotFound' || error.reason === 'Conflict'))) throw error;
}
