import type { z } from 'zod';
import type { ApiRequest } from '../../pkg/http/handler.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { restrictionAbove } from '../authorization/restricted-containers.js';
import { Client } from '../client/client.js';
import type { ObjectClient, TransactionObjects } from '../client/objects.js';
import type { ClientTransaction } from '../client/transaction.js';
import { ObjectHistory } from '../history/history.js';
import { type Restored, type RestoreRequest, restore } from '../history/restore.js';
import type { KindName } from '../kinds/compiled.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import { type Entry, nameOf } from '../read/reader.js';
import { keptAnyway, Retry } from '../signals/retry.js';
import { fieldManagerOf } from '../write/field-manager.js';
import { legacyBody, positive, saysNothing } from './body.js';
import { type BodyIdentity, identityOf, organizationIn, otherThan, refuseOther } from './identity.js';
import { ignoredMembersOf } from './members.js';
import { type Ordered, orderedIn } from './ordered.js';
import { type Organization, type Organizations, organizationOf } from './organization.js';
import { decodeParam, integerParam } from './params.js';

/** The services that all legacy routes use. */
export interface LegacyServices {
  readonly registry: Registry;
  readonly organizations: Organizations;
}

/** One request to a legacy route: its parameters, its body, and access to objects with the caller's permissions. */
export class LegacyCall {
  readonly request: ApiRequest;
  readonly #services: LegacyServices;
  readonly #params: Readonly<Record<string, string>>;
  readonly #answerMembers: readonly string[];
  readonly #client: Client;
  #organization: Organization | undefined;
  #hasStored = false;
  /** Only a request that has changed nothing can begin again. */
  #mayRetry: boolean;
  #warnings: readonly string[] = [];
  #body: unknown;
  #hasReadBody = false;

  /**
   * `params` are the parameters of the path, percent-encoded. A body may have the members `answerMembers`, which
   * answers have.
   */
  constructor(
    services: LegacyServices,
    request: ApiRequest,
    params: Readonly<Record<string, string>>,
    answerMembers: readonly string[] = [],
  ) {
    this.request = request;
    this.#services = services;
    this.#params = params;
    this.#answerMembers = answerMembers;
    this.#mayRetry = request.method === 'GET';
    const onStored = (warnings: readonly string[]): void => {
      this.#hasStored = true;
      this.readOn();
      this.warn(warnings);
    };
    const { user, audit, cancellation: signal } = request;
    const fieldManager = fieldManagerOf(request);
    const mayRetry = (): boolean => this.#mayRetry;
    this.#client = new Client(services.registry, { user, audit, fieldManager, signal, onStored, mayRetry });
  }

  /** Warnings for the caller about the changes. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** Adds warnings of what the request says and the server ignores. A handler that begins again adds none twice. */
  warn(warnings: readonly string[]): void {
    if (warnings.length > 0) this.#warnings = [...new Set([...this.#warnings, ...warnings])];
  }

