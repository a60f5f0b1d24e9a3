import type { Authenticator, Credentials } from './authenticator.js';
import type { UserInfo } from './user.js';

/** Authenticates by a verified client certificate: the CN of its subject is the user, each O is a group. */
export function certificateAuthenticator(): Authenticator {
  const users = new WeakMap<NonNullable<Credentials['certificate']>, UserInfo>();
  return {
    authenticate: ({ certificate }) => {
      if (certificate === undefined || certificate.commonName === '') return undefined;
      const known = users.get(certificate);
      if (known !== undefined) return known;
      const user = { name: certificate.commonName, uid: '', groups: certificate.organizations, extra: {} };
      users.set(certificate, user);
      return user;
    },
  };
}
