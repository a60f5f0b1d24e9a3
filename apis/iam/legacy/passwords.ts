import type { Turn } from '../../../pkg/authn/password-queue.js';
import type { ApiError } from '../../../pkg/status/status.js';
import type { LegacyCall, LegacyTransaction } from '../../../registry/legacy/call.js';
import { LegacyError, plainFailure, structured } from '../../../registry/legacy/errors.js';
import type { CredentialSpec } from '../../internal/credential/schema.js';

const SHORTEST = 4;
/** A longer password costs time and adds no security. */
const LONGEST = 1000;

const TOO_SHORT = structured(400, 'password.password-policy-too-short', 'New password is too short');

/** Throws 400 for a password of invalid length. */
export function checkNewPassword(password: string): void {
  if (password.length < SHORTEST) throw new LegacyError(400, TOO_SHORT);
  if (password.length > LONGEST) throw plainFailure(400, `New password is too long, max ${LONGEST} characters`);
}

/** Callers take turns in hashing, wherever they call from. */
export const turnOf = ({ user }: LegacyCall): Turn => ({ of: user.uid || user.name, first: true });

/** Stores the hash of the password of a user, who may have had none. */
export function putPassword(transaction: LegacyTransaction, user: string, hash: string): void {
  transaction
    .trusted()
    .objects<CredentialSpec>('Credential')
    .put(user, () => ({ hash }));
}

/** Replaces the hash `from`, whose password the caller has proved to know. Throws `otherwise` if the password was changed since. */
export function changePassword(
  transaction: LegacyTransaction,
  user: string,
  { from, to, otherwise }: { readonly from: string; readonly to: string; readonly otherwise: () => ApiError },
): void {
  transaction
    .trusted()
    .objects<CredentialSpec>('Credential')
    .update(user, (old) => {
      if (old.spec?.hash !== from) throw otherwise();
      return { ...old, spec: { hash: to } };
    });
}