  /**
   * Warns of a body that nothing has read. One that says nothing causes no warning, because existing clients send `{}`
   * with any request.
   */
  warnOfUnreadBody(): void {
    if (!this.#hasReadBody && !saysNothing(this.request)) this.warn(['the body was ignored: this route takes none']);
  }

  /** How many things an answer may have: the number that the request asks for, and at most so many, with a warning. */
  limit(name: string, fallback: number, most: number): number {
    const asked = positive(this.query, name, fallback);
    if (asked > most) this.warn([`the query parameter "${name}" is ${asked}, and an answer has at most ${most}`]);
    return Math.min(asked, most);
  }

  /** Whether the request has changed something. */
  get hasStored(): boolean {
    return this.#hasStored;
  }

  get user(): UserInfo {
    return this.request.user;
  }

  get query(): URLSearchParams {
    return this.request.query;
  }

  /** The parameter `:namespace` of a path names it. Throws 404 for an organization that does not exist. */
  get organization(): Organization {
    const namespace = this.#params['namespace'] === undefined ? undefined : this.param('namespace');
    this.#organization ??= organizationOf(this.request, this.#services.organizations, namespace);
    return this.#organization;
  }

  /** Whether a read may throw Retry in place of long work. */
  get mayRetry(): boolean {
    return this.#mayRetry;
  }

  /** From now on, reads do long work where they read. */
  readOn(): void {
    this.#mayRetry = false;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#services.registry.clock.now();
  }

  /** A parameter of the path, decoded. */
  param(name: string): string {
    return decodeParam(this.#params[name]);
  }

  /** A parameter that must be an integer. Throws 400 `<shown> is invalid`. */
  id(name: string, shown = name): number {
    return integerParam(shown, this.#params[name]);
  }

  /**
   * Throws 400 "bad request data", also if the body names another thing than the path. `identity` has further names of
   * it. The caller is warned of members that neither the schema nor an answer has.
   */
  body<T>(schema: z.ZodType<T>, identity: BodyIdentity = {}): T {
    this.#hasReadBody = true;
    const params = this.#decodedParams();
    const own = { ...identityOf(this.request.method, params), ...identity };
    return legacyBody(this.request, schema, {
      onIgnored: (warnings) => this.warn(warnings),
      answerMembers: [...this.#answerMembers, ...Object.keys(own), ...Object.keys(organizationIn(params))],
      ignoredMembers: (asking, body) => this.#ignoredMembersOf(asking, body, own),
      onRead: (body) => {
        refuseOther(body, own);
        this.#body = body;
        this.keeps(organizationIn(params));
      },
    });
  }

  /** Warns of members of the body that have another value than these. The request leaves them as they are. */
  keeps(values: Readonly<Record<string, unknown>>): void {
    this.warn(otherThan(this.#body, values));
  }

  /**
   * What a POST asks for in vain. The names in the path are given, and so is the organization, if the body has its
   * number.
   */
  #ignoredMembersOf(schema: z.ZodType, body: unknown, own: BodyIdentity): readonly string[] {
    if (this.request.method !== 'POST') return [];
    const isGiven = (name: string): boolean =>
      own[name] !== undefined || (/^orgid$/i.test(name) && this.#isOrganization((body as BodyIdentity)[name]));
    return ignoredMembersOf(schema, body, this.#answerMembers).filter((name) => !isGiven(name));
  }

  #isOrganization(sent: unknown): boolean {
    return Number(sent) === this.organization.id;
  }

  /**
   * Warns of a number that the request names beside a uid, and that is not the number of the same thing: the uid
   * counts, because backups have the numbers of another server. What the caller may not view has no number for them.
   * `name` is `field "folderId"`.
   */
  numberBeside(name: string, number: number | null | undefined, kind: KindName, uid: string): void {
    if (!number) return;
    const objects = this.objects(kind);
    const filter = objects.readFilter();
    const isSame = (entry: Entry): boolean => nameOf(entry) === uid && (filter.all || filter.allows(entry));
    if (!objects.entriesById(number).some(isSame)) this.warn([`ignored ${name}: the uid beside it counts`]);
  }

  #decodedParams(): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.keys(this.#params).map((name) => [name, this.param(name)]));
  }

  /** Whether the kind is compiled into this server. */
  hasKind(name: KindName): boolean {
    return this.#services.registry.compiled.has(name);
  }

  /** A compiled kind. */
  kind(name: KindName): Kind {
    return this.#services.registry.compiled.get(name);
  }

  /** The number of objects of a kind in all organizations. */
  count(name: KindName): number {
    const { registry } = this.#services;
    return this.hasKind(name) ? registry.reader.size(this.kind(name).qualified) : 0;
  }

  /** Whether a container is restricted, or lies in one that is. Without permission check. */
  isRestricted(name: KindName, container: string | undefined): boolean {
    const kind = this.kind(name);
    const { reader } = this.#services.registry;
    return restrictionAbove(kind, container, this.#namespaceFor(kind, undefined), reader) === true;
  }

  /**
   * The objects of a kind, with the caller's permissions. Without `namespace`: those in the namespace of the
   * organization.
   */
  objects<Spec>(name: KindName, namespace?: string): ObjectClient<Spec> {
    const kind = this.kind(name);
    return this.#client.objects(kind, this.#namespaceFor(kind, namespace));
  }

  /**
   * The objects of a kind in the order of an index whose tuples begin with the namespace, for reading their attributes.
   * Without permission check. Throws Retry while many are read, so that only requests that change nothing may use it.
   */
  ordered(name: KindName, index: string): Ordered {
    const kind = this.kind(name);
    const { cacher } = this.#services.registry;
    const ordered = orderedIn(cacher, kind.qualified, index, this.#namespaceFor(kind, undefined));
    if (ordered instanceof Promise) throw new Retry('the index is read in steps', keptAnyway(ordered));
    return ordered;
  }

  /** The versions of the objects of a kind, with the caller's permissions. */
  history(name: KindName): ObjectHistory {
    const kind = this.kind(name);
    return new ObjectHistory(this.#services.registry, this.user, kind, this.#namespaceFor(kind, undefined));
  }

  /** Brings back a version of an object, or a deleted object. */
  restore(name: KindName, object: string, options: Pick<RestoreRequest, 'version' | 'formerPlace'>): Promise<Restored> {
    const kind = this.kind(name);
    return restore(this.#client, { ...options, kind, namespace: this.#namespaceFor(kind, undefined), name: object });
  }

  /**
   * Reads and writes several objects in one commit: all of them or none. `work` must be pure, because it may run again.
   */
  transact<Result>(work: (transaction: LegacyTransaction) => Result): Promise<Result> {
    return this.#client.transact((transaction) => work(this.#legacyTransaction(transaction)));
  }

  /**
   * The same for work on as many objects as a body can name. It yields after each of them, so that other requests get
   * their turns.
   */
  transactInSteps<Result>(work: (transaction: LegacyTransaction) => Steps<Result>): Promise<Result> {
    return this.#client.transactInSteps((transaction) => work(this.#legacyTransaction(transaction)));
  }

  #namespaceFor(kind: Kind, namespace: string | undefined): string {
    return kind.scope === 'Cluster' ? '' : (namespace ?? this.organization.namespace);
  }

  #legacyTransaction(transaction: ClientTransaction): LegacyTransaction {
    return {
      objects: (name, namespace) => {
        const kind = this.kind(name);
        return transaction.objects(kind, this.#namespaceFor(kind, namespace));
      },
      trusted: (user = this.user) => this.#legacyTransaction(transaction.as({ user, isTrusted: true })),
      waiting: () => {
        const waits = this.#services.registry.acceptsMissing;
        return this.#legacyTransaction(transaction.as({ ...transaction.caller, waits }));
      },
    };
  }
}

/** A transaction whose kinds have the same names as in `LegacyCall.objects`. */
export interface LegacyTransaction {
  objects<Spec>(kind: KindName, namespace?: string): TransactionObjects<Spec>;
  /**
   * The same transaction with the server's permissions. Callers may do some things without a grant, such as change
   * their own password.
   */
  trusted(user?: UserInfo): LegacyTransaction;
  /**
   * The same transaction, whose objects may name objects that do not exist yet, as in the resource API (docs/adr/0047).
   */
  waiting(): LegacyTransaction;
}
