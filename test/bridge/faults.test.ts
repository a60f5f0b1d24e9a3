import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { LegacyFailure } from '../../pkg/legacyclient/failure.js';
import { bodyOf } from '../harness/resource.js';
import { eachStore, oneStore } from '../harness/stores.js';
import { bridgeTo } from './harness.js';
import { type Fault, proxyBefore, saying } from './proxy.js';

const IN_DEFAULT = (group: string, plural: string) =>
  `/apis/${group}.svc.app/v1beta1/namespaces/default/${plural}?limit=500`;

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('it succeeded'),
    (error: Error) => error,
  );

eachStore('an import that is disturbed', (target) => {
  const { give, run, source } = bridgeTo(target);
  const proxy = proxyBefore(() => source().address().port);
  const through = () => ({ url: proxy.url() });
  const namesOf = async (group: string, plural: string) =>
    bodyOf(await target().call('GET', IN_DEFAULT(group, plural)), 200).items.map(({ metadata }) => metadata.name);

  before(async () => {
    await proxy.open();
    for (let i = 0; i < 30; i++) await give('POST', '/folders', { uid: `f${i}`, title: `F${i}` });
    await give('POST', '/folders/f7/permissions', { items: [] });
    for (let i = 0; i < 30; i++)
      await give('POST', '/dashboards/db', { dashboard: { uid: `d${i}`, title: `D${i}` }, folderUid: `f${i}` });
  });
  after(() => proxy.close());

  it('goes on in the next run, and nothing was open meanwhile', async () => {
    const controller = new AbortController();
    let left = 20;
    proxy.set(({ url = '' }) => {
      if (url.startsWith('/api/dashboards/uid/') && --left === 0) controller.abort(new Error('ended by hand'));
      return undefined;
    });
    const ended = await failure(run({}, { ...through(), signal: controller.signal }));
    expect(ended.message).to.equal('ended by hand');
    const some = (await namesOf('dashboard', 'dashboards')).length;
    expect(some).to.be.greaterThan(0).and.lessThan(30);
    const shut = await target().call('GET', '/apis/folder.svc.app/v1beta1/namespaces/default/folders/f7');
    expect(bodyOf(shut, 200).metadata.annotations).to.include({ 'svc.app/basic-roles': 'none' });
    proxy.set(() => undefined);
    const { out, code } = await run({}, through());
    expect(out).to.contain(`dashboards: ${30 - some} created, ${some} same`);
    expect(code).to.equal(0);
    expect((await run({ isDryRun: true }, through())).out).to.contain('Nothing differs.');
  });

  it('waits if the source asks to, and tries again if it fails for a time', async () => {
    const told: string[] = [];
    const failed = new Set<string>();
    proxy.set((incoming, response) => {
      const { url = '' } = incoming;
      if (failed.has(url)) return undefined;
      failed.add(url);
      const isLimited = failed.size % 2 === 0;
      return saying(
        isLimited ? 429 : 500,
        '{"message":"later"}',
        isLimited ? { 'retry-after': '1' } : {},
      )(incoming, response);
    });
    const onRetry = (error: Error) => void told.push(error.message);
    const { out } = await run({ isDryRun: true }, { ...through(), onRetry });
    expect(out).to.contain('Nothing differs.').and.contain('dashboards: 30 same');
    expect(told.filter((text) => text.includes('429'))).to.not.deep.equal([]);
  });

  it('skips an object that always fails, and says so, with its own exit code', async () => {
    proxy.set((incoming, response) =>
      incoming.url === '/api/dashboards/uid/d3' ? saying(500, '{"message":"broken"}')(incoming, response) : undefined,
    );
    const { out, code } = await run({}, through());
    expect(out).to.contain('skipped: dashboards d3 (D3): GET /api/dashboards/uid/d3: the server answered 500: broken');
    expect(out).to.contain('29 same, 1 skipped').and.contain('Nothing else differs.');
    expect(code).to.equal(3);
  });

  it('takes one organization and its members if only an administrator of the source may read all', async () => {
    await give('POST', '/admin/users', { login: 'eve', email: 'eve@x.example', name: 'Eve', password: 'secret-pass' });
    proxy.set((incoming, response) =>
      /^\/api\/(users|orgs)\b/.test(incoming.url ?? '')
        ? saying(403, '{"message":"no"}')(incoming, response)
        : undefined,
    );
    const { out, code } = await run({}, through());
    expect(out).to.contain('users: 1 created').and.contain('organizationbindings: 1 created').and.contain('30 same');
    expect(code).to.equal(0);
    const users = bodyOf(await target().call('GET', '/apis/iam.svc.app/v1beta1/users'), 200).items;
    const eve = users.find(({ spec }) => spec['login'] === 'eve');
    expect(eve?.spec).to.include({ grafanaAdmin: false, name: 'Eve' });
    const path = `/apis/iam.svc.app/v1beta1/users/${eve?.metadata.name}`;
    const headers = { 'content-type': 'application/merge-patch+json' };
    await target().call('PATCH', path, { body: { spec: { grafanaAdmin: true } }, headers });
    await run({}, through());
    expect(bodyOf(await target().call('GET', path), 200).spec, 'what is not told stays').to.include({
      grafanaAdmin: true,
    });
  });

  it('shows a viewer nothing private at any moment', async () => {
    await give('POST', '/folders', { uid: 'secret', title: 'Secret' });
    await give('POST', '/folders', { uid: 'secret-in', title: 'Secret inside', parentUid: 'secret' });
    await give('POST', '/folders/secret/permissions', { items: [] });
    for (let i = 0; i < 20; i++)
      await give('POST', '/dashboards/db', {
        dashboard: { uid: `s${i}`, title: `Secret ${i}` },
        folderUid: 'secret-in',
      });
    proxy.set(() => undefined);
    const user = { name: 'v', uid: 'v', groups: [], extra: {} };
    const iam = '/apis/iam.svc.app/v1beta1';
    const viewer = { apiVersion: 'iam.svc.app/v1beta1', metadata: { name: 'v' } };
    await target().call('POST', `${iam}/users`, { body: { ...viewer, kind: 'User', spec: { login: 'v' } } });
    const spec = { userRef: { name: 'v' }, role: 'Viewer' };
    const member = { ...viewer, kind: 'OrganizationBinding', spec };
    await target().call('POST', `${iam}/namespaces/default/organizationbindings`, { body: member });
    let isDone = false;
    const seen = new Set<string>();
    const polling = (async () => {
      while (!isDone)
        for (const { title } of JSON.parse((await target().call('GET', '/api/search?limit=5000', { user })).text))
          seen.add(title);
    })();
    expect((await run({}, through())).out).to.contain('dashboards: 20 created');
    isDone = true;
    await polling;
    expect(seen.size).to.be.greaterThan(20);
    expect([...seen].filter((title) => title.startsWith('Secret'))).to.deep.equal([]);
  });

  it('closes what has permissions that it may not read', async () => {
    await give('POST', '/folders', { uid: 'unread', title: 'Unread' });
    await give('POST', '/dashboards/db', { dashboard: { uid: 'unread', title: 'Unread' }, folderUid: 'unread' });
    proxy.set((incoming, response) =>
      /unread\/permissions/.test(incoming.url ?? '') ? saying(403, '{"message":"no"}')(incoming, response) : undefined,
    );
    const { out, code } = await run({}, through());
    expect(out).to.contain('permissions of folder unread: ').and.contain('It is private here');
    expect(code).to.equal(3);
    const folder = await target().call('GET', '/apis/folder.svc.app/v1beta1/namespaces/default/folders/unread');
    expect(bodyOf(folder, 200).metadata.annotations).to.include({ 'svc.app/basic-roles': 'none' });
    proxy.set(() => undefined);
    await run({}, through());
    const open = await target().call('GET', '/apis/folder.svc.app/v1beta1/namespaces/default/folders/unread');
    expect(bodyOf(open, 200).metadata.annotations).to.not.have.property('svc.app/basic-roles');
  });

  it('takes nothing that lies in a folder which was not taken', async () => {
    await give('POST', '/folders', { uid: 'lost', title: 'Lost' });
    await give('POST', '/dashboards/db', { dashboard: { uid: 'lost', title: 'Lost' }, folderUid: 'lost' });
    proxy.set((incoming, response) =>
      incoming.url === '/api/folders/lost' ? saying(404, '{"message":"gone"}')(incoming, response) : undefined,
    );
    const { out } = await run({}, through());
    expect(out).to.contain('skipped: dashboards lost (Lost): its folder lost was not taken');
    expect(await namesOf('dashboard', 'dashboards')).to.not.include('lost');
  });
});

