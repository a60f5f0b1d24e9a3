import { expect } from 'chai';
import type { Body } from '../harness/body.js';
import { bodyOf, expectStatus, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';

const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
const MERGE = { 'content-type': 'application/merge-patch+json' };

eachStore('the list of the versions of an object', (server) => {
  const versions = async (name: string, query: object = {}) => {
    const labelSelector = 'svc.app/get-history=true';
    const fieldSelector = `metadata.name=${name}`;
    return server().call('GET', DASHBOARDS, { query: { labelSelector, fieldSelector, ...query } });
  };

  const make = async (titles: readonly [string, ...string[]]): Promise<string> => {
    const [name, [first, ...more]] = [freshName(), titles];
    const body = {
      apiVersion: 'dashboard.svc.app/v1beta1',
      kind: 'Dashboard',
      metadata: { name },
      spec: { title: `${first} ${name}` },
    };
    bodyOf(await server().call('POST', DASHBOARDS, { body }), 201);
    for (const title of more)
      bodyOf(
        await server().call('PATCH', `${DASHBOARDS}/${name}`, {
          body: { spec: { title: `${title} ${name}` } },
          headers: MERGE,
        }),
        200,
      );
    return name;
  };
  const titles = (items: readonly Body[]) => items.map(({ spec }) => (spec as { title: string }).title.split(' ')[0]);

  it('has each version as a whole object, the newest first', async () => {
    const name = await make(['one', 'two', 'three']);
    const answer = await versions(name);
    const { items, kind } = answer.json() as unknown as { items: readonly Body[]; kind: string };
    expect([answer.status, kind]).to.deep.equal([200, 'DashboardList']);
    expect(titles(items)).to.deep.equal(['three', 'two', 'one']);
    expect(items.map(({ metadata }) => [metadata.name, metadata.generation])).to.deep.equal([
      [name, 3],
      [name, 2],
      [name, 1],
    ]);
  });

  it('comes in pages', async () => {
    const name = await make(['one', 'two', 'three']);
    const found: (string | undefined)[] = [];
    let token: string | undefined = '';
    do {
      const page = (await versions(name, { limit: 2, ...(token && { continue: token }) })).json() as unknown as {
        items: readonly Body[];
        metadata: { continue?: string };
      };
      found.push(...titles(page.items));
      token = page.metadata.continue;
    } while (token);
    expect(found).to.deep.equal(['three', 'two', 'one']);
  });

  it('needs the name of the object, and no other selector', async () => {
    for (const query of [{ fieldSelector: '' }, { labelSelector: 'svc.app/get-history=true,a=b' }])
      expectStatus(await versions('any', query), 400, 'BadRequest', 'the history is that of one object');
    expectStatus(await versions(await make(['one']), { watch: true }), 400, 'BadRequest', 'cannot be watched');
  });

  it('is read by those who may read the object', async () => {
    const name = await make(['one']);
    const nobody = { name: 'nobody', uid: 'nobody', groups: [], extra: {} };
    const { status } = await server().call('GET', DASHBOARDS, {
      user: nobody,
      query: { labelSelector: 'svc.app/get-history=true', fieldSelector: `metadata.name=${name}` },
    });
    expect(status).to.equal(403);
  });
});
