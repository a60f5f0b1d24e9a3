/** The fewest characters of a password that is typed here. The server takes shorter ones from other callers. */
export const LEAST_CHARACTERS = 12;

export const PASSWORD_HINT = `At least ${LEAST_CHARACTERS} characters.`;

/** Throws for a new password that is too short. */
export function requireLength(password: string): void {
  if (password.length < LEAST_CHARACTERS)
    throw new Error(`The password is too short: it needs at least ${LEAST_CHARACTERS} characters.`);
}
