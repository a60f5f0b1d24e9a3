import { expect } from 'chai';
import { bodyOf, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

const TEAMS = '/apis/iam.svc.app/v1beta1/namespaces/default/teams';
const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };

oneStore('a body', (server) => {
  const team = (name: string, metadata: object = {}) => ({
    apiVersion: 'iam.svc.app/v1beta1',
    kind: 'Team',
    metadata: { name, ...metadata },
    spec: { title: name },
  });
  const create = (name: string, metadata: object = {}) => server().call('POST', TEAMS, { body: team(name, metadata) });
  const patch = (path: string, body: unknown, headers: Record<string, string>) =>
    server().call('PATCH', path, { body, headers, query: { fieldManager: 'me' } });

  it('of an apply with empty labels and annotations is applied, as one without them', async () => {
    const name = freshName();
    const metadata = `metadata:\n  name: ${name}\n  labels:\n  annotations:\n`;
    const text = `apiVersion: iam.svc.app/v1beta1\nkind: Team\n${metadata}spec:\n  title: ${name}\n`;
    for (const status of [201, 200])
      expect((await patch(`${TEAMS}/${name}`, text, APPLY)).status, String(status)).to.equal(status);
  });

  it('with a label of null sets one with an empty text', async () => {
    const name = freshName();
    const made = bodyOf(await create(name, { labels: { a: null } }), 201);
    expect(made.metadata.labels).to.deep.include({ a: '' });
  });

  // Promise: contract 5.7
  it('gets warnings also if the request fails', async () => {
    const name = freshName();
    bodyOf(await create(name), 201);
    const again = await server().call('POST', TEAMS, { body: { ...team(name), typo: 1 } });
    expectStatus(again, 409, 'AlreadyExists');
    expect(again.headers['warning']).to.deep.equal(['299 - "unknown field \\"typo\\""']);
  });

  // Promise: contract 5.1
  it('with an owner twice stores it once, and says so', async () => {
    const owner = { apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u' };
    const answer = await create(freshName(), { ownerReferences: [owner, owner] });
    expect(bodyOf(answer, 201).metadata.ownerReferences).to.deep.equal([owner]);
    expect(String(answer.headers['warning'])).to.include('duplicate UID(s) observed: u');
  });

  // Promise: contract 5.1
  it('with a finalizer without a domain is warned of', async () => {
    const answer = await create(freshName(), { finalizers: ['noslash', 'a.b/c'] });
    expect(answer.headers['warning']).to.have.length(1);
    expect(String(answer.headers['warning'])).to.include('noslash').and.include('domain-qualified');
  });

  // Promise: contract 5.1
  it('with the resourceVersion 0 is written to whatever is stored, by every kind of write', async () => {
    const name = freshName();
    const whole = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, resourceVersion: '0' } };
    const path = `/api/v1/namespaces/default/configmaps/${name}`;
    bodyOf(await server().call('POST', '/api/v1/namespaces/default/configmaps', { body: whole }), 201);
    const zero = { metadata: { resourceVersion: '0' }, data: { a: '1' } };
    const operations = [{ op: 'replace', path: '/metadata/resourceVersion', value: '0' }];
    bodyOf(await server().call('PUT', path, { body: { ...whole, data: { b: '2' } } }), 200);
    bodyOf(await patch(path, zero, MERGE), 200);
    bodyOf(await patch(path, zero, { 'content-type': 'application/strategic-merge-patch+json' }), 200);
    bodyOf(await patch(path, operations, JSON_PATCH), 200);
    bodyOf(await patch(path, { ...whole, data: { c: '3' } }, APPLY), 200);
    expectStatus(await patch(path, { metadata: { resourceVersion: '1' } }, MERGE), 409, 'Conflict');
  });

  it('makes no object terminating', async () => {
    const name = freshName();
    bodyOf(await create(name), 201);
    const change = { metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' }, spec: { title: 'other' } };
    expectStatus(await patch(`${TEAMS}/${name}`, change, MERGE), 422, 'Invalid', 'metadata.deletionTimestamp');
  });

  // Promise: contract 5.1
  it('has a valid generateName, also beside a name, and an update may set it', async () => {
    const name = freshName();
    expectStatus(await create(name, { generateName: 'A B' }), 422, 'Invalid', 'metadata.generateName');
    bodyOf(await create(name, { generateName: 'a-' }), 201);
    const patched = await patch(`${TEAMS}/${name}`, { metadata: { generateName: 'b-' } }, MERGE);
    expect(bodyOf(patched, 200).metadata.generateName).to.equal('b-');
  });

  // Promise: contract 5.3
  it('of a JSON patch may name what is absent, count from the end, and leave out a value', async () => {
    const name = freshName();
    const body = {
      apiVersion: 'dashboard.svc.app/v1beta1',
      kind: 'Dashboard',
      metadata: { name },
      spec: { title: name, list: ['p', 'q'] },
    };
    bodyOf(await server().call('POST', DASHBOARDS, { body }), 201);
    const operations = [
      { op: 'test', path: '/spec/absent', value: null },
      { op: 'replace', path: '/spec/new', value: 1 },
      { op: 'add', path: '/spec/list/-1', value: 's' },
      { op: 'remove', path: '/spec/list/-3' },
      { op: 'copy', from: '/spec/absent', path: '/spec/copied' },
      { op: 'add', path: '/spec/empty' },
    ];
    const patched = bodyOf(await patch(`${DASHBOARDS}/${name}`, operations, JSON_PATCH), 200);
    expect(patched.spec).to.deep.equal({ title: name, new: 1, list: ['q', 's'], copied: null, empty: null });
  });

  // Promise: contract 5.3
  it('of a JSON patch with unknown members is warned of, and refused if it is Strict', async () => {
    const name = freshName();
    bodyOf(await create(name), 201);
    const operations = [{ op: 'test', path: '/spec/title', value: name, extra: 1 }];
    const lax = await patch(`${TEAMS}/${name}`, operations, JSON_PATCH);
    expect(lax.headers['warning']).to.deep.equal(['299 - "json patch unknown field \\"[0].extra\\""']);
    const query = { fieldValidation: 'Strict' };
    const strict = await server().call('PATCH', `${TEAMS}/${name}`, { body: operations, headers: JSON_PATCH, query });
    expectStatus(strict, 422, 'Invalid', '[0].extra');
  });

  // Promise: contract 5.1
  it('with a number that would be stored as another one is refused, in both APIs', async () => {
    const name = freshName();
    const at = `${DASHBOARDS}/${name}`;
    const type = '"apiVersion":"dashboard.svc.app/v1beta1","kind":"Dashboard"';
    const made = `{${type},"metadata":{"name":"${name}"},"spec":{"title":"${name}"}}`;
    bodyOf(await server().call('POST', DASHBOARDS, { body: made }), 201);
    for (const number of ['9223372036854775809', '1e400']) {
      const spec = `{"title":"${name}","v":${number}}`;
      const whole = `{${type},"metadata":{"name":"${name}"},"spec":${spec}}`;
      for (const answer of [
        await server().call('POST', DASHBOARDS, { body: whole }),
        await server().call('PUT', at, { body: whole }),
        await patch(at, `{"spec":{"v":${number}}}`, MERGE),
        await patch(at, `[{"op":"add","path":"/spec/v","value":${number}}]`, JSON_PATCH),
        await patch(at, whole, APPLY),
      ])
        expectStatus(answer, 400, 'BadRequest', `the number ${number} would be changed`);
      const legacy = await server().call('POST', '/api/dashboards/db', { body: `{"dashboard":${spec}}` });
      expect(legacy.status, legacy.text).to.equal(400);
    }
  });
});
