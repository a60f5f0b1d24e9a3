import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import {
  actionsOf,
  appliedBy,
  applySets,
  dashboard,
  folder,
  member,
  summary,
  team,
  teamBinding,
  user,
} from './apply-sets.js';

eachStore('an atomic apply', (server) => {
  const { apply, get, put } = applySets(server);

  // Promise: contract 5.4
  it('creates objects of several kinds in any order, in one revision range', async () => {
    const [parent, child, panel, crew, who] = ['p', 'c', 'd', 't', 'u'].map(freshName) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const before = await server().end();
    const answer = await apply(freshName('set'), [
      teamBinding(crew, who),
      dashboard(panel, 'D', child),
      folder(child, `child ${child}`, parent),
      folder(parent, `parent ${parent}`),
      member(who),
      team(crew),
      user(who),
    ]);
    expect(bodyOf(answer, 201)).to.include({ apiVersion: 'apply.svc.app/v1beta1', kind: 'ApplyRequest' });
    const status = appliedBy(answer, 201);
    expect(status.summary).to.deep.equal(summary({ created: 7 }));
    const { resourceVersion } = (await get('folders', child)).json().metadata;
    expect(Number(resourceVersion)).to.be.greaterThan(before).and.at.most(Number(status.resourceVersion));
    expect(Number(status.resourceVersion)).to.equal(await server().end());
  });

  it('of the same objects writes nothing', async () => {
    const name = freshName('set');
    const objects = [folder(freshName(), freshName('title'))];
    bodyOf(await apply(name, objects), 201);
    await changingNothing(server(), async () => {
      expect(appliedBy(await apply(name, objects), 200).summary).to.deep.equal(summary({ unchanged: 1 }));
    });
  });

  // Promise: contract 5.4
  it('changes nothing if one object is wrong, and names it', async () => {
    const [good, bad] = [freshName(), freshName()];
    const objects = [
      folder(good, freshName('title')),
      folder(bad, freshName('title'), 'nowhere'),
      folder(freshName(), 'x'),
    ];
    await changingNothing(server(), async () => {
      expectStatus(await apply(freshName('set'), objects), 400, 'Invalid', `spec.objects[1] (Folder "${bad}")`);
    });
    expectStatus(await get('folders', good), 404, 'NotFound');
  });

  it('shows what differs, field by field', async () => {
    const name = freshName('set');
    const [one, title, next] = [freshName(), freshName('title'), freshName('title')];
    await apply(name, [folder(one, title)]);
    expect(appliedBy(await apply(name, [folder(one, next)]), 200).plan).to.deep.equal([
      {
        apiVersion: 'folder.svc.app/v1beta1',
        kind: 'Folder',
        namespace: 'default',
        name: one,
        action: 'configured',
        diff: [{ path: 'spec.title', from: title, to: next }],
      },
    ]);
  });

  it('prunes the members that a request leaves out, if it asks for it', async () => {
    const name = freshName('set');
    const [one, two] = [folder(freshName(), freshName('title')), folder(freshName(), freshName('title'))];
    await apply(name, [one, two]);
    expect(actionsOf(appliedBy(await apply(name, [one]), 200))).to.deep.equal(['unchanged']);
    const status = appliedBy(await apply(name, [one], { prune: { enabled: true } }), 200);
    expect(actionsOf(status)).to.deep.equal(['unchanged', 'pruned']);
    expectStatus(await get('folders', two.metadata.name), 404, 'NotFound');
  });

  it('keeps a member that lost its label, and objects of the request from being pruned with their container', async () => {
    const name = freshName('set');
    const [box, kept] = [freshName(), freshName()];
    const inside = dashboard(freshName(), 'D', box);
    await apply(name, [folder(box, freshName('title')), folder(kept, freshName('title')), inside]);
    const { metadata, ...rest } = (await get('folders', kept)).json();
    await put('folders', kept, { ...rest, metadata: { ...metadata, labels: {} } });
    expectStatus(await apply(name, [inside], { prune: { enabled: true } }), 409, 'Conflict', 'spec.objects[0]');
    bodyOf(await apply(name, [], { prune: { enabled: true } }), 200);
    expect((await get('folders', kept)).status).to.equal(200);
    expectStatus(await get('folders', box), 404, 'NotFound');
  });

  it('plans all this in a dry run, and writes nothing', async () => {
    const name = freshName('set');
    const [one, two, three] = [1, 2, 3].map(() => folder(freshName(), freshName('title')));
    await apply(name, [one, two]);
    await changingNothing(server(), async () => {
      const status = appliedBy(
        await apply(name, [two, three], { prune: { enabled: true }, query: { dryRun: 'All' } }),
        200,
      );
      expect(actionsOf(status)).to.deep.equal(['unchanged', 'created', 'pruned']);
      expect(status).to.not.have.property('resourceVersion');
    });
  });

  // Promise: contract 5.4
  it('tells all conflicts with other managers at once, and force takes the fields', async () => {
    const name = freshName('set');
    const objects = [1, 2].map(() => folder(freshName(), freshName('title')));
    await apply(name, objects);
    for (const { metadata } of objects) {
      const stored = (await get('folders', metadata.name)).json();
      bodyOf(await put('folders', metadata.name, { ...stored, spec: { title: freshName('other') } }), 200);
    }
    const refused = await changingNothing(server(), () => apply(name, objects));
    const { details } = expectStatus(refused, 409, 'Conflict');
    expect(details.causes?.map(({ field }) => field)).to.deep.equal(['.spec.title', '.spec.title']);
    const planned = appliedBy(await apply(name, objects, { query: { dryRun: 'All' } }), 200);
    expect(planned.summary).to.deep.equal(summary({ conflicts: 2 }));
    const forced = appliedBy(await apply(name, objects, { query: { force: true } }), 200);
    expect(forced.summary).to.deep.equal(summary({ configured: 2 }));
  });

  it('lets objects exchange what must be unique', async () => {
    const name = freshName('set');
    const [one, two] = [freshName(), freshName()];
    await apply(name, [team(one, `a ${one}`), team(two, `b ${one}`)]);
    const answer = await apply(name, [team(one, `b ${one}`), team(two, `a ${one}`)]);
    expect(appliedBy(answer, 200).summary).to.deep.equal(summary({ configured: 2 }));
    const same = await changingNothing(server(), () => apply(name, [team(one, `c ${one}`), team(two, `c ${one}`)]));
    expectStatus(same, 422, 'Invalid', /spec\.objects\[[01]\] \(Team /);
  });
});
