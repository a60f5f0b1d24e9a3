import {
  LONGEST_PASSWORD,
  type PasswordProblem,
  passwordProblem,
} from '../../../pkg/identity/authn/password-policy.js';
import type { Turn } from '../../../pkg/identity/authn/password-queue.js';
import type { ApiError } from '../../../pkg/kube/status/status.js';
import type { LegacyCall, LegacyTransaction } from '../../../registry/legacy/call.js';
import { LegacyError, plainFailure, structured } from '../../../registry/legacy/errors.js';
import type { CredentialSpec } from '../../internal/credential/schema.js';
import type { UserSpec } from '../user/schema.js';
import type { IamServices } from './services.js';

const PROBLEMS: Readonly<Record<PasswordProblem, (least: number) => LegacyError>> = {
  short: (least) => new LegacyError(400, structured(400, TOO_SHORT, `New password is too short: ${demand(least)}`)),
  long: () => plainFailure(400, `New password is too long, max ${LONGEST_PASSWORD} characters`),
  common: () => new LegacyError(400, structured(400, 'password.password-policy-infringe', TOO_COMMON)),
};
const TOO_SHORT = 'password.password-policy-too-short';
/** It comes after the words that clients know. */
const demand = (least: number): string => `it needs at least ${least} characters`;
const missing = (least: number): LegacyError => plainFailure(400, `Password is missing or too short: ${demand(least)}`);
const TOO_COMMON =
  "New password doesn't comply with the password policy: it is a common one, or the name of the user. Choose another one";

/** Throws 400 for a password of a user that the rules do not allow. A new user must have one. */
export async function checkNewPassword(
  { environment: { passwords } }: IamServices,
  password: string,
  { login, email }: Pick<UserSpec, 'login' | 'email'>,
  isNewUser = false,
): Promise<void> {
  const problem = await passwordProblem(password, passwords, [login, email]);
  if (problem === undefined) return;
  throw problem === 'short' && isNewUser ? missing(passwords.minLength) : PROBLEMS[problem](passwords.minLength);
}

/** Callers take turns in hashing, wherever they call from. */
export const turnOf = ({ user }: LegacyCall): Turn => ({ of: user.uid || user.name, first: true });

/** Stores the hash of the password of a user, who may have had none. */
export function putPassword(transaction: LegacyTransaction, user: string, hash: string): void {
  transaction
    .trusted()
    .objects<CredentialSpec>('internal/Credential')
    .put(user, () => ({ hash }));
}

/**
 * Replaces the hash `from`, whose password the caller has proved to know. Throws `otherwise` if the password was
 * changed since.
 */
export function changePassword(
  transaction: LegacyTransaction,
  user: string,
  { from, to, otherwise }: { readonly from: string; readonly to: string; readonly otherwise: () => ApiError },
): void {
  transaction
    .trusted()
    .objects<CredentialSpec>('internal/Credential')
    .update(user, (old) => {
      if (old.spec?.hash !== from) throw otherwise();
      return { ...old, spec: { hash: to } };
    });
}

/** Whether a user must change the password at the next sign-in. Undefined changes nothing. */
export function putDuty(transaction: LegacyTransaction, user: string, mustChangePassword: boolean | undefined): void {
  if (mustChangePassword === undefined) return;
  transaction
    .trusted()
    .objects<UserSpec>('iam/User')
    .update(user, (old) => {
      const { mustChangePassword: _, ...spec } = old.spec as UserSpec;
      return { ...old, spec: mustChangePassword ? { ...spec, mustChangePassword } : spec };
    });
}
