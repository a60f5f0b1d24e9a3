import { createHash } from 'node:crypto';
import type { AuditNotes } from '../../../pkg/http/audit/notes.js';
import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import type { Person } from '../../../pkg/identity/signon/person.js';
import { fold, isSameAddress } from '../../../pkg/kube/meta/fold.js';
import { isTerminating, type KubeObject } from '../../../pkg/kube/meta/types.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { Client } from '../../../registry/client/client.js';
import type { ClientTransaction } from '../../../registry/client/transaction.js';
import type { ResourceName } from '../../../registry/kinds/names.js';
import { DEFAULT_ORGANIZATION } from '../../iam/names.js';
import { hasVerifiedEmail } from '../../iam/user/address.js';
import { BY_EMAIL, type UserSpec } from '../../iam/user/schema.js';
import type { DeactivationSpec } from '../../internal/deactivation/schema.js';
import { type ExternalIdentitySpec, BY_USER as IDENTITIES_BY_USER } from '../../internal/externalidentity/schema.js';
import { BY_USER as SESSIONS_BY_USER } from '../../internal/session/schema.js';
import type { UsedSignOnSpec } from '../../internal/usedsignon/schema.js';
import { SYSTEM_USER } from '../bootstrap.js';
import { type IdentityServices, isoTime } from '../services.js';
import { syncMemberships } from './memberships.js';
import { syncTeams } from './teams.js';
import { endedStates } from './used.js';

/** A sign-in that the provider has confirmed. */
export interface SignOn {
  readonly person: Person;
  readonly provider: string;
  readonly issuer: string;
  /** Makes a user for a person who has none. */
  readonly allowSignUp: boolean;
  readonly allowAssignGrafanaAdmin: boolean;
  readonly skipOrgRoleSync: boolean;
  /**
   * What all servers together accept once: the OAuth state, or the IDs of a SAML request and of its assertion. Absent:
   * the person has no part in the sign-in that could be repeated.
   */
  readonly states?: readonly string[];
  /** Milliseconds since the epoch: the end of the sign-in. */
  readonly ends?: number;
  readonly now: number;
  readonly audit: AuditNotes | undefined;
}

export interface SignOnAccounts {
  /**
   * The uid of the user of a person. One commit uses up the state and makes the user, if that is allowed. It also gives
   * the user the profile, the rights and the teams that the provider told. Throws SignOnFailure.
   */
  signIn(signOn: SignOn): Promise<string>;
}

export interface SignOnAccountOptions {
  readonly services: IdentityServices;
  /** The setting `auth.oauth_allow_insecure_email_lookup`. */
  readonly findsByEmail: boolean;
  readonly warn: (message: string) => void;
}

/** A name for an object: the hash of these parts, shortened to 40 characters. */
const hashName = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);

export function signOnAccounts(options: SignOnAccountOptions): SignOnAccounts {
  const { services, warn } = options;
  return {
    signIn: async (signOn) => {
      const newUid = services.newName();
      const client = new Client(services.registry, { user: SYSTEM_USER, audit: signOn.audit });
      const kept: string[] = [];
      const uid = await client
        .transact((transaction) => {
          kept.length = 0;
          return new SigningIn(options, transaction, signOn, (what) => kept.push(what)).run(newUid);
        })
        .catch(asFailure);
      for (const what of kept) warn(`At a sign-in by ${signOn.provider}, user ${uid} kept ${what}.`);
      return uid;
    },
  };
}

type User = KubeObject<UserSpec>;

/** One sign-in in its transaction. */
class SigningIn {
  readonly #options: SignOnAccountOptions;
  readonly #transaction: ClientTransaction;
  readonly #signOn: SignOn;
  readonly #onKept: (what: string) => void;

  constructor(
    options: SignOnAccountOptions,
    transaction: ClientTransaction,
    signOn: SignOn,
    onKept: (what: string) => void,
  ) {
    this.#options = options;
    this.#transaction = transaction;
    this.#signOn = signOn;
    this.#onKept = onKept;
  }

