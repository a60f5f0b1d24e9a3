import { expect } from 'chai';
import { garbageWorld, type Made } from '../garbage/world.js';
import { accepted, bodyOf, expectStatus, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { iam, until } from '../identity/iam.js';
import { DEFINITIONS, type Defined, define } from './definition.js';

eachStore('custom objects as owners and owned', (server) => {
  const world = garbageWorld(server);
  let reports: Defined;
  let gauges: Defined;

  before(async () => {
    reports = await define(server, { words: {} });
    gauges = await define(server, {
      plural: 'gauges',
      kind: 'Gauge',
      group: 'other.example.com',
      scope: 'Cluster',
      words: {},
    });
  });

  const made = async (of: Defined, owners: readonly Made[] = [], metadata: object = {}): Promise<Made> => {
    const name = freshName();
    const ownerReferences = owners.map(({ reference }) => reference);
    const body = bodyOf(
      await of.objects.create(of.object(name, { title: name }, { ownerReferences, ...metadata })),
      201,
    );
    const { apiVersion, kind } = body;
    return { path: of.objects.path(name), reference: { apiVersion, kind, name, uid: body.metadata.uid ?? '' } };
  };

  it('go with a folder that owns them, and folders go with them', async () => {
    const folder = await world.folder();
    const owned = await made(reports, [folder]);
    await world.remove(folder);
    await world.gone(owned);
    const owner = await made(reports);
    const other = await world.folder({ owners: [owner.reference] });
    await world.remove(owner);
    await world.gone(other);
  });

  it('go with objects of another custom kind, also of the cluster', async () => {
    const owner = await made(gauges);
    const owned = await made(reports, [owner]);
    const last = await made(reports, [owned]);
    await world.remove(owner);
    await world.gone(owned, last);
  });

  it('hold their owner in a foreground deletion, and stay when they are orphaned', async () => {
    const owner = await made(reports);
    const held = await world.folder({
      owners: [{ ...owner.reference, blockOwnerDeletion: true }],
      finalizers: ['example.com/hold'],
    });
    await world.remove(owner, 'Foreground');
    await world.terminating(owner);
    await world.terminating(held);
    await world.merge(held.path, { finalizers: null });
    await world.gone(held, owner);
    const second = await made(reports);
    const orphan = await world.folder({ owners: [second.reference] });
    await world.remove(second, 'Orphan');
    await world.gone(second);
    expect(await world.read(orphan.path)).to.not.have.property('ownerReferences');
  });

  it('take what they own with them when their definition goes', async () => {
    const fleeting = await define(server, { plural: 'fleetings', kind: 'Fleeting', words: {} });
    const owner = await made(fleeting);
    const folder = await world.folder({ owners: [owner.reference] });
    const report = await made(reports, [owner]);
    accepted(await server().call('DELETE', `${DEFINITIONS}/${fleeting.definition.metadata.name}`), 200);
    await world.gone(folder, report);
    await until(async () => (await fleeting.objects.list()).status === 404);
  });

  it('go with their namespace', async () => {
    const people = iam(server);
    const name = freshName('org');
    await people.made('Organization', name, { title: name });
    const namespaced = reports.objects.path().replace('/default/', `/${name}/`);
    const body = reports.object('there', { title: 'There' }, { finalizers: ['example.com/hold'] });
    bodyOf(await server().call('POST', namespaced, { body }), 201);
    bodyOf(await server().call('POST', namespaced, { body: reports.object('free') }), 201);
    accepted(await people.remove('Organization', name), 200);
    await until(async () => (await server().call('GET', `${namespaced}/free`)).status === 404);
    const late = await server().call('POST', namespaced, { body: reports.object('late') });
    expectStatus(late, 403, 'Forbidden');
    const headers = { 'content-type': 'application/merge-patch+json' };
    bodyOf(
      await server().call('PATCH', `${namespaced}/there`, { headers, body: { metadata: { finalizers: null } } }),
      200,
    );
    await until(async () => (await people.get('Organization', name)).status === 404);
    expect(server().api.registry.reader.count('reports.example.com', name)).to.equal(0);
  });
});
