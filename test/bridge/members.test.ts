import { expect } from 'chai';
import { bodyOf } from '../harness/resource.js';
import { eachStore, oneStore } from '../harness/stores.js';
import { bridgeTo } from './harness.js';
import { proxyBefore, saying } from './proxy.js';

const IAM = '/apis/iam.svc.app/v1beta1';
const MEMBERS = `${IAM}/namespaces/default/organizationbindings`;

eachStore('an import of the members of an organization', (target) => {
  const { give, run } = bridgeTo(target);
  const ids = new Map<string, number>();
  const post = async (path: string, kind: string, name: string, spec: object) => {
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind, metadata: { name }, spec };
    bodyOf(await target().call('POST', path, { body }), 201);
  };
  /** The names of the members here. */
  const members = async (): Promise<readonly string[]> => {
    const { items } = bodyOf(await target().call('GET', MEMBERS), 200);
    const names = new Map(
      bodyOf(await target().call('GET', `${IAM}/users`), 200).items.map(({ metadata, spec }) => [
        metadata.name,
        String(spec['login']),
      ]),
    );
    return items.map(({ metadata }) => names.get(metadata.name) ?? metadata.name).sort();
  };

  before(async () => {
    for (const login of ['ann', 'bob', 'cy']) {
      const user = { login, email: `${login}@x.example`, name: login, password: 'secret-pass' };
      ids.set(login, (await give('POST', '/admin/users', user)).id);
    }
    await post(`${IAM}/users`, 'User', 'old', { login: 'old' });
    await post(MEMBERS, 'OrganizationBinding', 'old', { userRef: { name: 'old' }, role: 'Editor' });
  });

  it('removes who has left it there, and nobody else', async () => {
    expect((await run()).out).to.contain('organizationbindings: 3 created');
    expect(await members()).to.deep.equal(['ann', 'bob', 'cy', 'old']);
    await give('DELETE', `/org/users/${ids.get('bob')}`);
    const dry = await run({ isDryRun: true });
    expect(dry.out).to.contain('organizationbindings: 2 same, 1 would be removed');
    expect(await members()).to.include('bob');
    expect((await run({ url: 'https://other.example' })).out).to.not.contain('removed');
    expect((await run()).out).to.contain('organizationbindings: 2 same, 1 removed');
    expect(await members()).to.deep.equal(['ann', 'cy', 'old']);
    expect((await run()).out).to.contain('Nothing differs.');
  });

  it('leaves a member here whom an administrator here has made one', async () => {
    const { items } = bodyOf(await target().call('GET', `${IAM}/users`), 200);
    const bob = items.find(({ spec }) => spec['login'] === 'bob')?.metadata.name ?? '';
    await post(MEMBERS, 'OrganizationBinding', bob, { userRef: { name: bob }, role: 'Viewer' });
    expect((await run()).out).to.not.contain('removed');
    expect(await members()).to.include('bob');
  });
});

oneStore('an import of more organizations than one answer has', (target) => {
  const { give, run, source } = bridgeTo(target);
  const proxy = proxyBefore(() => source().address().port);
  const all: { id: number; name: string }[] = [{ id: 1, name: 'Main Org.' }];

  before(async () => {
    for (const name of ['Two', 'Three', 'Four', 'Five'])
      all.push({ id: (await give('POST', '/orgs', { name })).orgId, name });
    await proxy.open();
  });
  after(() => proxy.close());

  for (const first of [0, 1])
    it(`takes all of them from a server that counts pages from ${first}`, async () => {
      proxy.set((incoming, response) => {
        const url = new URL(incoming.url ?? '', 'http://source');
        if (url.pathname !== '/api/orgs') return undefined;
        const page = Number(url.searchParams.get('page') ?? first) - first;
        return saying(200, JSON.stringify(all.slice(2 * page, 2 * page + 2)))(incoming, response);
      });
      const { out } = await run({ isDryRun: true }, { url: proxy.url() });
      expect(out).to.contain('organizations: 4 would be created, 1 same');
    });

  it('ends with a server that knows no pages', async () => {
    proxy.set((incoming, response) =>
      incoming.url?.startsWith('/api/orgs') === true
        ? saying(200, JSON.stringify(all.slice(0, 2)))(incoming, response)
        : undefined,
    );
    const { out } = await run({ isDryRun: true }, { url: proxy.url() });
    expect(out).to.contain('organizations: 1 would be created, 1 same');
  });
});