  run(newUid: string): string {
    this.#checkStates();
    const user = this.#activated(this.#linked() ?? this.#found() ?? this.#create(newUid));
    if (user.spec?.disabled !== false || isTerminating(user)) {
      throw new SignOnFailure('not_allowed', 'the user is disabled or being deleted');
    }
    const uid = user.metadata.name;
    this.#syncProfile(user);
    const { rights } = this.#signOn.person;
    const write = (what: string, work: () => unknown) => this.#unlessLast(what, work);
    syncMemberships(this.#transaction, this.#options.services, { uid, rights, write });
    syncTeams(this.#transaction, this.#options.services, uid, this.#signOn.person.groups);
    this.#link(uid);
    this.#useStates();
    return uid;
  }

  #objects<Spec>(resource: ResourceName, namespace?: string) {
    return this.#transaction.objects<Spec>(this.#options.services.kind(resource), namespace);
  }

  get #usedStates() {
    return this.#objects<UsedSignOnSpec>('internal/usedsignons');
  }

  get #stateNames(): readonly string[] {
    return (this.#signOn.states ?? []).map((state) => hashName(state));
  }

  /** All servers together accept a state once, because the transaction reads the newest content of the store. */
  #checkStates(): void {
    if (this.#stateNames.every((name) => this.#usedStates.find(name) === undefined)) return;
    throw new SignOnFailure('state', 'the answer of the provider was used before');
  }

  /** Each sign-in removes up to twice as many states that have ended, so that their number stays small. */
  #useStates(): void {
    const names = this.#stateNames;
    const { now, ends = 0 } = this.#signOn;
    for (const name of endedStates(this.#usedStates, now, 2 * names.length)) this.#usedStates.delete(name);
    for (const name of names) this.#usedStates.create({ metadata: { name }, spec: { ends: isoTime(ends) } });
  }

  #identityName(subject: string): string {
    const { provider, issuer } = this.#signOn;
    return hashName(provider, issuer, subject);
  }

  /** The account by what the provider calls it, or has called it before. */
  get #identity() {
    const { subject, otherSubjects = [] } = this.#signOn.person;
    const identities = this.#objects<ExternalIdentitySpec>('internal/externalidentities');
    for (const one of [subject, ...otherSubjects]) {
      const identity = identities.find(this.#identityName(one));
      if (identity !== undefined) return identity;
    }
    return undefined;
  }

