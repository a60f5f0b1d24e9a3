import { changingNothing, expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { GROUP, MERGE, P, type Refusal, refuseAll } from './bad-input.js';
import { folder } from './folders.js';

const PATHS: readonly Refusal[] = [
  // Promise: contract 6
  ['an unknown name', ['GET', `${P}/unknown`], 404, 'NotFound', 'folders.folder.svc.app "unknown" not found'],
  ['an encoded slash', ['GET', `${P}/a%2Fb`], 404, 'NotFound', '"a/b" not found'],
  ['two dots', ['GET', `${P}/%2e%2e`], 404, 'NotFound', '".." not found'],
  ['NUL', ['GET', `${P}/a%00b`], 404, 'NotFound', 'not found'],
  ['41 characters', ['GET', `${P}/${'x'.repeat(41)}`], 404, 'NotFound', 'not found'],
  ['a broken encoding', ['GET', `${P}/%ff`], 400, 'BadRequest', 'percent-encoding'],
  ['half an encoding', ['GET', `${P}/%`], 400, 'BadRequest', 'percent-encoding'],
  ['PUT to a slash', ['PUT', `${P}/a%2Fb`, { body: folder('a/b') }], 404, 'NotFound', 'not found'],
  ['DELETE of two dots', ['DELETE', `${P}/..`], 404, 'NotFound', 'not found'],
  [
    'an unknown namespace: get',
    ['GET', `${P.replace('default', 'nowhere')}/a`],
    404,
    'NotFound',
    'namespaces "nowhere" not found',
  ],
  [
    'an unknown namespace: delete',
    ['DELETE', `${P.replace('default', 'nowhere')}/a`],
    404,
    'NotFound',
    'namespaces "nowhere" not found',
  ],
  [
    // Promise: contract 5.1
    'an unknown namespace: create',
    ['POST', P.replace('default', 'nowhere'), { body: folder('a') }],
    404,
    'NotFound',
    'namespaces "nowhere" not found',
  ],
  [
    'a namespace with a slash',
    ['GET', P.replace('default', 'a%2Fb')],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
  [
    'an unknown group',
    ['GET', '/apis/nothing.svc.app/v1/namespaces/default/folders'],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
  ['an unknown version', ['GET', P.replace('v1beta1', 'v9')], 404, 'NotFound', 'could not find the requested resource'],
  [
    // Promise: contract 6
    'an unknown resource',
    ['GET', P.replace('/folders', '/boats')],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
  // Promise: contract 3.5, contract 5.2
  ['an unknown subresource', ['GET', `${P}/kept/soul`], 404, 'NotFound', 'could not find the requested resource'],
  [
    // Promise: contract 5.2
    'a scale of a kind without replicas',
    ['GET', `${P}/kept/scale`],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
  ['a path too long', ['GET', `${P}/kept/status/more`], 404, 'NotFound', 'could not find the requested resource'],
  ['an empty name', ['GET', `${P}//status`], 404, 'NotFound', 'could not find the requested resource'],
  [
    'POST to an object',
    ['POST', `${P}/kept`, { body: folder('kept') }],
    405,
    'MethodNotAllowed',
    'does not allow this method',
  ],
  // Promise: contract 6
  ['PUT to a collection', ['PUT', P, { body: folder('kept') }], 405, 'MethodNotAllowed', 'does not allow this method'],
  [
    'PATCH of a collection',
    ['PATCH', P, { headers: MERGE, body: {} }],
    405,
    'MethodNotAllowed',
    'does not allow this method',
  ],
  ['another method', ['PROPFIND', `${P}/kept`], 405, 'MethodNotAllowed', 'does not allow this method'],
  [
    'a write without a namespace',
    ['POST', `${GROUP}/folders`, { body: folder('a') }],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
  [
    'a deletecollection without a namespace',
    ['DELETE', `${GROUP}/folders`],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
  [
    'a get without a namespace',
    ['GET', `${GROUP}/folders/kept`],
    404,
    'NotFound',
    'could not find the requested resource',
  ],
];

oneStore('bad paths', (server) => {
  refuseAll(server, PATHS);
  it('gets 403 from a caller without permissions, whether the object exists or not', async () => {
    const user = { name: 'mallory', uid: 'm', groups: ['system:authenticated'], extra: {} };
    for (const [method, path] of [
      ['GET', `${P}/kept`],
      ['GET', `${P}/unknown`],
      ['GET', P],
      ['DELETE', P],
      ['GET', `${P}?watch=true`],
    ] as const) {
      const answer = await changingNothing(server(), () => server().call(method, path, { user }));
      expectStatus(answer, 403, 'Forbidden', 'User "mallory" cannot');
    }
  });
});
