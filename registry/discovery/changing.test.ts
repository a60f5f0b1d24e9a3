import { expect } from 'chai';
import { jsonOf, requestFor, send } from '../../pkg/http/negotiation/testing.js';
import type { ApiResource } from './resource.js';
import { discoveryRoutes } from './routes.js';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const LAMPS: ApiResource = {
  group: 'light.example.com',
  version: 'v1',
  kind: 'Lamp',
  resource: 'lamps',
  singular: 'lamp',
  scope: 'Namespaced',
  verbs: ['get', 'list'],
};
const BULBS: ApiResource = { ...LAMPS, kind: 'Bulb', resource: 'bulbs', singular: 'bulb' };
const JOBS: ApiResource = { ...LAMPS, group: 'job.example.com', kind: 'Job', resource: 'jobs', singular: 'job' };

/** A list that is changed by the test, and how often each resource was looked at for a body. */
function changing(...first: readonly ApiResource[]) {
  let list = first;
  const routes = discoveryRoutes(() => list);
  return { routes, set: (...next: readonly ApiResource[]) => (list = next) };
}

/** A resource of which is counted how often a body is made with it. */
function counted(resource: ApiResource): { readonly resource: ApiResource; readonly count: () => number } {
  let count = 0;
  const own = {
    ...resource,
    get shortNames() {
      count++;
      return [];
    },
  };
  return { resource: own, count: () => count };
}

const namesIn = (body: unknown): readonly string[] =>
  (body as { groups: readonly { name: string }[] }).groups.map(({ name }) => name);

describe('discovery of resources that change', () => {
  it('shows what is there now, in every form', async () => {
    const { routes, set } = changing(LAMPS);
    const read = async (path: string, accept = 'application/json') =>
      jsonOf(await send(routes, requestFor(path, { accept })));
    const sizes = async () => {
      const { resources } = (await read('/apis/light.example.com/v1')) as { resources: readonly unknown[] };
      const { items } = (await read('/apis', AGGREGATED)) as { items: readonly unknown[] };
      return [namesIn(await read('/apis')).length, resources.length, items.length];
    };
    expect(await sizes()).to.deep.equal([1, 1, 1]);
    set(LAMPS, BULBS, JOBS);
    expect(await sizes()).to.deep.equal([2, 2, 2]);
    expect(routes.paths()).to.include.members(['/apis/job.example.com', '/apis/job.example.com/v1']);
    set(JOBS);
    expect(namesIn(await read('/apis'))).to.deep.equal(['job.example.com']);
    for (const path of ['/apis/light.example.com', '/apis/light.example.com/v1']) {
      expect(routes.find(path)).to.equal(undefined);
    }
  });

  it('changes its tag only if it says something else', async () => {
    const { routes, set } = changing(LAMPS);
    const tag = async () => (await send(routes, requestFor('/apis', { accept: AGGREGATED }))).headers['etag'];
    const first = await tag();
    set(LAMPS, JOBS);
    expect(await tag()).to.not.equal(first);
    set({ ...LAMPS });
    expect(await tag()).to.equal(first);
  });

  it('makes each body when it is asked for, and again only if its resources changed', async () => {
    const [lamps, jobs] = [counted(LAMPS), counted(JOBS)];
    const { routes, set } = changing(lamps.resource);
    expect(routes.paths()).to.have.length(4);
    expect(lamps.count()).to.equal(0);
    const read = () => send(routes, requestFor('/apis/light.example.com/v1'));
    await read();
    await read();
    set(lamps.resource, jobs.resource);
    await read();
    expect([lamps.count(), jobs.count()]).to.deep.equal([1, 0]);
    set({ ...lamps.resource }, jobs.resource);
    await read();
    expect(lamps.count()).to.equal(2);
  });

  it('encodes all groups once for each change', async () => {
    const lamps = counted(LAMPS);
    const { routes, set } = changing(lamps.resource);
    const read = () => send(routes, requestFor('/apis', { accept: AGGREGATED }));
    await read();
    await read();
    expect(lamps.count()).to.equal(1);
    set(lamps.resource, JOBS);
    await read();
    await read();
    expect(lamps.count()).to.equal(2);
  });

  it('does not look at the resources for the paths of objects', () => {
    let reads = 0;
    const routes = discoveryRoutes(() => {
      reads++;
      return [LAMPS];
    });
    expect(routes.find('/apis/light.example.com/v1/lamps')).to.equal(undefined);
    expect(routes.find('/apis/light.example.com/v1/namespaces/a/lamps/b')).to.equal(undefined);
    expect(reads).to.equal(0);
  });
});
