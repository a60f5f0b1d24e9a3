import { generateServiceProviderMetadata } from '@node-saml/node-saml';
import { signXmlMetadata } from '@node-saml/node-saml/lib/utility.js';
import type { Credentials } from './credentials.js';
import { type SamlSettings, type ServiceAddresses, signatureOf } from './settings.js';

/**
 * The metadata of this server, for the provider (SAML V2.0 Metadata, §2.4.4). They are signed if requests are. `now` is
 * in milliseconds since the epoch.
 */
export function serviceMetadata(
  settings: SamlSettings,
  addresses: ServiceAddresses,
  credentials: Credentials | undefined,
  now: number,
): string {
  const signature = signatureOf(settings);
  const signs = signature !== undefined && credentials !== undefined;
  const ends = new Date(now + settings.metadataValidDuration).toISOString();
  const xml = generateServiceProviderMetadata({
    issuer: addresses.entityId,
    callbackUrl: addresses.acs,
    identifierFormat: settings.nameIdFormat || null,
    wantAssertionsSigned: true,
    ...(settings.singleLogout && { logoutCallbackUrl: addresses.slo }),
    ...(credentials && { decryptionPvk: credentials.key, decryptionCert: credentials.certificate }),
    ...(signs && { privateKey: credentials.key, publicCerts: credentials.certificate }),
  })
    .replace('<EntityDescriptor ', `<EntityDescriptor validUntil="${ends}" `)
    .replace(LOGOUT_BY_POST, (service) => `${service.replace('HTTP-POST', 'HTTP-Redirect')}\n${service}`);
  if (!signs) return xml;
  return signXmlMetadata(xml, {
    privateKey: credentials.key,
    signatureAlgorithm: signature,
    digestAlgorithm: signature,
  });
}

/** The library names one binding, and this server takes two. */
const LOGOUT_BY_POST = / *<SingleLogoutService [^>]*\/>/;
