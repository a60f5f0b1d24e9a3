/** The user whose password is to be set. */
export interface Whom {
  /** Login or e-mail address. */
  readonly login: string;
  /** The user must be a server administrator: anybody may take the administrator's login when nobody has it. */
  readonly mustAdminister: boolean;
}

export interface Reset {
  readonly login: string;
  readonly isDisabled: boolean;
}

export function noSuchUser(login: string): Error {
  return new Error(`There is no user with the login or e-mail address ${JSON.stringify(login)}.`);
}

/** Throws an error for the operator if the user is not the administrator who was meant. */
export function checkWhom({ login, mustAdminister }: Whom, isAdministrator: boolean): void {
  if (!mustAdminister || isAdministrator) return;
  throw new Error(
    `The user ${JSON.stringify(login)} is not a server administrator. Name the user with --user=<login>.`,
  );
}
