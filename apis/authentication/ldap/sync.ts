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
  /** Why it is not complete, for the operator. */
  readonly problems: readonly string[];
}

export interface SyncOptions {
  readonly services: IdentityServices;
  readonly accounts: SignOnAccounts;
  /** Records who is disabled and enabled. */
  readonly audit?: Pick<AuditTrail, 'background'> | undefined;
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
export async function syncLdap(
  { services, accounts, audit }: SyncOptions,
  provider: LdapProvider,
  signal: AbortSignal,
): Promise<SyncReport> {
  await services.fresh();
  const members = membersOf(services);
  const subjects = members.map(({ subject }) => subject);
  const answers = await rollCall(provider, subjects, signal);
  const problems = answers.failures.map(({ host, message }) => `${host === undefined ? '' : `${host}: `}${message}`);
  const leaving = members.filter((member) => !member.isDisabled && hasLeft(member, answers));
  const active = members.filter(({ isDisabled }) => !isDisabled).length;
  const [disabled, enabled, kept]: string[][] = [[], [], []];
  if (leaving.length > FEW && leaving.length * 2 > active) {
    problems.push(`${leaving.length} of ${active} people are missing, which is more than half: nobody is disabled`);
    kept?.push(...leaving.map(({ login }) => login));
  } else {
    for (const member of leaving) {
      const notes = new AuditNotes();
      const isDisabled = await deactivate(services, member, notes);
      (isDisabled ? disabled : kept)?.push(member.login);
      const how = answers.unmapped.has(member.subject) ? 'is in no mapped group any more' : 'has left the directory';
      if (isDisabled) await audit?.background({ user: SYSTEM_USER, notes, reason: reasonOf(member, how) });
    }
  }
  for (const member of members) {
    const person = answers.people.get(member.subject);
    if (person === undefined || (member.isDisabled && !member.isDeactivated) || signal.aborted) continue;
    const notes = new AuditNotes();
    const failure = await accounts.signIn(signOnOf(person, provider, services.now(), notes)).then(
      () => undefined,
      (error: unknown) => failureOf(error),
    );
    if (failure !== undefined) problems.push(`${member.login}: ${failure}`);
    else if (member.isDisabled) {
      enabled?.push(member.login);
      await audit?.background({ user: SYSTEM_USER, notes, reason: reasonOf(member, 'is back in the directory') });
    }
  }
  return { people: answers.people.size, disabled: disabled ?? [], enabled: enabled ?? [], kept: kept ?? [], problems };
}

const reasonOf = ({ login }: Member, how: string): string => `synchronization with LDAP: ${login} ${how}`;

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

/** Why one person could not be synchronized. Throws errors that concern all. */
function failureOf(error: unknown): string {
  if (error instanceof SignOnFailure) return error.message;
  throw error;
}
