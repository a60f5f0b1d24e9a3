import type { z } from 'zod';
import type { UserInfo } from '../../pkg/authn/user.js';
import type { ApiRequest } from '../../pkg/http/exchange.js';
import { Client, type Transaction } from '../client.js';
import type { Kind } from '../kind.js';
import type { ObjectClient, TransactionObjects } from '../objects.js';
import type { Registry } from '../registry.js';
import { legacyBody } from './body.js';
import { badRequestData, plainFailure } from './errors.js';
import { type Organization, type Organizations, organizationOf } from './organization.js';

/** What all legacy routes need. */
export interface LegacyServices {
  readonly registry: Registry;
  organizations(call: LegacyCall): Organizations;
}

/** One request as a legacy route sees it. */
export interface LegacyCall {
  readonly request: ApiRequest;
  readonly user: UserInfo;
  readonly query: URLSearchParams;
  /** Throws 404 for an organization that does not exist. */
  readonly organization: Organization;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A parameter of the path, decoded. */
  param(name: string): string;
  /** A parameter that must be an integer. Throws 400 `<name> is invalid`. */
  id(name: string): number;
  /** Throws 400 "bad request data". */
  body<T>(schema: z.ZodType<T>): T;
  /** Whether this server has the kind (`Folder`). */
  hasKind(kind: string): boolean;
  /** A kind by its name. */
  kind(name: string): Kind;
  /** How many objects of a kind there are, in all organizations. */
  count(kind: string): number;
  /** The objects of a kind, by its name, with the caller's rights: in the organization's namespace, or in another one. */
  objects<Spec>(kind: string, namespace?: string): ObjectClient<Spec>;
  /** Reads and writes of several objects in one commit: all of them or none. `work` is pure; it may run again. */
  transact<Result>(work: (transaction: LegacyTransaction) => Result): Promise<Result>;
}

/** A transaction that names kinds as `LegacyCall.objects` does. */
export interface LegacyTransaction {
  objects<Spec>(kind: string, namespace?: string): TransactionObjects<Spec>;
  /** The same transaction with the server's rights, for what a caller may do without a grant, such as change their own password. */
  trusted(user?: UserInfo): LegacyTransaction;
}

export function legacyCall(
  services: LegacyServices,
  request: ApiRequest,
  params: Readonly<Record<string, string>>,
): LegacyCall {
  const { registry } = services;
  const { user, signal, query } = request;
  let organization: Organization | undefined;
  let client: Client | undefined;
  const kindOf = (name: string): Kind | undefined => registry.kinds.find((kind) => kind.kind === name);
  const kindNamed = (name: string): Kind => {
    const kind = kindOf(name);
    if (kind === undefined)
      throw new Error(`A legacy route asks for the kind ${name}, which this server does not have.`);
    return kind;
  };
  const namespaceFor = (kind: Kind, namespace: string | undefined): string =>
    kind.scope === 'Cluster' ? '' : (namespace ?? call.organization.namespace);
  const clientOf = (): Client => {
    client ??= new Client(registry, { user, signal });
    return client;
  };
  const legacyTransaction = (transaction: Transaction): LegacyTransaction => ({
    objects: (name, namespace) => {
      const kind = kindNamed(name);
      return transaction.objects(kind, namespaceFor(kind, namespace));
    },
    trusted: (as = user) => legacyTransaction(transaction.as({ user: as, isTrusted: true })),
  });
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
    hasKind: (name) => kindOf(name) !== undefined,
    kind: kindNamed,
    count: (name) => {
      const kind = kindOf(name);
      return kind === undefined ? 0 : registry.cacher.state.resource(kind.qualified).size;
    },
    objects: (name, namespace) => {
      const kind = kindNamed(name);
      return clientOf().objects(kind, namespaceFor(kind, namespace));
    },
    transact: (work) => clientOf().transact((transaction) => work(legacyTransaction(transaction))),
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
