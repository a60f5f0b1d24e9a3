import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import type { PermissionExamples } from '../../testing/permission-examples.js';

const addresses = {
  authUrl: 'https://sso.example.com/authorize',
  tokenUrl: 'https://sso.example.com/token',
};

export const examples: KindExamples = {
  minimal: { spec: { settings: { clientId: 'client', ...addresses } } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: {
      settings: {
        ...addresses,
        enabled: true,
        name: 'Company',
        clientId: 'client',
        clientSecret: '',
        scopes: 'openid,email',
        apiUrl: 'https://sso.example.com/userinfo',
        allowedDomains: 'example.com, example.org',
        roleAttributePath: "contains(groups, 'ops') && 'Editor' || 'Viewer'",
        usePkce: true,
        loginPrompt: 'consent',
      },
    },
  },
  changed: { spec: { settings: { clientId: 'client', ...addresses, name: 'Changed' } } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'no settings', body: { spec: {} }, field: 'spec.settings' },
    { why: 'no client id', body: { spec: { settings: addresses } }, field: 'spec.settings.clientId' },
    {
      why: 'a flag of another type',
      body: { spec: { settings: { clientId: 'a', ...addresses, enabled: 'yes' } } },
      field: 'spec.settings.enabled',
    },
    {
      why: 'an address that is none',
      body: { spec: { settings: { clientId: 'a', ...addresses, authUrl: 'javascript:alert(1)' } } },
      field: 'spec.settings.authUrl',
    },
    {
      why: 'an expression that is none',
      body: { spec: { settings: { clientId: 'a', ...addresses, roleAttributePath: '(((' } } },
      field: 'spec.settings.roleAttributePath',
    },
    {
      why: 'a mapping with a role that does not exist',
      body: { spec: { settings: { clientId: 'a', ...addresses, orgMapping: 'ops:1:Boss' } } },
      field: 'spec.settings.orgMapping',
    },
    {
      why: 'a key of another provider',
      body: { spec: { settings: { clientId: 'a', ...addresses, entityId: 'x' } } },
      field: 'spec.settings.entityId',
    },
  ],
  fixed: ['settings'],
  nameOf: (number) => `generic_oauth-${number}`,
  freeText: ['/spec/settings/allowedGroups'],
  freeJson: [],
  columnSample: {
    settings: { enabled: true, clientId: '123456789012-abcdefghijkl.apps.example.com', name: LONG.title },
  },
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Sign-on settings: for administrators of the server, and by grants
SSOSetting get                             401  403    403    403   yes  403  403  403    403  403
SSOSetting list                            401  403    403    403   yes  403  403  403    403  403
SSOSetting watch                           401  403    403    403   yes  403  403  403    403  403
SSOSetting create                          401  403    403    403   yes  403  403  403    403  403
SSOSetting update                          401  403    403    403   yes  403  403  403    403  403
SSOSetting patch                           401  403    403    403   yes  403  403  403    403  403
SSOSetting delete                          401  403    403    403   yes  403  403  403    403  403
SSOSetting deletecollection                401  403    403    403   yes  403  403  403    403  403
`,
  objects: {
    SSOSetting: {
      draft: async ({ cast: { fresh } }) => ({
        name: fresh('gitlab'),
        spec: { settings: { clientId: 'client', clientSecret: 'secret' } },
      }),
      change: ({ cast: { fresh } }) => ({ settings: { clientId: fresh('client') } }),
    },
  },
};
