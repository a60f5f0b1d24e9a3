import type { AuthenticationContext } from '../../pkg/identity/authn/authenticator.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { ulidGenerator } from '../../pkg/kube/meta/ulid.js';
import { Client, type ClientOptions } from '../../registry/client/client.js';
import type { ObjectClient } from '../../registry/client/objects.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { type ResourceName, resourceName } from '../../registry/kinds/names.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { Reader } from '../../registry/read/reader.js';
import { apiErrorOf } from '../../registry/signals/storage-errors.js';
import { SYSTEM_USER } from './bootstrap.js';

/** What authentication needs: reads of the newest state, and writes through the same client as all others. */
export interface IdentityServices {
  readonly registry: Registry;
  /** Reads the newest state that this server has. */
  readonly reader: Reader;
  readonly domain: string;
  /** Other servers may write to the store. */
  readonly isShared: boolean;
  /** A name for a new session, token or user. */
  readonly newName: () => string;
  /** `users.iam.svc.app`. */
  resource(name: ResourceName): string;
  kind(name: ResourceName): Kind;
  /** The objects of a kind, with the server's rights; a caller, if given, is their author. */
  objects<Spec>(name: ResourceName, namespace?: string, by?: SessionAuthor): ObjectClient<Spec>;
  /** Waits until everything that any server acknowledged is visible here. Throws ApiError. */
  fresh(request?: AuthenticationContext): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The user that asks for a write, and the signal that aborts it. */
export interface SessionAuthor {
  readonly user: UserInfo;
  readonly signal?: AbortSignal;
  readonly audit?: ClientOptions['audit'];
}

const SYSTEM: SessionAuthor = { user: SYSTEM_USER };

export function identityServices(registry: Registry, domain: string): IdentityServices {
  const { cacher } = registry;
  const stored = registry.kinds.filter(({ conversion }) => conversion === undefined);
  const byResource = new Map(stored.map((kind) => [kind.qualified, kind]));
  const kind = (name: ResourceName): Kind => {
    const found = byResource.get(resourceName(name, domain));
    if (found === undefined) throw new Error(`There is no kind with the name ${name}.`);
    return found;
  };
  return {
    registry,
    reader: registry.reader,
    domain,
    isShared: cacher.shared,
    newName: ulidGenerator(),
    resource: (name) => resourceName(name, domain),
    kind,
    objects: (name, namespace = '', by = SYSTEM) => new Client(registry, by).objects(kind(name), namespace),
    fresh: (request) =>
      cacher.fresh(request).catch((error: unknown) => {
        throw apiErrorOf(error);
      }),
    now: () => registry.clock.now(),
  };
}

export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
