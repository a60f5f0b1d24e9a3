import { expect } from 'chai';
import { gitOps } from '../gitops/harness.js';
import { accepted, bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { until } from '../identity/iam.js';
import { actionsOf, appliedBy, applySets, folder, summary } from '../resource-api/apply-sets.js';
import { DEFINITIONS, type Defined, define, definitionOf, resourceOfDefinition, versionOf } from './definition.js';

oneStore('sets with custom objects', (server) => {
  const sets = applySets(server);
  const git = gitOps(server);
  let reports: Defined;

  before(async () => {
    reports = await define(server);
  });

  const inFolder = (name: string, parent: string, spec: object = { title: name }) =>
    reports.object(name, spec as never, { annotations: { 'svc.app/folder': parent } });

  it('are exported and synced only if they are named, and the definitions that only show built-in kinds never are', async () => {
    const name = freshName('r');
    bodyOf(await reports.objects.create(reports.object(name)), 201);
    await git.export();
    expect(Object.keys(await git.files()).filter((file) => /reports|customresource/.test(file))).to.deep.equal([]);
    await git.export({ kinds: ['reports'] });
    expect(Object.keys(await git.files())).to.include(`reports/${name}.yaml`);
    expect((await changingNothing(server(), () => git.sync({ check: true }))).code).to.equal(0);
    const ran = await git.export({ kinds: ['customresourcedefinitions'] });
    expect(ran.code).to.equal(0);
    const files = Object.keys(await git.files()).filter((file) => file.startsWith('customresourcedefinitions/'));
    expect(files).to.deep.equal(['customresourcedefinitions/reports.example.com.yaml']);
  });

  it('apply them at once with their folder, in whatever order, and prune them', async () => {
    const [set, parent, one, two] = [freshName('set'), freshName('f'), freshName('r'), freshName('r')];
    const all = [inFolder(one, parent), inFolder(two, parent), folder(parent, parent)];
    const made = appliedBy(await sets.apply(set, all), 201);
    expect(made.summary).to.deep.equal(summary({ created: 3 }));
    expect(actionsOf(made)).to.deep.equal(['created', 'created', 'created']);
    await changingNothing(server(), () => sets.apply(set, all));
    const less = appliedBy(await sets.apply(set, [all[0], all[2]], { prune: { enabled: true } }), 200);
    expect(less.summary).to.deep.equal(summary({ unchanged: 2, pruned: 1 }));
    expectStatus(await reports.objects.get(two), 404, 'NotFound');
  });

  it('take objects in a version that is not stored', async () => {
    const versions = [versionOf('v1'), { ...versionOf('v2'), storage: false }];
    const { definition, objects } = await define(server, { plural: 'twins', kind: 'Twin', versions });
    const other = resourceOfDefinition(server, definition, 'v2');
    const [set, name] = [freshName('set'), freshName('p')];
    const all = [other.object(name, { title: 'a', size: 1 })];
    expect(appliedBy(await sets.apply(set, all), 201).summary).to.deep.equal(summary({ created: 1 }));
    expect(bodyOf(await objects.get(name), 200)['spec']).to.deep.equal({ title: 'a', size: 1 });
    await changingNothing(server(), () => sets.apply(set, all));
    const changed = appliedBy(await sets.apply(set, [other.object(name, { title: 'b' })]), 200);
    expect(changed.summary).to.deep.equal(summary({ configured: 1 }));
    expect(bodyOf(await objects.get(name), 200)['spec']).to.deep.equal({ title: 'b' });
  });

  it('are refused as a whole if one object breaks the schema', async () => {
    const [set, good, bad] = [freshName('set'), freshName('r'), freshName('r')];
    const all = [reports.object(good), reports.object(bad, { title: '' })];
    const answer = await changingNothing(server(), () => sets.apply(set, all));
    expect(answer.status).to.equal(422);
    expect(answer.text).to.include('spec.title');
    expectStatus(await reports.objects.get(good), 404, 'NotFound');
  });

  it('of definitions are deleted as collections without those that only show built-in kinds', async () => {
    accepted(
      await server().call('POST', DEFINITIONS, { body: definitionOf({ plural: 'brief', kind: 'Brief', words: {} }) }),
      201,
    );
    const query = { fieldSelector: 'metadata.name=brief.example.com' };
    accepted(await server().call('DELETE', DEFINITIONS, { query }), 200);
    await until(async () => (await server().call('GET', `${DEFINITIONS}/brief.example.com`)).status === 404);
    accepted(await server().call('GET', `${DEFINITIONS}/folders.folder.svc.app`), 200);
  });

  it('with a definition and its objects need two syncs: the definition first', async () => {
    const definition = definitionOf({ plural: 'pairs', kind: 'Pair', words: {} });
    const pairs = resourceOfDefinition(server, definition);
    const both = [pairs.object('one'), definition];
    const together = await changingNothing(server(), () => sets.apply('pairs', both));
    expectStatus(together, 400, 'BadRequest', 'no matches for kind "Pair"');
    expect(appliedBy(await sets.apply('pairs', [definition]), 201).summary).to.deep.include({ created: 1 });
    expect(appliedBy(await sets.apply('pairs', both), 201).summary).to.deep.include({ created: 1, unchanged: 1 });
  });
});
