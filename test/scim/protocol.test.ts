import { expect } from 'chai';
import { eachStore } from '../harness/stores.js';
import { fresh } from '../legacy-api/legacy.js';
import { GROUP, type Json, PATCH, scimOf, USER } from './scim.js';

const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const idsOf = ({ Resources }: Json): readonly string[] => Resources.map(({ id }: Json) => id);

eachStore('the protocol of SCIM', (server) => {
  const { ask, call, makeGroup, makeUser, patch, refused } = scimOf(server);
  const filtered = (filter: string, more = ''): string => `/Users?filter=${encodeURIComponent(filter)}${more}`;

  /** Five people whose names begin with a text that nobody else has. */
  const five = async (): Promise<{ readonly prefix: string; readonly ids: readonly string[] }> => {
    const prefix = fresh('page');
    const ids: string[] = [];
    for (const name of ['b', 'e', 'a', 'd', 'c']) {
      const { id } = await makeUser({ userName: `${prefix}-${name}`, displayName: name.toUpperCase() });
      ids.push(id);
    }
    return { prefix, ids };
  };

  it('has pages by index', async () => {
    const { prefix, ids } = await five();
    const page = (more: string) => ask(200, 'GET', filtered(`userName sw "${prefix}"`, more));
    expect(await page('&startIndex=2&count=2')).to.deep.include({ totalResults: 5, startIndex: 2, itemsPerPage: 2 });
    const sorted = [...ids].sort();
    expect(idsOf(await page('&startIndex=2&count=2'))).to.deep.equal(sorted.slice(1, 3));
    expect(await page('&count=0')).to.deep.include({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    expect(idsOf(await page('&startIndex=-3&count=1'))).to.deep.equal(sorted.slice(0, 1));
    expect(idsOf(await page('&startIndex=6'))).to.deep.equal([]);
    const all = await ask(200, 'GET', '/Users?count=2');
    expect([all.itemsPerPage, all.totalResults >= 5]).to.deep.equal([2, true]);
    expect((await page('&count=2147483647')).itemsPerPage).to.equal(5);
    expect((await page(`&startIndex=${'9'.repeat(30)}&count=-${'9'.repeat(30)}`)).Resources).to.deep.equal([]);
  });

  it('has pages by cursor, also of sorted lists, and refuses cursors of others', async () => {
    const { prefix, ids } = await five();
    for (const order of ['', '&sortBy=userName&sortOrder=descending']) {
      const found: string[] = [];
      let cursor: string | undefined = '';
      for (let pages = 0; cursor !== undefined && pages < 5; pages++) {
        const page: Json = await ask(
          200,
          'GET',
          filtered(`userName sw "${prefix}"`, `${order}&count=2&cursor=${cursor}`),
        );
        expect(page.totalResults).to.equal(5);
        found.push(...idsOf(page));
        cursor = page.nextCursor;
      }
      const [b, e, a, d, c] = ids;
      expect(found).to.deep.equal(order === '' ? [...ids].sort() : [e, d, c, b, a]);
    }
    const { nextCursor } = await ask(200, 'GET', filtered(`userName sw "${prefix}"`, '&count=1&cursor='));
    await refused(400, 'invalidCursor', 'GET', filtered('userName pr', `&cursor=${nextCursor}`));
    for (const cursor of ['x', 'e30', '%00', Buffer.from('{"after":1,"of":"x"}').toString('base64url')])
      await refused(400, 'invalidCursor', 'GET', `/Users?cursor=${cursor}`);
    await refused(400, 'invalidCount', 'GET', '/Users?cursor=&count=-1');
  });

  it('sorts by any attribute', async () => {
    const { prefix, ids } = await five();
    const [b, e, a, d, c] = ids;
    for (const [by, order, expected] of [
      ['userName', 'ascending', [a, b, c, d, e]],
      ['displayName', 'descending', [e, d, c, b, a]],
      ['externalId', 'ascending', [...ids].sort()],
      ['meta.created', 'ascending', [...ids].sort()],
      [`${USER}:userName`, 'descending', [e, d, c, b, a]],
    ] as const) {
      const page = await ask(200, 'GET', filtered(`userName sw "${prefix}"`, `&sortBy=${by}&sortOrder=${order}`));
      expect(idsOf(page), by).to.deep.equal(expected);
    }
    await refused(400, 'invalidValue', 'GET', '/Users?sortBy=constructor');
  });

  it('answers with the attributes that a request names, or without them', async () => {
    const { id, userName } = await makeUser({ name: { givenName: 'G', familyName: 'F' } });
    const named = await ask(200, 'GET', `/Users/${id}?attributes=userName,name.givenName`);
    expect(named).to.deep.equal({ schemas: [USER], id, userName, name: { givenName: 'G' } });
    const without = await ask(200, 'GET', `/Users/${id}?excludedAttributes=name.givenName,emails,id,meta`);
    expect(without).to.deep.equal({
      schemas: [USER],
      id,
      userName,
      displayName: 'G F',
      active: true,
      name: { familyName: 'F' },
    });
    const made = await ask(201, 'POST', '/Users?attributes=userName', { schemas: [USER], userName: fresh('x') });
    expect(Object.keys(made).sort()).to.deep.equal(['id', 'schemas', 'userName']);
    await refused(400, 'invalidValue', 'GET', `/Users/${id}?attributes=userName&excludedAttributes=name`);
  });

  it('searches by POST, one type or both', async () => {
    const name = fresh('Both');
    const user = await makeUser({ displayName: name });
    const group = await makeGroup({ displayName: name });
    const search = { schemas: [SEARCH], filter: `displayName eq "${name}"`, attributes: ['displayName'] };
    expect(idsOf(await ask(200, 'POST', '/Users/.search', search))).to.deep.equal([user.id]);
    expect(idsOf(await ask(200, 'POST', '/Groups/.search', search))).to.deep.equal([group.id]);
    expect(idsOf(await ask(200, 'POST', '/.search', search))).to.deep.equal([user.id, group.id]);
    expect(idsOf(await ask(200, 'POST', '/.search', { ...search, startIndex: 2, count: 1 }))).to.deep.equal([group.id]);
    const one = await ask(200, 'POST', '/.search', { schemas: [SEARCH], filter: `userName eq "${user.userName}"` });
    expect(idsOf(one)).to.deep.equal([user.id]);
    await refused(400, 'invalidFilter', 'POST', '/.search', { schemas: [SEARCH], filter: 'nothing eq "x"' });
  });

  it('has entity tags, which conditions of reads and writes name', async () => {
    const { id, meta } = await makeUser();
    const read = await call('GET', `/Users/${id}`);
    expect(read.headers['etag']).to.equal(meta.version);
    const same = await call('GET', `/Users/${id}`, undefined, { headers: { 'if-none-match': meta.version } });
    expect([same.status, same.body]).to.deep.equal([304, undefined]);
    const change = (value: string) => ({
      schemas: [PATCH],
      Operations: [{ op: 'replace', path: 'displayName', value }],
    });
    const ifMatch = (tag: string) => ({ headers: { 'if-match': tag } });
    const changed = await ask(200, 'PATCH', `/Users/${id}`, change('One'), ifMatch(meta.version));
    expect(changed.meta.version).to.not.equal(meta.version);
    for (const method of ['PATCH', 'PUT', 'DELETE']) {
      const body = method === 'PATCH' ? change('Two') : { schemas: [USER], userName: fresh('x') };
      await refused(
        412,
        undefined,
        method,
        `/Users/${id}`,
        method === 'DELETE' ? undefined : body,
        ifMatch(meta.version),
      );
    }
    expect((await ask(200, 'GET', `/Users/${id}`)).displayName).to.equal('One');
    await ask(200, 'PATCH', `/Users/${id}`, change('Two'), ifMatch(`"x", ${changed.meta.version}`));
    await makeGroup({ members: [{ value: id }] });
    // A client may reach the server by another name.
    const there = await call('GET', `/Users/${id}`, undefined, { headers: { host: 'other.example.com' } });
    expect(there.body.groups[0].$ref).to.include('//other.example.com/');
    await ask(200, 'PATCH', `/Users/${id}`, change('Three'), ifMatch(String(there.headers['etag'])));
    await ask(204, 'DELETE', `/Users/${id}`, undefined, ifMatch('*'));
  });

  it('changes the entity tag of a group with its members, whoever adds them', async () => {
    const user = await makeUser();
    const { id, meta } = await makeGroup();
    const spec = { teamRef: { name: id }, userRef: { name: user.id }, permission: 'member' };
    const binding = {
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'TeamBinding',
      metadata: { name: fresh('binding') },
      spec,
    };
    const path = '/apis/iam.svc.app/v1beta1/namespaces/default/teambindings';
    expect((await server().call('POST', path, { body: binding })).status).to.equal(201);
    await refused(412, undefined, 'DELETE', `/Groups/${id}`, undefined, { headers: { 'if-match': meta.version } });
    const now = await ask(200, 'GET', `/Groups/${id}`);
    expect([now.members.length, now.meta.version === meta.version]).to.deep.equal([1, false]);
  });

  it('does the operations of a bulk request, which name each other in any order', async () => {
    const userName = fresh('bulk');
    const displayName = fresh('Bulk');
    const group = { schemas: [GROUP], displayName, members: [{ value: 'bulkId:u' }] };
    const answer = await ask(200, 'POST', '/Bulk', {
      schemas: [BULK],
      Operations: [
        { method: 'POST', path: '/Groups', bulkId: 'g', data: group },
        { method: 'POST', path: '/Users', bulkId: 'u', data: { schemas: [USER], userName } },
        {
          method: 'patch',
          path: '/Users/bulkId:u',
          data: { schemas: [PATCH], Operations: [{ op: 'add', path: 'displayName', value: 'X' }] },
        },
        { method: 'POST', path: '/Users', bulkId: 'again', data: { schemas: [USER], userName } },
        { method: 'DELETE', path: '/Users/nobody' },
      ],
    });
    expect(answer.schemas).to.deep.equal(['urn:ietf:params:scim:api:messages:2.0:BulkResponse']);
    expect(answer.Operations.map(({ method, bulkId, status }: Json) => [method, bulkId, status])).to.deep.equal([
      ['POST', 'g', '201'],
      ['POST', 'u', '201'],
      ['PATCH', undefined, '200'],
      ['POST', 'again', '409'],
      ['DELETE', undefined, '404'],
    ]);
    expect(answer.Operations[3].response).to.deep.include({ status: '409', scimType: 'uniqueness' });
    const id = answer.Operations[1].location.split('/').at(-1);
    const { Resources } = await ask(
      200,
      'GET',
      `/Groups?filter=${encodeURIComponent(`displayName eq "${displayName}"`)}`,
    );
    expect(Resources[0].members.map(({ value }: Json) => value)).to.deep.equal([id]);
    expect(await ask(200, 'GET', `/Users/${id}`)).to.deep.include({ displayName: 'X' });
  });

  it('ends a bulk request after failOnErrors, and refuses circles and too many operations', async () => {
    const post = (bulkId: string, data: object) => ({ method: 'POST', path: '/Groups', bulkId, data });
    const circle = (own: string, other: string) =>
      post(own, { schemas: [GROUP], displayName: fresh('Circle'), members: [{ value: `bulkId:${other}` }] });
    const circles = await ask(200, 'POST', '/Bulk', {
      schemas: [BULK],
      Operations: [circle('a', 'b'), circle('b', 'a')],
    });
    expect(circles.Operations.map(({ status }: Json) => status)).to.deep.equal(['409', '409']);
    const wrong = post('w', { schemas: [GROUP] });
    const many = {
      schemas: [BULK],
      failOnErrors: 2,
      Operations: [0, 1, 2, 3].map((n) => ({ ...wrong, bulkId: `w${n}` })),
    };
    expect((await ask(200, 'POST', '/Bulk', many)).Operations.length).to.equal(2);
    const Operations = Array.from({ length: 1001 }, (_, n) => ({ method: 'DELETE', path: `/Users/x${n}` }));
    await refused(413, undefined, 'POST', '/Bulk', { schemas: [BULK], Operations });
    for (const path of ['/Bulk', '/Users/../Groups', '/Schemas', 'https://example.com/Users', '/Users?x=1'])
      await refused(400, 'invalidSyntax', 'POST', '/Bulk', {
        schemas: [BULK],
        Operations: [{ method: 'DELETE', path }],
      });
  });

  it('answers each failure with its own body', async () => {
    const { id } = await makeUser();
    await refused(404, undefined, 'GET', '/Nothing');
    await refused(404, undefined, 'GET', '/Users/a/b');
    await refused(404, undefined, 'GET', '/Users/__proto__');
    await refused(405, undefined, 'DELETE', '/Users');
    await refused(405, undefined, 'PUT', '/ServiceProviderConfig', {});
    await refused(415, undefined, 'POST', '/Users', 'x', { headers: { 'content-type': 'text/plain' } });
    await refused(400, 'invalidSyntax', 'POST', '/Users', '{"schemas":', {});
    await refused(400, 'invalidSyntax', 'POST', '/Users', { userName: 'x' });
    await refused(400, 'invalidSyntax', 'POST', '/Users', `{"schemas":["${USER}"],"userName":"a","userName":"b"}`);
    for (const userName of [undefined, '', '  '])
      await refused(400, 'invalidValue', 'POST', '/Users', { schemas: [USER], userName });
    const blank = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'userName', value: '  ' }] };
    await refused(400, 'invalidValue', 'PATCH', `/Users/${id}`, blank);
    await refused(400, 'invalidValue', 'POST', '/Users', { schemas: [USER], userName: 'x', invented: 1 });
    await refused(400, 'invalidValue', 'POST', '/Users', { schemas: [USER], userName: 'x', active: 'maybe' });
    await refused(400, 'invalidValue', 'POST', '/Users', { schemas: [USER], userName: fresh('x'), password: 'a' });
    await refused(413, undefined, 'POST', '/Users', { schemas: [USER], userName: 'x'.repeat(5 * 2 ** 20) });
    for (const filter of [
      'userName',
      'userName eq',
      'userName eq x',
      'a eq "x"',
      '(userName pr',
      'active gt true',
      'userName gt true',
      '',
    ]) {
      if (filter !== '') await refused(400, 'invalidFilter', 'GET', filtered(filter));
    }
    await refused(400, 'invalidFilter', 'GET', filtered(`${'('.repeat(50)}userName pr${')'.repeat(50)}`));
    await refused(400, 'invalidFilter', 'GET', filtered(`${'userName pr or '.repeat(200)}userName pr`));
    await refused(400, 'invalidValue', 'GET', '/Users?unknown=1');
    const operation = (one: object) => patch(`/Users/${id}`, one);
    for (const [scimType, one] of [
      ['invalidPath', { op: 'replace', path: 'invented', value: 'x' }],
      ['invalidPath', { op: 'replace', path: '__proto__.polluted', value: 'x' }],
      ['mutability', { op: 'replace', path: 'id', value: 'x' }],
      ['mutability', { op: 'remove', path: 'userName' }],
      ['mutability', { op: 'replace', path: 'groups', value: [] }],
      ['noTarget', { op: 'remove' }],
      ['noTarget', { op: 'remove', path: 'emails[type eq "home"]' }],
      ['invalidSyntax', { op: 'move', path: 'userName' }],
      ['invalidFilter', { op: 'replace', path: 'emails[nothing eq "x"].value', value: 'x' }],
      ['invalidValue', { op: 'add', value: 'x' }],
    ] as const) {
      const { status, body } = await operation(one);
      expect([status, body.scimType], JSON.stringify([one, body])).to.deep.equal([400, scimType]);
    }
    expect(({} as Json).polluted).to.equal(undefined);
  });

  it('is in no discovery document of Kubernetes, because it has no kinds', async () => {
    for (const path of ['/apis', '/apis/', '/openapi/v3', '/openapi/v2']) {
      const { status, text } = await server().call('GET', path);
      expect([status, text.includes('scim.svc.app')], path).to.deep.equal([200, false]);
    }
    for (const path of ['/apis/scim.svc.app', '/apis/scim.svc.app/v0alpha1']) {
      const { status, text } = await server().call('GET', path);
      expect([status, JSON.parse(text).schemas]).to.deep.equal([404, ['urn:ietf:params:scim:api:messages:2.0:Error']]);
    }
  });

  it('never answers with a password', async () => {
    const { id, ...made } = await makeUser({ password: 'A long new password' });
    const texts = [
      made,
      await ask(200, 'GET', `/Users/${id}?attributes=password`),
      await ask(200, 'GET', `/Users/${id}`),
    ];
    expect(JSON.stringify(texts)).to.not.match(/password/i);
    await refused(400, 'invalidFilter', 'GET', filtered('password sw "A"'));
    await refused(400, 'invalidValue', 'GET', '/Users?sortBy=password');
  });
});
