import { addTeam, nameOf } from '../../testing/cast.js';
import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { type PermissionExamples, titled } from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { title: '{name}' } },
  full: {
    metadata: { labels: { team: 'ops' } },
    spec: { title: '{name}', email: 'ops@example.com', externalUID: 'cn=ops', provisioned: true },
  },
  changed: { spec: { title: '{name} changed' } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an empty title', body: { spec: { title: ' ' } }, field: 'spec.title' },
    { why: 'a title with a control character', body: { spec: { title: 'a\u0007b' } }, field: 'spec.title' },
    { why: 'an e-mail address of another type', body: { spec: { title: 'x', email: 1 } }, field: 'spec.email' },
  ],
  freeText: [],
  freeJson: [],
  columnSample: { title: LONG.title, email: LONG.email },
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Teams: members view their own, Admins of a team manage it, administrators of the organization manage all
Team get                                   401  403    403    yes   yes  403  yes  yes    yes  403
Team list                                  401  403    403    yes   yes  403  yes  yes    yes  403
Team watch                                 401  403    403    yes   yes  403  yes  yes    yes  403
Team create                                401  403    403    yes   yes  403  yes  403    403  403
Team update                                401  403    403    yes   yes  403  yes  403    yes  403
Team patch                                 401  403    403    yes   yes  403  yes  403    yes  403
Team delete                                401  403    403    yes   yes  403  yes  403    yes  403
Team deletecollection                      401  403    403    yes   yes  403  yes  403    yes  403
`,
  objects: {
    Team: {
      ...titled('team'),
      existing: async ({ cast, verb }) => (verb === 'create' ? undefined : nameOf(addTeam(cast))),
    },
  },
};
