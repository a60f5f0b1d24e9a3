import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml';
import type { Credentials } from './credentials.js';
import { CLOCK_SKEW, type Partners } from './partner.js';
import { signatureOf } from './settings.js';

/**
 * The library for one message. It checks signatures, decrypts, and checks the times and the audience. `signs`: whether
 * the message is signed. InResponseTo is checked by the caller, because the library would keep requests in the process.
 */
export function libraryOf({ settings, addresses, credentials, idp }: Partners, more: Partial<SamlConfig> = {}): SAML {
  return new SAML({
    issuer: addresses.entityId,
    audience: addresses.entityId,
    callbackUrl: addresses.acs,
    entryPoint: idp.signOn.url,
    idpIssuer: idp.entityId,
    idpCert: [...idp.certificates],
    identifierFormat: settings.nameIdFormat || null,
    signatureAlgorithm: signatureOf(settings) ?? 'sha256',
    digestAlgorithm: signatureOf(settings) ?? 'sha256',
    disableRequestedAuthnContext: true,
    // The response or the assertion must be signed. Providers differ in which one they sign.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    validateInResponseTo: ValidateInResponseTo.never,
    acceptedClockSkewMs: CLOCK_SKEW,
    maxAssertionAgeMs: settings.maxIssueDelay,
    ...(credentials && { decryptionPvk: credentials.key }),
    ...more,
  });
}

/** The options that sign messages. Without credentials they are not signed. */
export function signing(credentials: Credentials | undefined): Partial<SamlConfig> {
  return credentials === undefined ? {} : { privateKey: credentials.key, publicCert: credentials.certificate };
}
