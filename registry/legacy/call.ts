import type { z } from 'zod';
import type { UserInfo } from '../../pkg/authn/user.js';
import type { ApiRequest } from '../../pkg/http/exchange.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { Registry } from '../registry.js';
import type { Store } from '../store.js';
import type { Plan } from '../transact.js';
import { legacyBody } from './body.js';
import { badRequestData, plainFailure } from './errors.js';
import { type Objects, objectsOf, transactAll } from './objects.js';
import { type Organization, type Organizations, organizationOf } from './organization.js';

/** What all legacy routes stand on. */
export interface LegacyServices {
  readonly registry: Registry;
  readonly stores: readonly Store[];
  organizations(call: LegacyCall): Organizations;
}

/** One request as a legacy route sees it. Everything but `request` is read when it is asked for. */
export interface LegacyCall {
  readonly request: ApiRequest;
  readonly user: UserInfo;
  readonly query: URLSearchParams;
  /** Throws 404 for an organization that does not exist. */
  readonly organization: Organization;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A segment of the path, decoded. */
  param(name: string): string;
  /** A segment that has to be an integer. Throws 400 `<name> is invalid`. */
  id(name: string): number;
  /** Throws 400 "bad request data". */
  body<T>(schema: z.ZodType<T>): T;
  /** Whether there are objects of this kind (`Folder`) on this server. */
  hasKind(kind: string): boolean;
  /** How many objects of a kind there are on this server, in all organizations. */
  count(kind: string): number;
  /** The objects of a kind by its name; of another namespace than the organization's if one is given, with another's rights likewise. */
  objects<Spec>(kind: string, namespace?: string, as?: UserInfo): Objects<Spec>;
  /** Writes of several kinds in one commit, all or none: `objects.plan`. */
  transact(plans: readonly Plan[]): Promise<readonly KubeObject[]>;
}

export function legacyCall(
  services: LegacyServices,
  request: ApiRequest,
  params: Readonly<Record<string, string>>,
): LegacyCall {
  const { registry, stores } = services;
  const { user, signal, query } = request;
  let organization: Organization | undefined;
  const storeOf = (kind: string): Store | undefined => stores.find((store) => store.kind.kind === kind);
  const call: LegacyCall = {
    request,
    user,
    query,
    get organization() {
      organization ??= organizationOf(request, services.organizations(call));
      return organization;
    },
    now: () => registry.clock.now(),
    param: (name) => decodeParam(params[name]),
    id: (name) => integerParam(name, params[name]),
    body: (schema) => legacyBody(request, schema),
    hasKind: (kind) => storeOf(kind) !== undefined,
    count: (kind) => {
      const store = storeOf(kind);
      return store === undefined ? 0 : registry.cacher.state.resource(store.kind.qualified).size;
    },
    objects: (kind, given, as = user) => {
      const store = storeOf(kind);
      if (store === undefined)
        throw new Error(`A legacy route asks for objects of the kind ${kind}, which is not served.`);
      const namespace = store.kind.scope === 'Cluster' ? '' : (given ?? call.organization.namespace);
      return objectsOf({ registry, store, user: as, namespace, signal });
    },
    transact: (plans) => transactAll(registry, plans, signal),
  };
  return call;
}

function decodeParam(text: string | undefined): string {
  if (text === undefined) throw new Error('A legacy route asks for a parameter that its path does not have.');
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw badRequestData(error);
  }
}

function integerParam(name: string, text: string | undefined): number {
  const value = decodeParam(text);
  if (!/^[0-9]{1,15}$/.test(value)) throw plainFailure(400, `${name} is invalid`);
  return Number(value);
}
