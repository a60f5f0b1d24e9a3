import { oneStore } from '../harness/stores.js';
import { type Call, MERGE, P, type Refusal, refuseAll } from './bad-input.js';
import { folder } from './folders.js';

const list = (query: string): Call => ['GET', `${P}?${query}`];

const QUERIES: readonly Refusal[] = [
  ...['x', '-1', '1.5', '1e3', '0x10', '99999999999999999999', ' 1'].map(
    (text): Refusal => [
      `resourceVersion ${text}`,
      list(`resourceVersion=${encodeURIComponent(text)}`),
      400,
      'BadRequest',
      'invalid resource version',
    ],
  ),
  ...['x', '1.5', '1e3', '99999999999999999999'].map(
    (text): Refusal => [`limit ${text}`, list(`limit=${text}`), 400, 'BadRequest', 'limit'],
  ),
  ['timeoutSeconds', list('watch=true&timeoutSeconds=soon'), 400, 'BadRequest', 'timeoutSeconds must be an integer'],
  ['timeout', list('timeout=zz'), 400, 'BadRequest', 'invalid timeout specified in the request URL'],
  [
    'timeout of a watch',
    list('watch=true&timeout=5'),
    400,
    'BadRequest',
    'invalid timeout specified in the request URL',
  ],
  // Promise: contract 3.4
  ['labelSelector', list('labelSelector=a%3D%3D%3Db'), 400, 'BadRequest', /./],
  ['labelSelector in', list('labelSelector=a%20in%20('), 400, 'BadRequest', /./],
  ['fieldSelector', list('fieldSelector=metadata.name'), 400, 'BadRequest', 'invalid selector'],
  [
    // Promise: contract 3.4
    'fieldSelector of an unknown field',
    list('fieldSelector=spec.title%3Da'),
    400,
    'BadRequest',
    'field label not supported: spec.title',
  ],
  // Promise: contract 6
  ['continue', list('continue=rubbish'), 400, 'BadRequest', 'invalid continue token'],
  ...[
    'labelSelector=a%3Db&labelSelector=c%3Dd',
    'labelSelector=&labelSelector=a',
    'fieldSelector=metadata.name%3Da&fieldSelector=',
  ].flatMap((query): readonly Refusal[] =>
    (['GET', 'DELETE'] as const).map((method) => [
      `two selectors on ${method}: ${query}`,
      [method, `${P}?${query}`],
      400,
      'BadRequest',
      'has two values, of which only one would count: join its requirements by commas',
    ]),
  ),
  [
    'fieldValidation twice',
    ['POST', `${P}?fieldValidation=Ignore&fieldValidation=Strict`, { body: folder('q') }],
    400,
    'BadRequest',
    'has two values',
  ],
  ...(
    [
      ['DELETE', `${P}/kept?labelSelector=a%3Db`, {}],
      ['PUT', `${P}/kept?resourceVersion=1`, { body: folder('kept') }],
      ['PATCH', `${P}/kept?uid=other`, { headers: MERGE, body: {} }],
      ['POST', `${P}?fieldSelector=metadata.name%3Da`, { body: folder('q') }],
      ['DELETE', `${P}?version=1`, {}],
    ] as const
  ).map(
    ([method, path, sent]): Refusal => [
      `a parameter of another verb on ${method} ${path}`,
      [method, path, sent],
      400,
      'BadRequest',
      /the query parameter "\w+" has no effect on the verb/,
    ],
  ),
  ...(
    [
      ['if-none-match', '*', 'PUT', { body: folder('kept') }],
      ['if-unmodified-since', 'Sat, 28 Nov 2026 00:00:00 GMT', 'DELETE', {}],
      ['if-match', '"1"', 'GET', {}],
      ['If-Match', '"1"', 'POST', { body: folder('q') }],
    ] as const
  ).map(
    ([name, value, method, sent]): Refusal => [
      `${name} on ${method}`,
      [method, method === 'POST' ? P : `${P}/kept`, { ...sent, headers: { [name]: value } }],
      400,
      'BadRequest',
      `${name} is not possible here`,
    ],
  ),
  [
    'fieldValidation',
    ['POST', `${P}?fieldValidation=strict`, { body: folder('q') }],
    422,
    'Invalid',
    'supported values: "", "Ignore", "Strict", "Warn"',
  ],
  ...(
    [
      ['CreateOptions', 'POST', P, { body: folder('q') }],
      ['UpdateOptions', 'PUT', `${P}/kept`, { body: folder('kept') }],
      ['PatchOptions', 'PATCH', `${P}/kept`, { headers: MERGE, body: {} }],
      ['DeleteOptions', 'DELETE', `${P}/kept`, {}],
      ['DeleteOptions', 'DELETE', P, {}],
    ] as const
  ).flatMap(([options, method, path, sent]): readonly Refusal[] => [
    [
      // Promise: contract 5.3
      `dryRun on ${method} ${path}`,
      [method, `${path}?dryRun=true`, sent],
      422,
      'Invalid',
      `${options}.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["true"]: supported values: "All"`,
    ],
    [
      // Promise: contract 5.3
      `fieldManager on ${method} ${path}`,
      [method, `${path}?fieldManager=${'x'.repeat(129)}`, sent],
      422,
      'Invalid',
      `${options}.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes`,
    ],
  ]),
  [
    'dryRun in the body of DELETE',
    ['DELETE', `${P}/kept`, { body: { dryRun: ['Some'] } }],
    422,
    'Invalid',
    'DeleteOptions.meta.k8s.io "" is invalid: dryRun',
  ],
  [
    'resourceVersionMatch on get',
    ['GET', `${P}/kept?resourceVersionMatch=Exact`],
    400,
    'BadRequest',
    'resourceVersionMatch',
  ],
  ['resourceVersion on get', ['GET', `${P}/kept?resourceVersion=x`], 400, 'BadRequest', 'invalid resource version'],
];

oneStore('bad queries', (server) => {
  refuseAll(server, QUERIES);
});
