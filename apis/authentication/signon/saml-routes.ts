import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { addRoute, type Router } from '../../../pkg/http/router.js';
import { signOnType } from '../../../pkg/identity/signon/keys.js';
import { pathNotFound } from '../../../pkg/kube/status/errors.js';
import { checkMethod } from '../own-site.js';
import type { SignOnAttempts } from './attempts.js';
import type { SamlSigningOn } from './saml.js';
import type { SamlLogout } from './saml-logout.js';
import type { SamlMetadata } from './saml-metadata.js';
import { SignIn, type SignOnOptions } from './sign-in.js';

export interface SamlServices {
  readonly options: SignOnOptions;
  readonly attempts: SignOnAttempts;
  readonly signOn: SamlSigningOn;
  readonly metadata: SamlMetadata;
  readonly logout: SamlLogout;
}

/** The most bytes of a form with a message, of which base64 and the encoding of the form make more. */
export const MOST_SAML_BYTES = 512 * 1024;

/** `/saml/metadata`, `/saml/acs` and `/saml/slo`, and for a provider such as `saml-west` `/saml/saml-west/…`. */
export function addSamlRoutes(router: Router, services: SamlServices): void {
  addRoute(router, 'ANY', '/saml/:action', (request, { action = '' }) => answer(request, 'saml', action, services));
  addRoute(router, 'ANY', '/saml/:provider/:action', (request, { provider = '', action = '' }) =>
    answer(request, provider, action, services),
  );
}

async function answer(
  request: ApiRequest,
  name: string,
  action: string,
  { options, attempts, signOn, metadata, logout }: SamlServices,
): Promise<ApiResponse> {
  if (signOnType(name) !== 'saml') throw pathNotFound();
  const signIn = new SignIn(options, attempts, request, name);
  switch (action) {
    case 'metadata':
      checkMethod(request, ['GET', 'HEAD']);
      return metadata.answer(request, name);
    case 'acs':
      checkMethod(request, ['POST']);
      return signOn.consume(signIn);
    case 'slo':
      checkMethod(request, ['GET', 'POST']);
      return logout.receive(signIn);
    default:
      throw pathNotFound();
  }
}
