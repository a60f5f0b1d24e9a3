import { CREDENTIAL_ID, type UserInfo } from '../../pkg/identity/authn/user.js';

const SESSION_ID = 'SESSION=';
export const sessionId = (name: string): string => `${SESSION_ID}${name}`;
export const tokenId = (name: string): string => `TOKEN=${name}`;

/** The name of the Session by which the caller was authenticated; undefined for other credentials. */
export function currentSession({ extra }: UserInfo): string | undefined {
  const [id] = extra[CREDENTIAL_ID] ?? [];
  return id?.startsWith(SESSION_ID) === true ? id.slice(SESSION_ID.length) : undefined;
}
