import type { PasswordAccount } from '../../pkg/identity/authn/password-check.js';
import {
  LEAST_CHOSEN,
  LONGEST_PASSWORD,
  type PasswordProblem,
  type PasswordRules,
  passwordProblem,
} from '../../pkg/identity/authn/password-policy.js';
import type { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import { badRequest, unauthorized } from '../../pkg/kube/status/errors.js';
import { Client } from '../../registry/client/client.js';
import type { UserSpec } from '../iam/user/schema.js';
import type { CredentialSpec } from '../internal/credential/schema.js';
import type { IdentityServices, SessionAuthor } from './services.js';

/** The passwords of a sign-in by somebody who must change theirs. */
interface Passwords {
  readonly password: string;
  readonly newPassword: string;
}

/** Replaces a password that somebody else has set. Throws ApiError 400 if the rules refuse the new one. */
export type RenewPassword = (account: PasswordAccount, passwords: Passwords, by: SessionAuthor) => Promise<void>;

export function renewPassword(
  services: IdentityServices,
  hashing: Pick<PasswordQueue, 'hash'>,
  { minLength, refusesCommon }: PasswordRules,
): RenewPassword {
  const rules = { minLength: Math.max(minLength, LEAST_CHOSEN), refusesCommon };
  return async ({ user, hash: from }, { password, newPassword }, by) => {
    const stored = services.reader.get<UserSpec>(services.resource('iam/users'), '', user.uid);
    const names = [user.name, stored?.spec?.email ?? ''];
    const problem = newPassword === password ? 'same' : await passwordProblem(newPassword, rules, names);
    if (problem !== undefined) throw badRequest(problemWords(problem, rules));
    const hash = await hashing.hash(newPassword, { of: user.uid, first: true });
    const client = new Client(services.registry, by);
    await client.transact((transaction) => {
      transaction.objects<CredentialSpec>(services.kind('internal/credentials')).update(user.uid, (old) => {
        if (old.spec?.hash !== from) throw unauthorized('The password was changed meanwhile');
        return { ...old, spec: { hash } };
      });
      transaction.objects<UserSpec>(services.kind('iam/users')).update(user.uid, withoutDuty);
    });
  };
}

/** The user without the duty to change the password. */
function withoutDuty<User extends { readonly spec?: UserSpec }>(user: User): User {
  if (user.spec === undefined) return user;
  const { mustChangePassword: _, ...spec } = user.spec;
  return { ...user, spec };
}

function problemWords(problem: PasswordProblem | 'same', { minLength }: PasswordRules): string {
  switch (problem) {
    case 'same':
      return 'The new password is the old one';
    case 'short':
      return `The new password is too short: it needs at least ${minLength} characters`;
    case 'long':
      return `The new password is too long: it may have at most ${LONGEST_PASSWORD} characters`;
    case 'common':
      return 'The new password is a common one, or the name of the user';
  }
}
