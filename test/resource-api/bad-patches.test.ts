import { oneStore } from '../harness/stores.js';
import { type Call, MERGE, P, type Refusal, refuseAll } from './bad-input.js';

const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const merge = (body: unknown): Call => ['PATCH', `${P}/kept`, { headers: MERGE, body }];
const jsonPatch = (body: unknown): Call => ['PATCH', `${P}/kept`, { headers: JSON_PATCH, body }];

const PATCHES: readonly Refusal[] = [
  ['a merge patch that is not an object', merge('[]'), 400, 'BadRequest', 'must be a JSON object'],
  ['a merge patch of null', merge('null'), 400, 'BadRequest', 'must be a JSON object'],
  ['an empty merge patch', merge(''), 400, 'BadRequest', /empty|body/],
  ['a merge patch with __proto__', merge('{"__proto__":{"polluted":1}}'), 400, 'BadRequest', '__proto__'],
  ['a merge patch to another kind', merge({ kind: 'Team' }), 400, 'BadRequest', 'the kind in the data'],
  ['a merge patch that removes metadata', merge({ metadata: null }), 400, 'BadRequest', 'metadata.name'],
  ['a merge patch of a wrong type', merge({ spec: { title: {} } }), 400, 'Invalid', 'spec.title'],
  ['a JSON patch that is not an array', jsonPatch({}), 400, 'BadRequest', /./],
  ['a JSON patch of numbers', jsonPatch([5]), 400, 'BadRequest', /./],
  ['an unknown operation', jsonPatch([{ op: 'explode', path: '' }]), 400, 'BadRequest', /./],
  ['an operation without a path', jsonPatch([{ op: 'add', value: 1 }]), 400, 'BadRequest', /./],
  ['a pointer without a slash', jsonPatch([{ op: 'add', path: 'spec', value: 1 }]), 400, 'BadRequest', /./],
  [
    'a pointer to __proto__',
    jsonPatch([{ op: 'add', path: '/__proto__/polluted', value: 1 }]),
    400,
    'BadRequest',
    'must not go through __proto__',
  ],
  [
    'a pointer to constructor.prototype',
    jsonPatch([{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }]),
    422,
    'Invalid',
    '"constructor" does not exist',
  ],
  [
    'a patch of the whole to a text',
    jsonPatch([{ op: 'replace', path: '', value: 'x' }]),
    400,
    'BadRequest',
    /must be a JSON object/,
  ],
  [
    'a patch that removes the whole',
    jsonPatch([{ op: 'remove', path: '' }]),
    422,
    'Invalid',
    'it removes the whole object',
  ],
  [
    '10,001 operations',
    jsonPatch(Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'Folder' }))),
    413,
    'RequestEntityTooLarge',
    'maximum operations',
  ],
  ['force', ['PATCH', `${P}/kept?force=true`, { headers: MERGE, body: {} }], 422, 'Invalid', 'non-apply patch'],
  [
    'a patch of an unknown object',
    ['PATCH', `${P}/unknown`, { headers: MERGE, body: {} }],
    404,
    'NotFound',
    '"unknown" not found',
  ],
];

oneStore('bad patches', (server) => {
  refuseAll(server, PATCHES);
});
