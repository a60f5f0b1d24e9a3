import type { KindExamples } from '../../testing/kind-examples.js';
import type { ExampleObject, PermissionExamples } from '../../testing/permission-examples.js';

const SECRET = 'mirror-credential';
const address = 'https://dashboards.example.org';
const credential = { secret: SECRET };

export const examples: KindExamples = {
  minimal: { spec: { address, credential, delete: false } },
  full: {
    spec: {
      address: `${address}/north`,
      credential,
      organization: 7,
      folders: { labels: 'site=north' },
      kinds: ['Dashboard'],
      permissions: false,
      teams: true,
      preferences: true,
      maxDeletions: 5000,
      existing: 'Adopt',
      delete: true,
      check: { interval: '30m', drift: 'Report' },
      provenance: { message: 'From the administration', tag: 'mirrored' },
    },
  },
  changed: { spec: { address, credential, delete: true, folders: { names: ['north'] } } },
  invalid: [
    {
      why: 'an address that is none',
      body: { spec: { address: 'here', credential, delete: true } },
      field: 'spec.address',
    },
    {
      why: 'an internal address',
      body: { spec: { address: 'https://127.0.0.1', credential, delete: true } },
      field: 'spec.address',
    },
    {
      why: 'an address without encryption',
      body: { spec: { address: 'http://192.0.3.1', credential, delete: true } },
      field: 'spec.address',
    },
    {
      why: 'a password in the address',
      body: { spec: { address: 'https://a:b@example.org', credential, delete: true } },
      field: 'spec.address',
    },
    {
      why: 'a Secret that does not exist',
      body: { spec: { address, credential: { secret: 'nowhere' }, delete: true } },
      field: 'spec.credential.secret',
    },
    {
      why: 'a selector that is none',
      body: { spec: { address, credential, delete: true, folders: { labels: 'site in north' } } },
      field: 'spec.folders.labels',
    },
    {
      why: 'checks that come all the time',
      body: { spec: { address, credential, delete: true, check: { interval: '1s' } } },
      field: 'spec.check.interval',
    },
    {
      why: 'alert rules, which this API only reads',
      body: { spec: { address, credential, delete: true, kinds: ['AlertRule'] } },
      field: 'spec.kinds[0]',
    },
    {
      why: 'a bound of no deletions',
      body: { spec: { address, credential, delete: true, maxDeletions: 0 } },
      field: 'spec.maxDeletions',
    },
    { why: 'no decision about what is gone', body: { spec: { address, credential } }, field: 'spec.delete' },
  ],
  freeText: [],
  freeJson: [],
  fixed: ['address', 'credential', 'folders', 'check'],
  needs: [
    {
      path: '/api/v1/namespaces/default/secrets',
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: SECRET }, stringData: { token: 'the token' } },
    },
  ],
  columnSample: { address: 'https://dashboards.operations.example.com/north', credential, delete: true },
};

const mirror: ExampleObject = {
  draft: async ({ cast: { fresh, made } }) => {
    const secret = fresh('secret');
    await made('v1', 'Secret', secret, undefined, {});
    return { name: fresh('mirror'), spec: { address, credential: { secret }, delete: false } };
  },
  change: ({ cast: { fresh } }) => ({ provenance: { message: fresh('message') } }),
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Mirrors send what lies in the organization to another place: for administrators
Mirror get                                 401  403    403    yes   yes  403  yes  403    403  403
Mirror list                                401  403    403    yes   yes  403  yes  403    403  403
Mirror watch                               401  403    403    yes   yes  403  yes  403    403  403
Mirror create                              401  403    403    yes   yes  403  yes  403    403  403
Mirror update                              401  403    403    yes   yes  403  yes  403    403  403
Mirror patch                               401  403    403    yes   yes  403  yes  403    403  403
Mirror delete                              401  403    403    yes   yes  403  yes  403    403  403
Mirror deletecollection                    401  403    403    yes   yes  403  yes  403    403  403
Mirror/status get                          401  403    403    yes   yes  403  yes  403    403  403
`,
  objects: { Mirror: mirror, 'Mirror/status': mirror },
};
