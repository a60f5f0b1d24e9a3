import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { mediaTypeOf } from '../../pkg/http/media-type.js';
import { warningHeaders } from '../../pkg/http/warnings.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { decodeJson } from '../../pkg/kube/json/decode.js';
import { isTerminating } from '../../pkg/kube/meta/types.js';
import { invalidSyntax, SCIM_TYPE, ScimError } from '../../pkg/scim/errors.js';
import { isMembers } from '../../pkg/scim/resource.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { Client } from '../../registry/client/client.js';
import type { ObjectReader } from '../../registry/client/object-reader.js';
import type { TransactionObjects } from '../../registry/client/objects.js';
import type { ClientTransaction } from '../../registry/client/transaction.js';
import type { KindName } from '../../registry/kinds/compiled.js';
import type { IamServices } from '../iam/legacy/services.js';

/** The actions that callers need. Only administrators of the server can give them (docs/scim.md). */
const ACTIONS = ['scim.users:read', 'scim.users:write', 'scim.groups:read', 'scim.groups:write'] as const;
export type ScimAction = (typeof ACTIONS)[number];

/** Reads objects without permission check: the actions of SCIM were checked before. */
export interface Objects {
  objects<Spec>(name: KindName, namespace?: string): ObjectReader<Spec>;
}

/** The same in a transaction, which writes with the server's permissions. */
export interface Writing {
  readonly now: string;
  objects<Spec>(name: KindName, namespace?: string): TransactionObjects<Spec>;
}

/** One request of SCIM, or one operation of a bulk request. */
export class ScimCall implements Objects {
  readonly services: IamServices;
  readonly request: ApiRequest;
  /** The namespace of the organization. */
  readonly namespace: string;
  /** The address of the namespace in this API, without a slash at its end. */
  readonly base: string;
  readonly #client: Client;
  #warnings: readonly string[] = [];

  constructor(services: IamServices, request: ApiRequest, namespace: string, base: string) {
    this.services = services;
    this.request = request;
    this.namespace = namespace;
    this.base = base;
    const { user, audit, cancellation: signal } = request;
    const onStored = (warnings: readonly string[]): void => this.warn(...warnings);
    this.#client = new Client(services.registry, { user, audit, signal, fieldManager: 'scim', onStored });
  }

  get user(): UserInfo {
    return this.request.user;
  }

  /** An operation of a bulk request. */
  with(request: Pick<ApiRequest, 'method' | 'path' | 'query' | 'headers' | 'body'>): ScimCall {
    const { rawHeaders, limits, user, auditId, client, audit, signal, cancellation } = this.request;
    const shared = { rawHeaders, limits, user, auditId, signal };
    const optional = { ...(client && { client }), ...(audit && { audit }), ...(cancellation && { cancellation }) };
    return new ScimCall(this.services, { ...shared, ...optional, ...request }, this.namespace, this.base);
  }

  /** Adds warnings of what the request says and the server ignores. */
  warn(...warnings: readonly string[]): void {
    this.#warnings = [...new Set([...this.#warnings, ...warnings])].slice(0, MOST_WARNINGS);
  }

  readonly onIgnored = (path: string): void => this.warn(`ignored ${path}: this server does not keep it`);

  /**
   * Throws 403 for callers without the action in the organization, and 404 for others if there is no such
   * organization.
   */
  require(action: ScimAction): void {
    this.#requireOne([action]);
  }

  /** The same for what callers may see who have any of the actions. */
  requireAny(): void {
    this.#requireOne(ACTIONS);
  }

  #requireOne(actions: readonly ScimAction[]): void {
    const { registry } = this.services;
    const kind = registry.compiled.get('iam/OrganizationBinding');
    const attributes = { user: this.user, verb: '', kind, namespace: this.namespace };
    const has = (action: ScimAction): boolean =>
      registry.authorizer.hasAction(attributes, action, undefined, registry.reader);
    if (!actions.some(has)) {
      const where = `in the organization ${JSON.stringify(this.namespace.slice(0, 100))}`;
      throw new ScimError(403, undefined, `You need the permission ${actions.join(' or ')} ${where}`);
    }
    const organization = this.objects('iam/Organization').find(this.namespace);
    if (organization === undefined || isTerminating(organization))
      throw new ScimError(404, undefined, 'there is no such organization');
  }

  objects<Spec>(name: KindName, namespace = this.namespace): ObjectReader<Spec> {
    return this.#client.objects(this.services.registry.compiled.get(name), namespace);
  }

  transact<Result>(work: (writing: Writing) => Result): Promise<Result> {
    return this.#client.transact((transaction) => work(this.#writing(transaction)));
  }

  /** The same for work on many objects, which pauses after each of them. */
  transactInSteps<Result>(work: (writing: Writing) => Steps<Result>): Promise<Result> {
    return this.#client.transactInSteps((transaction) => work(this.#writing(transaction)));
  }

  /** The body as JSON. Throws ScimError for another type, and if there is none. */
  body(): unknown {
    const { request } = this;
    const type = mediaTypeOf(request);
    if (type !== undefined && type !== SCIM_TYPE && type !== 'application/json')
      throw new ScimError(415, undefined, `the body must be ${SCIM_TYPE} or application/json`);
    if (request.body.length === 0) throw invalidSyntax('the request has no body');
    const { value, duplicates } = decodeJson(request.body, request.limits);
    if (request.audit !== undefined) request.audit.body ??= withoutPasswords(value);
    if (duplicates.length > 0) throw invalidSyntax(`${duplicates[0]} is given twice`);
    return value;
  }

  answer(status: number, body: unknown, headers: ApiResponse['headers'] = {}): ApiResponse {
    const usual = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...warningHeaders(this.#warnings),
    };
    if (body === undefined) return { status, headers: { ...usual, ...headers } };
    return {
      status,
      headers: { 'content-type': SCIM_TYPE, ...usual, ...headers },
      body: Buffer.from(JSON.stringify(body)),
    };
  }

  #writing(transaction: ClientTransaction): Writing {
    const { user } = this;
    const writing = transaction.as({ user, isTrusted: true, provisions: true, fieldManager: 'scim' });
    const { compiled } = this.services.registry;
    return {
      now: transaction.now,
      objects: (name, namespace = this.namespace) => writing.objects(compiled.get(name), namespace),
    };
  }
}

const MOST_WARNINGS = 20;

/** Names are in any case, and operations name the password by a path, which the masks of the audit log do not know. */
function withoutPasswords(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutPasswords(one, depth + 1));
  if (!isMembers(value) || depth > DEEPEST_OPERATION) return value;
  const path = Object.entries(value).find(([name]) => name.toLowerCase() === 'path')?.[1];
  const isSecret = typeof path === 'string' && /password/i.test(path);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      /password$/i.test(name) || (isSecret && name.toLowerCase() === 'value')
        ? '***'
        : withoutPasswords(member, depth + 1),
    ]),
  );
}

/** A bulk request has operations with data, which has operations. */
const DEEPEST_OPERATION = 8;
