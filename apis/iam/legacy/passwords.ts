import { hashPassword } from '../../../pkg/authn/password.js';
import type { ApiError } from '../../../pkg/status/status.js';
import type { LegacyTransaction } from '../../../registry/legacy/call.js';
import { LegacyError, plainFailure, structured } from '../../../registry/legacy/errors.js';
import type { CredentialSpec } from '../../internal/credential/schema.js';
import type { IamServices } from './services.js';

const SHORTEST = 4;
/** Longer ones cost time and add nothing. */
const LONGEST = 1000;

const TOO_SHORT = structured(400, 'password.password-policy-too-short', 'New password is too short');

/** Throws 400 for a password that is none to begin with. */
export function checkNewPassword(password: string): void {
  if (password.length < SHORTEST) throw new LegacyError(400, TOO_SHORT);
  if (password.length > LONGEST) throw plainFailure(400, `New password is too long, max ${LONGEST} characters`);
}

/** `stillWanted` throws if the hash would be for nothing; asked when its turn has come. */
export function hashOf(
  { hashing }: Pick<IamServices, 'hashing'>,
  password: string,
  stillWanted: () => void = () => undefined,
): Promise<string> {
  return hashing.run(async () => {
    stillWanted();
    return hashPassword(password);
  });
}

/** Stores the hash of a user's password, whether or not the user had one. */
export function putPassword(transaction: LegacyTransaction, user: string, hash: string): void {
  transaction
    .trusted()
    .objects<CredentialSpec>('Credential')
    .put(user, () => ({ hash }));
}

/** Replaces the hash `from`, which the caller has proved to know. Throws `otherwise` if the password has changed since. */
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
