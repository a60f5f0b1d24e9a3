import { AuditNotes } from '../../../pkg/http/audit/notes.js';
import type { AuditTrail } from '../../../pkg/http/audit/trail.js';
import type { LdapProvider } from '../../../pkg/identity/ldap/provider.js';
import { type RollCall, rollCall } from '../../../pkg/identity/ldap/roll-call.js';
import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import { isTerminating } from '../../../pkg/kube/meta/types.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { Client } from '../../../registry/client/client.js';
import type { UserSpec } from '../../iam/user/schema.js';
import type { DeactivationSpec } from '../../internal/deactivation/schema.js';
import type { ExternalIdentitySpec } from '../../internal/externalidentity/schema.js';
import { SYSTEM_USER } from '../bootstrap.js';
import type { IdentityServices } from '../services.js';
import type { SignOnAccounts } from '../signon/accounts.js';
import { LDAP, signOnOf } from './passwords.js';

/** What a synchronization has done. Users are named by their logins. */
export interface SyncReport {
  /** People whom the directory named. */
  readonly people: number;
  readonly disabled: readonly string[];
  readonly enabled: readonly string[];
  /** Who has left, but stays: the last administrator, or everybody, if too many had left at once. */
  readonly kept: readonly string[];
  /** Who stays as before because of an error, each with the reason. All others went on. */
  readonly failed: readonly string[];
  /** Why it is not complete, for the operator. */
  readonly problems: readonly string[];
}

export interface SyncOptions {
  readonly services: IdentityServices;
  readonly accounts: SignOnAccounts;
  /** Records who is disabled and enabled. */
  readonly audit?: Pick<AuditTrail, 'background'> | undefined;
  /** Logs errors that no operator could understand. */
  readonly onError?: ((error: unknown, what: string) => void) | undefined;
}

/** A user who signs in by the directory. */
interface Member {
  readonly subject: string;
  readonly uid: string;
  readonly login: string;
  readonly isDisabled: boolean;
  /** The synchronization disabled the user. */
  readonly isDeactivated: boolean;
}

/** More than half of the people do not leave at once, except where there are only so many. */
const FEW = 3;

/**
 * Asks the directory about all users who sign in by it. Those who have left are disabled, and their sessions end in the
 * same commit. Those who come back are enabled, and all others get the profile and the rights that the directory gives.
 * Nobody counts as having left while a directory cannot be asked.
 */
export async function syncLdap(options: SyncOptions, provider: LdapProvider, signal: AbortSignal): Promise<SyncReport> {
  await options.services.fresh();
  return synchronize(options, provider, membersOf(options.services), signal);
}

/** The same for one user. Undefined: the user does not sign in by a directory. */
export async function syncOne(
  options: SyncOptions,
  provider: LdapProvider,
  uid: string,
  signal: AbortSignal,
): Promise<SyncReport | undefined> {
  await options.services.fresh();
  const members = membersOf(options.services).filter((member) => member.uid === uid);
  return members.length === 0 ? undefined : synchronize(options, provider, members, signal);
}

async function synchronize(
  options: SyncOptions,
  provider: LdapProvider,
  members: readonly Member[],
  signal: AbortSignal,
): Promise<SyncReport> {
  const answers = await rollCall(provider, members, signal);
  const problems = answers.failures.map(({ host, message }) => `${host === undefined ? '' : `${host}: `}${message}`);
  const synchronization = new Synchronization(options, provider, answers);
  const leaving = members.filter((member) => !member.isDisabled && hasLeft(member, answers));
  const active = members.filter(({ isDisabled }) => !isDisabled).length;
  if (leaving.length > FEW && leaving.length * 2 > active) {
    problems.push(`${leaving.length} of ${active} people are missing, which is more than half: nobody is disabled`);
    synchronization.kept.push(...leaving.map(({ login }) => login));
  } else for (const member of leaving) await synchronization.deactivate(member);
  for (const member of members) if (!signal.aborted) await synchronization.update(member);
  const { disabled, enabled, kept, failed } = synchronization;
  return { people: answers.people.size, disabled, enabled, kept, failed, problems };
}

/** With so many unexpected errors in a row, the rest would fail, too. */
const MOST_IN_A_ROW = 10;

