import { type SignOnProvider, signOnType } from '../../../../pkg/identity/signon/keys.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { BY_USER, type ExternalIdentitySpec } from '../../../internal/externalidentity/schema.js';

/** What clients show about users who sign in by a provider. */
export interface ExternalFields {
  readonly isExternal: boolean;
  readonly isExternallySynced: boolean;
  readonly isGrafanaAdminExternallySynced: boolean;
  readonly authLabels: readonly string[];
}

const LABELS: Readonly<Record<SignOnProvider, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  generic_oauth: 'Generic OAuth',
  grafana_com: 'grafana.com',
  azuread: 'AzureAD',
  okta: 'Okta',
  ldap: 'LDAP',
  saml: 'SAML',
};

export function externalFields(call: LegacyCall, user: string): ExternalFields {
  const identities = identitiesOf(call, user);
  const labels = identities.map(({ provider }) => LABELS[signOnType(provider) ?? 'generic_oauth']);
  return {
    isExternal: identities.length > 0,
    isExternallySynced: identities.some(({ syncsRoles }) => syncsRoles),
    isGrafanaAdminExternallySynced: identities.some(({ syncsAdministrator }) => syncsAdministrator),
    authLabels: [...new Set(labels)],
  };
}

/** Whether a user signs in by a provider, and has no password here that could be changed. */
export function isExternalOnly(call: LegacyCall, user: string): boolean {
  return identitiesOf(call, user).length > 0 && call.objects('internal/Credential').find(user) === undefined;
}

function identitiesOf(call: LegacyCall, user: string): readonly ExternalIdentitySpec[] {
  if (!call.hasKind('internal/ExternalIdentity')) return [];
  const identities = call.objects<ExternalIdentitySpec>('internal/ExternalIdentity');
  return [...identities.range({ index: BY_USER, prefix: [user] })].flatMap(({ spec }) => spec ?? []);
}
