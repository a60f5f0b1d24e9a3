import { expect } from 'chai';
import { jsonOf, requestFor, send } from '../../pkg/http/negotiation/testing.js';
import type { ApiResource } from './resource.js';
import { discoveryRoutes } from './routes.js';

const LAMPS: ApiResource = {
  group: 'house.svc.app',
  version: 'v1beta1',
  kind: 'Lamp',
  resource: 'lamps',
  singular: 'lamp',
  scope: 'Namespaced',
  verbs: ['get', 'list'],
};
const STABLE: ApiResource = { ...LAMPS, version: 'v1', shortNames: ['la'], categories: ['all'] };
const PARTS: ApiResource = { ...LAMPS, resource: 'parts', verbs: [], subresources: [{ name: 'size', verbs: ['get'] }] };
const EVENTS: ApiResource = {
  ...LAMPS,
  group: '',
  version: 'v1',
  kind: 'Event',
  resource: 'events',
  singular: 'event',
};
const ALL = [LAMPS, STABLE, PARTS, EVENTS];

const get = async (path: string, accept?: string): Promise<unknown> =>
  jsonOf(
    await send(
      discoveryRoutes(() => ALL),
      requestFor(path, accept === undefined ? {} : { accept }),
    ),
  );
const refusal = async (path: string, accept: string): Promise<{ code: number; message: string }> =>
  send(
    discoveryRoutes(() => ALL),
    requestFor(path, { accept }),
  ).then(
    () => ({ code: 200, message: '' }),
    (error: { code: number; message: string }) => error,
  );
const kindOf = async (accept: string): Promise<unknown> => ((await get('/apis', accept)) as { kind: string }).kind;
const form = (parameters: string): string => `application/json;${parameters}`;

describe('the resources of a group version', () => {
  it('have short names and categories only if there are some', async () => {
    const lamps = async (version: string) =>
      ((await get(`/apis/house.svc.app/${version}`)) as { resources: readonly object[] }).resources[0];
    const common = { name: 'lamps', singularName: 'lamp', namespaced: true, kind: 'Lamp', verbs: ['get', 'list'] };
    const { storageVersionHash: one, ...beta } = (await lamps('v1beta1')) as { storageVersionHash: string };
    const { storageVersionHash: two, ...stable } = (await lamps('v1')) as { storageVersionHash: string };
    expect(beta).to.deep.equal(common);
    expect(stable).to.deep.equal({ ...common, shortNames: ['la'], categories: ['all'] });
    expect(one).to.not.equal(two);
  });

  it('are only the parts of a resource without verbs', async () => {
    const { resources } = (await get('/apis/house.svc.app/v1beta1')) as { resources: readonly { name: string }[] };
    expect(resources.map(({ name }) => name)).to.deep.equal(['lamps', 'parts/size']);
  });
});

describe('a group with several versions', () => {
  it('prefers the most stable one', async () => {
    expect(await get('/apis/house.svc.app')).to.deep.equal({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'house.svc.app',
      versions: [
        { groupVersion: 'house.svc.app/v1', version: 'v1' },
        { groupVersion: 'house.svc.app/v1beta1', version: 'v1beta1' },
      ],
      preferredVersion: { groupVersion: 'house.svc.app/v1', version: 'v1' },
    });
    const { items } = (await get('/apis', form('g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'))) as {
      items: readonly { versions: readonly { version: string; resources: readonly { resource: string }[] }[] }[];
    };
    const shown = items[0]?.versions.map(({ version, resources }) => [
      version,
      resources.map(({ resource }) => resource),
    ]);
    expect(shown).to.deep.equal([
      ['v1', ['lamps']],
      ['v1beta1', ['lamps', 'parts']],
    ]);
  });

  it('is not the core group, whose versions are under /api', async () => {
    expect(await get('/api')).to.deep.include({ kind: 'APIVersions', versions: ['v1'] });
    const { groups } = (await get('/apis')) as { groups: readonly { name: string }[] };
    expect(groups.map(({ name }) => name)).to.deep.equal(['house.svc.app']);
    expect(await get('/api/v1')).to.deep.include({ groupVersion: 'v1' });
  });
});

describe('the form of discovery', () => {
  it('is aggregated only for clients that name group, version and kind of it', async () => {
    const [list, aggregated] = ['APIGroupList', 'APIGroupDiscoveryList'];
    expect(await kindOf(form('g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'))).to.equal(aggregated);
    expect(await kindOf(form('g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList'))).to.equal(aggregated);
    for (const parameters of [
      'g=other.k8s.io;v=v2;as=APIGroupDiscoveryList',
      'g=apidiscovery.k8s.io;v=v2;as=Table',
      'g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList',
      'v=v2;as=APIGroupDiscoveryList',
    ]) {
      expect(await kindOf(`${form(parameters)},application/json`), parameters).to.equal(list);
      expect((await refusal('/apis', form(parameters))).code, parameters).to.equal(406);
    }
    expect(await kindOf('text/html,application/json')).to.equal(list);
  });

  it('is told to clients that accept none', async () => {
    const all = await refusal('/apis', 'text/html');
    expect(all.message)
      .to.include('application/json')
      .and.include('v=v2;as=APIGroupDiscoveryList')
      .and.include('v=v2beta1');
    const one = await refusal('/apis/house.svc.app', 'text/html');
    expect([
      one.code,
      one.message.includes('application/json'),
      one.message.includes('application/yaml'),
    ]).to.deep.equal([406, true, true]);
    expect((await refusal('/apis/house.svc.app', 'text/html,application/json')).code).to.equal(200);
  });
});