/** What is done for each person. An error of one does not keep the others from it. */
class Synchronization {
  readonly disabled: string[] = [];
  readonly enabled: string[] = [];
  readonly kept: string[] = [];
  readonly failed: string[] = [];
  readonly #options: SyncOptions;
  readonly #provider: LdapProvider;
  readonly #answers: RollCall;
  #failuresInARow = 0;

  constructor(options: SyncOptions, provider: LdapProvider, answers: RollCall) {
    this.#options = options;
    this.#provider = provider;
    this.#answers = answers;
  }

  /** Disables somebody who has left. */
  async deactivate(member: Member): Promise<void> {
    const notes = new AuditNotes();
    const isDisabled = await this.#attempt(member, () => deactivate(this.#options.services, member, notes));
    if (isDisabled === false) this.kept.push(member.login);
    if (isDisabled !== true) return;
    this.disabled.push(member.login);
    const isUnmapped = this.#answers.unmapped.has(member.subject);
    await this.#audit(member, notes, isUnmapped ? 'is in no mapped group any more' : 'has left the directory');
  }

  /** Gives somebody who is there what the directory gives, and enables who had left. */
  async update(member: Member): Promise<void> {
    if (member.isDisabled && !member.isDeactivated) return;
    const reason = this.#answers.unclear.get(member.subject);
    if (reason !== undefined) this.failed.push(`${member.login}: ${reason}`);
    const person = this.#answers.people.get(member.subject);
    if (person === undefined) return;
    const { services, accounts } = this.#options;
    const notes = new AuditNotes();
    const signOn = signOnOf(person, this.#provider, services.now(), notes);
    const uid = await this.#attempt(member, () => accounts.signIn(signOn));
    if (uid === undefined || !member.isDisabled) return;
    this.enabled.push(member.login);
    await this.#audit(member, notes, 'is back in the directory');
  }

  async #audit({ login }: Member, notes: AuditNotes, how: string): Promise<void> {
    const reason = `synchronization with LDAP: ${login} ${how}`;
    await this.#options.audit?.background({ user: SYSTEM_USER, notes, reason });
  }

  /** Undefined if the work fails for this person. */
  async #attempt<T>({ login }: Member, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      this.#failuresInARow = 0;
      return result;
    } catch (error) {
      const isExpected = error instanceof SignOnFailure;
      if (!isExpected && ++this.#failuresInARow > MOST_IN_A_ROW) throw error;
      if (!isExpected) this.#options.onError?.(error, `the synchronization of ${login} with LDAP failed`);
      this.failed.push(`${login}: ${messageFor(error)}`);
      return undefined;
    }
  }
}

const messageFor = (error: unknown): string =>
  error instanceof SignOnFailure || error instanceof ApiError ? error.message : 'the log of the server has the reason';

function hasLeft({ subject }: Member, { people, unmapped, unclear, failures }: RollCall): boolean {
  if (people.has(subject) || unclear.has(subject)) return false;
  return unmapped.has(subject) || failures.length === 0;
}

function membersOf({ reader, resource, objects }: IdentityServices): readonly Member[] {
  const identities = [
    ...objects<ExternalIdentitySpec>('internal/externalidentities').range({ index: 'byUser', prefix: [] }),
  ];
  const deactivations = objects<DeactivationSpec>('internal/deactivations');
  return identities.flatMap(({ spec }) => {
    if (spec?.provider !== LDAP) return [];
    const user = reader.get<UserSpec>(resource('iam/users'), '', spec.userRef.name);
    if (user?.spec === undefined || isTerminating(user)) return [];
    return [
      {
        subject: spec.subject,
        uid: spec.userRef.name,
        login: user.spec.login,
        isDisabled: user.spec.disabled,
        isDeactivated: deactivations.find(spec.userRef.name)?.spec?.provider === LDAP,
      },
    ];
  });
}

/** Disables a user, with the sessions. Returns false for the last administrator of the server. */
async function deactivate({ registry, kind }: IdentityServices, { uid }: Member, audit: AuditNotes): Promise<boolean> {
  try {
    await new Client(registry, { user: SYSTEM_USER, audit }).transact((transaction) => {
      transaction.objects<UserSpec>(kind('iam/users')).update(uid, (user) => ({
        ...user,
        spec: { ...(user.spec as UserSpec), disabled: true },
      }));
      transaction
        .objects<DeactivationSpec>(kind('internal/deactivations'))
        .put(uid, () => ({ userRef: { name: uid }, provider: LDAP }));
    });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'Forbidden') return false;
    throw error;
  }
}
