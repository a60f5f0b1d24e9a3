import type { UserInfo } from '../../../pkg/identity/authn/user.js';
import type { Kind } from '../../kinds/kind.js';
import { type Received, type Sent, senderTo } from '../../testing/served.js';
import { inWorld, type World, type WorldOptions } from '../../testing/world.js';
import { resourceHandler } from '../router.js';

/** A world whose objects are served by the resource API. */
export interface Shop extends World {
  send(method: string, path: string, sent?: Sent): Promise<Received>;
}

/** The body of a test. */
export function inShop(work: (shop: Shop) => Promise<void>, options: WorldOptions = {}): () => Promise<void> {
  return inWorld((world) => {
    const send = senderTo(resourceHandler(world.registry));
    const sendAsAdmin: Shop['send'] = (method, path, sent = {}) =>
      send(method, path, { user: world.admin.options.user, ...sent });
    return work(Object.assign(world, { send: sendAsAdmin }));
  }, options);
}

/** A person with these permissions, as `action scope`. */
export function userOf(world: World, ...permissions: readonly string[]): UserInfo {
  return world.as(...permissions).options.user;
}

/** The path of an object, or of a part of it, in the namespace `default`. */
export function pathOf({ apiVersion, resource, scope }: Kind, ...parts: readonly string[]): string {
  const place = scope === 'Cluster' ? '' : '/namespaces/default';
  return [`/apis/${apiVersion}${place}/${resource}`, ...parts].join('/');
}