oneStore('an import from a wrong place', (target) => {
  const { run, source } = bridgeTo(target);
  const proxy = proxyBefore(() => source().address().port);
  before(() => proxy.open());
  after(() => proxy.close());
  const refused = async (fault: Fault, more = {}) => {
    const end = await target().end();
    proxy.set(fault);
    const error = await failure(run({}, { url: proxy.url(), limits: { bytes: 100_000 }, ...more }));
    expect(await target().end(), 'nothing is written').to.equal(end);
    expect(error).to.be.instanceOf(LegacyFailure);
    return error.message;
  };

  it('says what is wrong, and writes nothing', async () => {
    expect(await refused(saying(401, '{"message":"Invalid API key"}'))).to.contain('401: Invalid API key');
    expect(await refused(saying(200, '<html>', { 'content-type': 'text/html' }))).to.contain('a page and not JSON');
    expect(await refused(saying(404, 'no'))).to.contain('GET /api/org: the server answered 404: no');
    expect(await refused(saying(200, `"${'x'.repeat(200_000)}"`))).to.contain('larger than 100000 bytes');
    expect(await refused(saying(200, '{"id":"x"}'))).to.contain('the answer is not what this API answers: id');
  });

  it('does not follow to another host with the credential', async () => {
    let others = 0;
    const other = createServer((_, response) => response.end(String(++others)));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api/org`;
    expect(await refused(saying(302, '', { location }))).to.contain('The credential is not sent there');
    other.close();
    expect(others).to.equal(0);
  });
});
