import { fold } from '../../kube/meta/fold.js';

/** The rules for new passwords. */
export interface PasswordRules {
  /** The fewest characters: the setting `security.min_password_length`. */
  readonly minLength: number;
  /** Whether common passwords are refused: the setting `security.refuse_common_passwords`. */
  readonly refusesCommon: boolean;
}

export type PasswordProblem = 'short' | 'long' | 'common';

/**
 * The fewest characters of a password that somebody chooses on the pages of this server. The legacy API takes shorter
 * ones, as its callers expect, if the setting allows them.
 */
export const LEAST_CHOSEN = 12;

/** A longer password costs time and adds no security. */
export const LONGEST_PASSWORD = 1000;

/**
 * What is wrong with a new password; undefined if it is allowed. `names` are those of its user, which attackers try
 * first.
 */
export async function passwordProblem(
  password: string,
  { minLength, refusesCommon }: PasswordRules,
  names: readonly string[],
): Promise<PasswordProblem | undefined> {
  if (password.length < minLength) return 'short';
  if (password.length > LONGEST_PASSWORD) return 'long';
  if (!refusesCommon) return undefined;
  const folded = fold(password);
  if (names.some((name) => fold(name) === folded)) return 'common';
  return (await commonPasswords()).has(folded) ? 'common' : undefined;
}

/** Loaded for the first new password, because the list takes 30 ms and some megabytes. */
const commonPasswords = async () => (await import('./common-passwords.js')).COMMON_PASSWORDS;
