import type { AuthenticationContext } from '../../pkg/authn/authenticator.js';
import type { UserInfo } from '../../pkg/authn/user.js';
import { ulidGenerator } from '../../pkg/meta/ulid.js';
import { Client, type ClientOptions } from '../../registry/client/client.js';
import type { ObjectClient } from '../../registry/client/objects.js';
import { apiErrorOf } from '../../registry/client/storage-errors.js';
import type { Kind } from '../../registry/kinds/kind.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { Reader } from '../../registry/read/reader.js';
import { type ResourceName, resourceName } from '../iam/names.js';
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
  resource(plural: ResourceName): string;
  kind(plural: ResourceName): Kind;
  /** The objects of a kind, with the server's rights; a caller, if given, is their author. */
  objects<Spec>(plural: ResourceName, namespace?: string, by?: Author): ObjectClient<Spec>;
  /** Waits until everything that any server acknowledged is visible here. Throws ApiError. */
  fresh(request?: AuthenticationContext): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The user that asks for a write, and the signal that aborts it. */
export interface Author {
  readonly user: UserInfo;
  readonly signal?: AbortSignal;
  readonly audit?: ClientOptions['audit'];
}

const SYSTEM: Author = { user: SYSTEM_USER };

export function identityServices(registry: Registry, domain: string): IdentityServices {
  const { cacher } = registry;
  const stored = registry.kinds.filter(({ conversion }) => conversion === undefined);
  const byResource = new Map(stored.map((kind) => [kind.qualified, kind]));
  const kind = (plural: ResourceName): Kind => {
    const found = byResource.get(resourceName(plural, domain));
    if (found === undefined) throw new Error(`There is no kind with the plural ${plural}.`);
    return found;
  };
  return {
    registry,
    reader: registry.reader,
    domain,
    isShared: cacher.shared,
    newName: ulidGenerator(),
    resource: (plural) => resourceName(plural, domain),
    kind,
    objects: (plural, namespace = '', by = SYSTEM) => new Client(registry, by).objects(kind(plural), namespace),
    fresh: (request) =>
      cacher.fresh(request).catch((error: unknown) => {
        throw apiErrorOf(error);
      }),
    now: () => registry.clock.now(),
  };
}

export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
