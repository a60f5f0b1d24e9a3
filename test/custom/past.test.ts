import { expect } from 'chai';
import { namesOf } from '../access/people.js';
import { bodyOf, expectStatus } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { TRASH, worldOf } from '../history/past.js';
import { until } from '../identity/iam.js';
import { DEFINITIONS, type Defined, define, redefine } from './definition.js';

eachStore('the past of custom objects', (server) => {
  const { versions, restore } = worldOf(server);
  let reports: Defined;

  before(async () => {
    reports = await define(server);
  });

  const made = async (name: string) => {
    bodyOf(await reports.objects.create(reports.object(name)), 201);
    bodyOf(await reports.objects.merge(name, { spec: { note: 'second' } }), 200);
    bodyOf(await reports.objects.subresource('status').merge(name, { status: { phase: 'Ready' } }), 200);
    return bodyOf(await reports.objects.merge(name, { spec: { note: 'third' } }), 200);
  };

  it('has a version for each change, which can be restored', async () => {
    await made('one');
    const all = await versions(reports.objects, 'one');
    expect(all.map(({ version, isCurrent }) => [version, isCurrent])).to.deep.equal([
      [3, true],
      [2, false],
      [1, false],
    ]);
    bodyOf(await restore(reports.objects, 'one', 2), 201);
    expect(bodyOf(await reports.objects.get('one'), 200).spec).to.deep.equal({ title: 'one', note: 'second' });
  });

  it('has the deleted objects, which come back with their history', async () => {
    await made('two');
    bodyOf(await reports.objects.remove('two'), 200);
    expect(await namesOf(reports.objects.list({ query: TRASH }))).to.include('two');
    bodyOf(await restore(reports.objects, 'two'), 201);
    expect(bodyOf(await reports.objects.get('two'), 200).spec).to.deep.equal({ title: 'two', note: 'third' });
    expect((await versions(reports.objects, 'two')).length).to.be.at.least(3);
  });

  it('cannot bring back what the schema refuses now', async () => {
    await made('three');
    bodyOf(await reports.objects.remove('three'), 200);
    const schema = (required: readonly string[]) => {
      const [version] = reports.definition.spec.versions;
      const { openAPIV3Schema } = version?.schema ?? { openAPIV3Schema: {} };
      const properties = openAPIV3Schema['properties'] as Record<string, object>;
      const spec = { ...properties['spec'], required };
      return { ...version, schema: { openAPIV3Schema: { ...openAPIV3Schema, properties: { ...properties, spec } } } };
    };
    await redefine(server, reports.definition, { spec: { versions: [schema(['title', 'color'])] } });
    expectStatus(await restore(reports.objects, 'three'), 409, 'Conflict', 'spec.color: Required value');
    await redefine(server, reports.definition, { spec: { versions: [schema(['title'])] } });
    bodyOf(await restore(reports.objects, 'three'), 201);
  });

  it('is gone with the definition: a new one of the same name begins without it', async () => {
    await made('four');
    await made('five');
    bodyOf(await reports.objects.remove('five'), 200);
    bodyOf(await server().call('DELETE', `${DEFINITIONS}/reports.example.com`), 200);
    await until(async () => (await server().call('GET', `${DEFINITIONS}/reports.example.com`)).status === 404);
    expect((await reports.objects.list()).status).to.equal(404);
    reports = await define(server);
    expect(await namesOf(reports.objects.list())).to.deep.equal([]);
    expect(await namesOf(reports.objects.list({ query: TRASH }))).to.deep.equal([]);
    for (const name of ['four', 'five']) expectStatus(await restore(reports.objects, name), 404, 'NotFound');
  });
});