  /** The user by subject. */
  #linked(): User | undefined {
    const identity = this.#identity;
    return identity && this.#objects<UserSpec>('iam/users').find(identity.spec?.userRef.name ?? '');
  }

  /** Enables a user whom the synchronization disabled. Those whom an administrator disabled stay so. */
  #activated(user: User): User {
    const mark = this.#objects<DeactivationSpec>('internal/deactivations').find(user.metadata.name);
    if (user.spec?.disabled !== true || mark?.spec?.provider !== this.#signOn.provider) return user;
    return this.#objects<UserSpec>('iam/users').update(user.metadata.name, (old) => ({
      ...old,
      spec: { ...(old.spec as UserSpec), disabled: false },
    }));
  }

  /**
   * The user with the verified e-mail address of a person who signs in for the first time, if a setting allows that, or
   * if SCIM made the account and nobody has signed in to it by a provider: it waits for this person. Whoever had the
   * account until now must sign in by the provider, too: the password is removed, and all sessions end.
   */
  #found(): User | undefined {
    const { person } = this.#signOn;
    if (!person.isEmailVerified || this.#isLinked) return undefined;
    const range = { index: BY_EMAIL, prefix: [fold(person.email)] };
    const [user, other] = this.#objects<UserSpec>('iam/users').range(range);
    if (user === undefined || other !== undefined) return undefined;
    if (!this.#options.findsByEmail && !this.#isAwaited(user)) return undefined;
    if (!hasVerifiedEmail(user) || !isSameAddress(user.spec?.email ?? '', person.email)) return undefined;
    this.#dispossess(user.metadata.name);
    return user;
  }

  #isAwaited({ metadata, spec }: User): boolean {
    const identities = this.#objects<ExternalIdentitySpec>('internal/externalidentities');
    const [identity] = identities.range({ index: IDENTITIES_BY_USER, prefix: [metadata.name] });
    return spec?.provisionedBy !== undefined && identity === undefined;
  }

  get #isLinked(): boolean {
    return this.#identity !== undefined;
  }

  #dispossess(uid: string): void {
    const credentials = this.#objects('internal/credentials');
    if (credentials.find(uid) !== undefined) credentials.delete(uid);
    const sessions = this.#objects('internal/sessions');
    for (const { metadata } of [...sessions.range({ index: SESSIONS_BY_USER, prefix: [uid] })])
      sessions.delete(metadata.name);
  }

  #create(name: string): User {
    const { person, allowSignUp } = this.#signOn;
    if (!allowSignUp) throw new SignOnFailure('no_account', 'there is no user, and allow_sign_up is off');
    const { login, email, isEmailVerified: emailVerified } = person;
    const profile = { login, email, name: person.name, emailVerified };
    const user = this.#objects<UserSpec>('iam/users').create({
      metadata: { name },
      spec: { ...profile, disabled: false, grafanaAdmin: false },
    });
    if (person.rights.memberships.length === 0) {
      const binding = { userRef: { name }, role: 'Viewer' };
      this.#objects('iam/organizationbindings', DEFAULT_ORGANIZATION).create({ metadata: { name }, spec: binding });
    }
    return user;
  }

  #link(uid: string): void {
    const { provider, issuer, person, allowAssignGrafanaAdmin, skipOrgRoleSync } = this.#signOn;
    const { rights } = person;
    const identities = this.#objects<ExternalIdentitySpec>('internal/externalidentities');
    const name = this.#identityName(person.subject);
    const before = this.#identity?.metadata.name ?? name;
    if (before !== name) identities.delete(before);
    identities.put(name, () => ({
      userRef: { name: uid },
      provider,
      issuer,
      subject: person.subject,
      syncsRoles: !skipOrgRoleSync && rights.memberships.length > 0,
      syncsAdministrator: allowAssignGrafanaAdmin && rights.isServerAdministrator !== undefined,
    }));
  }

  /** Skips what another user has, and what the provider does not tell. */
  #syncProfile(user: User): void {
    const { metadata, spec: before } = user;
    const { login, email, name, isEmailVerified, rights } = this.#signOn.person;
    // An address that was verified stays verified if the provider only tells it again.
    const isKnown = hasVerifiedEmail(user) && isSameAddress(before?.email ?? '', email);
    const emailVerified = isEmailVerified || isKnown;
    const users = this.#objects<UserSpec>('iam/users');
    const change = (more: Partial<UserSpec>): unknown => {
      const isSame = Object.entries(more).every(([key, value]) => before?.[key as keyof UserSpec] === value);
      const merge = (old: User): User => ({ ...old, spec: { ...(old.spec as UserSpec), ...more } });
      return isSame ? undefined : users.update(metadata.name, merge);
    };
    // SCIM decides about the profiles of its people, and finds them by it.
    if (before?.provisionedBy === undefined) {
      this.#unlessTaken('the login', () => change(login === '' ? {} : { login }));
      this.#unlessTaken('the e-mail address', () => change(email === '' ? {} : { email, emailVerified }));
      change(name === '' ? {} : { name });
    }
    const { isServerAdministrator: grafanaAdmin } = rights;
    this.#unlessLast('the administration of the server', () =>
      change(grafanaAdmin === undefined ? {} : { grafanaAdmin }),
    );
  }

  /** The last administrator stays, so this right is not taken away. */
  #unlessLast(what: string, write: () => unknown): void {
    this.#unless(what, write, (error) => error.reason === 'Forbidden');
  }

  #unlessTaken(what: string, write: () => unknown): void {
    this.#unless(what, write, (error) => error.reason === 'Invalid');
  }

  #unless(what: string, write: () => unknown, isKept: (error: ApiError) => boolean): void {
    try {
      write();
    } catch (error) {
      if (!(error instanceof ApiError) || !isKept(error)) throw error;
      this.#onKept(what);
    }
  }
}

/** The failure of a new user whose login or e-mail address another user has. */
function asFailure(error: unknown): never {
  if (error instanceof SignOnFailure || !(error instanceof ApiError)) throw error;
  if (error.reason === 'Invalid') throw new SignOnFailure('taken', error.message, error);
  throw error;
}
