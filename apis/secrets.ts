import { SECRET_SIGN_ON_KEYS } from '../pkg/signon/values.js';

/**
 * Members of bodies that hold secrets, at any depth. The audit log masks them. A new kind or route whose bodies have another secret adds its
 * name here.
 */
export const SECRET_FIELDS: readonly string[] = [
  // POST /login, POST /api/admin/users, PUT /api/admin/users/:id/password
  'password',
  // PUT /api/user/password
  'oldPassword',
  'newPassword',
  'confirmNew',
  // POST /api/serviceaccounts/:id/tokens
  'key',
  // TokenRequest and TokenReview
  'token',
  // Credential, Session and Token, which are not served
  'hash',
  'previousHash',
  // SigningKey
  'privateKey',
  // SSOSetting, and PUT /api/v1/sso-settings/:provider
  ...SECRET_SIGN_ON_KEYS,
  // Secret and ConfigMap
  'data',
  'stringData',
  'binaryData',
  // No kind or route has these today: clients send secrets under these names by mistake
  'passwd',
  'secret',
  'secretKey',
  'apiKey',
  'accessToken',
  'access_token',
  'refresh_token',
  'auth_token',
];
