import type { SignOnProvider } from './keys.js';
import type { SignOnValues } from './values.js';

/** What applies to all providers where nothing is set. */
const ALWAYS = { allowSignUp: true } as const;
const OPENID = { ...ALWAYS, scopes: 'openid,email,profile', usePkce: true } as const;

/** The values of providers where nothing is set: their addresses, scopes and names. */
export const PRESETS: Readonly<Record<SignOnProvider, Partial<SignOnValues>>> = {
  github: {
    ...ALWAYS,
    name: 'GitHub',
    icon: 'github',
    scopes: 'user:email,read:org',
    authStyle: 'InParams',
    authUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    apiUrl: 'https://api.github.com/user',
  },
  gitlab: {
    ...OPENID,
    name: 'GitLab',
    icon: 'gitlab',
    authUrl: 'https://gitlab.com/oauth/authorize',
    tokenUrl: 'https://gitlab.com/oauth/token',
    apiUrl: 'https://gitlab.com/api/v4',
  },
  google: {
    ...OPENID,
    name: 'Google',
    icon: 'google',
    validateHd: true,
    authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    apiUrl: 'https://openidconnect.googleapis.com/v1/userinfo',
  },
  generic_oauth: { ...OPENID, name: 'OAuth', icon: 'signin' },
  grafana_com: {
    ...ALWAYS,
    name: 'Grafana.com',
    icon: 'grafana',
    scopes: 'user:email',
    authStyle: 'InHeader',
    authUrl: 'https://grafana.com/oauth2/authorize',
    tokenUrl: 'https://grafana.com/api/oauth2/token',
    apiUrl: 'https://grafana.com/api/oauth2/user',
  },
  // The addresses of these two contain the tenant or the domain of the customer.
  azuread: { ...OPENID, name: 'Microsoft', icon: 'microsoft' },
  okta: { ...OPENID, name: 'Okta', icon: 'okta', scopes: 'openid,profile,email,groups' },
  ldap: { ...ALWAYS, activeSyncEnabled: true, syncCron: '0 1 * * *' },
  saml: {
    ...ALWAYS,
    name: 'SAML',
    maxIssueDelay: '90s',
    metadataValidDuration: '48h',
    assertionAttributeName: 'displayName',
    assertionAttributeLogin: 'mail',
    assertionAttributeEmail: 'mail',
    assertionAttributeExternalUid: 'userUID',
  },
};
