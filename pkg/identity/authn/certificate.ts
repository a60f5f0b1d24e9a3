import { unauthorized } from '../../kube/status/errors.js';
import type { Authenticator, ClientCertificate } from './authenticator.js';
import type { UserInfo } from './user.js';

/** Whether a certificate is valid now. It may be revoked while its connection is open. */
export type Accepts = (certificate: ClientCertificate) => boolean;

/**
 * Authenticates by a verified client certificate. The CN of its subject is the user, and each O is a group. A revoked
 * certificate is refused.
 */
export function certificateAuthenticator(accepts: Accepts = () => true): Authenticator {
  const users = new WeakMap<ClientCertificate, UserInfo>();
  const userOf = (certificate: ClientCertificate): UserInfo => {
    const { commonName: name, organizations: groups } = certificate;
    const known = users.get(certificate);
    const user = known ?? { name, uid: '', groups, extra: {}, stillValid: () => accepts(certificate) };
    users.set(certificate, user);
    return user;
  };
  return {
    authenticate: ({ certificate, authorization, cookie }) => {
      if (certificate === undefined || certificate.commonName === '') return undefined;
      if (accepts(certificate)) return userOf(certificate);
      if (authorization === undefined && cookie === undefined) throw unauthorized();
      return undefined;
    },
  };
}
