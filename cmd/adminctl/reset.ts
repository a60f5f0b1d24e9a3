/** A user whose password was set. */
export interface Reset {
  readonly login: string;
  readonly isDisabled: boolean;
}

export function noSuchUser(login: string): Error {
  return new Error(`There is no user with the login or e-mail address ${JSON.stringify(login)}.`);
}
