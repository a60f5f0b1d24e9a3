import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { isBot, type PermissionExamples, titled } from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { title: '{name}' } },
  full: { metadata: { labels: { team: 'ops' } }, spec: { title: '{name}', role: 'Editor', disabled: true } },
  changed: { spec: { title: '{name}', role: 'Viewer' } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an empty title', body: { spec: { title: '' } }, field: 'spec.title' },
    { why: 'an unknown role', body: { spec: { title: 'x', role: 'Emperor' } }, field: 'spec.role' },
    { why: 'disabled as text', body: { spec: { title: 'x', disabled: 'no' } }, field: 'spec.disabled' },
  ],
  freeText: [],
  freeJson: [],
  columnSample: { title: LONG.title, role: 'Viewer', disabled: false },
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Service accounts: for administrators of the organization; an account can view itself, but not raise itself
ServiceAccount get                         401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount list                        401  none   none   yes   yes  none yes  none   none none
ServiceAccount watch                       401  none   none   yes   yes  none yes  none   none none
ServiceAccount create                      401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount update                      401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount patch                       401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount delete                      401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount deletecollection            401  none   none   yes   yes  none yes  none   none none
ServiceAccount(own) get                    401  403    403    yes   yes  yes  yes  403    403  403
ServiceAccount(own) list                   401  none   none   yes   yes  yes  yes  none   none none
ServiceAccount(own) update                 401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount(own) patch                  401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount(own) delete                 401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount/token create                401  403    403    yes   yes  403  yes  403    403  403
`,
  objects: {
    ServiceAccount: titled('account'),
    'ServiceAccount(own)': {
      draft: titled('account').draft,
      existing: async ({ caller }) => (isBot(caller) ? caller : undefined),
      change: () => ({ role: 'Admin' }),
      dryRun: true,
    },
    'ServiceAccount/token': { draft: titled('account').draft, change: () => ({ spec: {} }) },
  },
};
