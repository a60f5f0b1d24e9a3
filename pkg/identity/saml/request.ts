import { SignOnFailure } from '../signon/failure.js';
import { libraryOf, signing } from './library.js';
import type { Partners } from './partner.js';
import { signatureOf } from './settings.js';

/** A request that the browser takes to the provider: by a redirect to `url`, or by a form that it posts there. */
export interface OutgoingRequest {
  readonly url: string;
  readonly form?: Readonly<Record<string, string>>;
}

/** The request to sign in (SAML V2.0 Core, §3.4.1). Throws SignOnFailure if the settings do not suffice. */
export async function signOnRequest(partners: Partners, id: string): Promise<OutgoingRequest> {
  const { settings, credentials, idp } = partners;
  const isSigned = signatureOf(settings) !== undefined;
  if (isSigned && credentials === undefined)
    throw new SignOnFailure('settings', 'signature_algorithm is set without certificate and private_key');
  if (idp.wantsSignedRequests && !isSigned)
    throw new SignOnFailure('settings', 'the provider wants signed requests, and signature_algorithm is not set');
  const { url, binding } = idp.signOn;
  const isPosted = binding === 'post';
  const library = libraryOf(partners, {
    generateUniqueId: () => id,
    // Only the redirect binding compresses messages (SAML V2.0 Bindings, §3.4.4.1 and §3.5.4).
    skipRequestCompression: isPosted,
    ...(isSigned && signing(credentials)),
  });
  if (!isPosted) return { url: await library.getAuthorizeUrlAsync('', undefined, {}) };
  const message = await library.getAuthorizeMessageAsync('');
  return { url, form: { SAMLRequest: String(message['SAMLRequest']) } };
}
