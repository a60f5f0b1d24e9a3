import { hashPassword } from '../../../pkg/authn/password.js';
import type { UserInfo } from '../../../pkg/authn/user.js';
import type { KubeObject } from '../../../pkg/meta/types.js';
import type { ApiError } from '../../../pkg/status/status.js';
import { LegacyError, plainFailure, structured } from '../../../registry/legacy/errors.js';
import type { Plan } from '../../../registry/transact.js';
import type { CredentialSpec } from '../../internal/credential/schema.js';
import { elevated, type IamServices, type Plans } from './services.js';

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

/** Keeps the hash as the user's, whether or not they had one. */
export function passwordPlan(plans: Plans, by: UserInfo, user: string, hash: string): Plan {
  return plans.put<CredentialSpec>('Credential', user, () => ({ hash }), { as: elevated(by) });
}

/** Keeps the hash in place of the one that the caller has shown to know. Throws `otherwise` for another: someone was quicker. */
export function passwordChangePlan(
  plans: Plans,
  by: UserInfo,
  user: string,
  { from, to, otherwise }: { readonly from: string; readonly to: string; readonly otherwise: () => ApiError },
): Plan {
  const change = (old: KubeObject<CredentialSpec>): KubeObject<CredentialSpec> => {
    if (old.spec?.hash !== from) throw otherwise();
    return { ...old, spec: { hash: to } };
  };
  return plans.update<CredentialSpec>('Credential', user, change, { as: elevated(by) });
}
