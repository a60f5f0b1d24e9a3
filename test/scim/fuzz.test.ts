import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../pkg/system/testing/runs.js';
import { eachStore } from '../harness/stores.js';
import { GROUP, PATCH, scimOf, USER } from './scim.js';

const words = fc.constantFrom(
  'userName',
  'emails',
  'name.givenName',
  'members',
  'active',
  'meta',
  '__proto__',
  'constructor',
  'a',
  '"',
  '"x"',
  '[',
  ']',
  '(',
  ')',
  'eq',
  'pr',
  'and',
  'or',
  'not',
  'type',
  'true',
  'null',
  '1',
  '.value',
  ' ',
  '\u0000',
  '😀',
  USER,
  'urn:x:y',
  '$ref',
  '..',
  '%',
  '\\',
);
const text = fc.oneof(
  fc.array(words, { maxLength: 12 }).map((all) => all.join(' ')),
  fc.array(words, { maxLength: 6 }).map((all) => all.join('')),
  fc.string(),
);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  text,
  fc.record({ value: text, type: text }),
  fc.array(fc.record({ value: text })),
);
const operation = fc.record(
  { op: fc.constantFrom('add', 'replace', 'remove', 'Add'), path: text, value },
  { requiredKeys: ['op'] },
);
const member = fc.dictionary(
  fc.constantFrom('userName', 'displayName', 'emails', 'name', 'active', 'members', 'externalId', 'password', 'x'),
  value,
);
const schemas = [
  USER,
  GROUP,
  PATCH,
  'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
];
const bulk = fc.record({
  method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'),
  path: fc.oneof(text, fc.constantFrom('/Users', '/Groups/bulkId:a')),
  bulkId: text,
  data: member,
});

const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  type: fc.constantFrom('Users', 'Groups', 'Bulk', '.search', 'Schemas', 'Me'),
  id: fc.option(fc.oneof(text, fc.constantFrom('user', 'group', '.search'))),
  query: fc.dictionary(
    fc.constantFrom(
      'filter',
      'sortBy',
      'sortOrder',
      'startIndex',
      'count',
      'cursor',
      'attributes',
      'excludedAttributes',
      'x',
    ),
    text,
    { maxKeys: 3 },
  ),
  body: fc.oneof(
    fc.record({ schemas: fc.constant(schemas), Operations: fc.array(fc.oneof(operation, bulk), { maxLength: 4 }) }),
    member.map((members) => ({ schemas, ...members })),
    fc.jsonValue(),
    text,
  ),
});

eachStore('any request to SCIM', (server) => {
  const { call, makeGroup, makeUser } = scimOf(server);

  it('is done, or refused as an error of SCIM, and is never a failure of the server', async function random() {
    this.timeout(600_000);
    const property = fc.asyncProperty(request, async ({ method, type, id, query, body }) => {
      const known = async () => (id === 'user' ? (await makeUser()).id : id === 'group' ? (await makeGroup()).id : id);
      const at = id === null ? '' : `/${encodeURIComponent(await known()).replaceAll('.', '%2E')}`;
      const path = `/${type}${at}?${new URLSearchParams(query)}`;
      const answer = await call(method, path, method === 'GET' ? undefined : body);
      expect(answer.status, `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`).to.be.lessThan(
        500 + (type === '.search' ? 2 : 0),
      );
      if (answer.status < 400) return;
      expect(answer.body.schemas).to.deep.equal(['urn:ietf:params:scim:api:messages:2.0:Error']);
      expect(answer.body.status).to.equal(String(answer.status));
    });
    await fc.assert(property, { numRuns: runs(300) });
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  });
});
