import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { actionsOf, appliedBy, applySets, folder, summary } from './apply-sets.js';

const ANNOTATIONS = '/apis/annotation.svc.app/v1beta1/namespaces/default/annotations';

eachStore('an atomic apply that prunes', (server) => {
  const { apply, get, set } = applySets(server);
  const labelled = (name: string, app: string) => {
    const one = folder(name, freshName('title'));
    return { ...one, metadata: { ...one.metadata, labels: { app } } };
  };

  it('deletes what its selector selects, if the same manager has applied it', async () => {
    const [app, manager] = [freshName('app'), freshName('manager')];
    const [kept, applied, made] = [1, 2, 3].map(() => labelled(freshName(), app));
    const query = { fieldManager: manager };
    await apply(freshName('set'), [kept, applied], { query });
    const path = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
    bodyOf(await server().call('POST', path, { body: made }), 201);
    const name = freshName('set');
    const prune = { enabled: true, selector: `app=${app}` };
    const status = appliedBy(await apply(name, [kept], { query: { ...query, force: true }, prune }), 201);
    expect(actionsOf(status)).to.deep.equal(['configured', 'pruned']);
    expectStatus(await get('folders', applied?.metadata.name ?? ''), 404, 'NotFound');
    expect((await get('folders', made?.metadata.name ?? '')).status).to.equal(200);
    const all = { enabled: true, selector: '' };
    await changingNothing(server(), async () => {
      expectStatus(await apply(name, [], { query, prune: all }), 400, 'BadRequest', 'an empty selector');
    });
  });

  it('also deletes members of kinds with many objects', async () => {
    const [name, one] = [freshName('set'), freshName()];
    const note = {
      apiVersion: 'annotation.svc.app/v1beta1',
      kind: 'Annotation',
      metadata: { name: one },
      spec: { time: 1_700_000_000_000, text: 'deployed' },
    };
    expect(appliedBy(await apply(name, [note]), 201).summary).to.deep.equal(summary({ created: 1 }));
    expect(appliedBy(await apply(name, [note]), 200).summary).to.deep.equal(summary({ unchanged: 1 }));
    const { summary: counts } = appliedBy(await apply(name, [], { prune: { enabled: true } }), 200);
    expect(counts).to.deep.equal(summary({ pruned: 1 }));
    expectStatus(await server().call('GET', `${ANNOTATIONS}/${one}`), 404, 'NotFound');
    expect(bodyOf(await set(name), 200).status).to.include({ members: 0 });
  });

  it('shows no secret in its plan', async () => {
    const setting = {
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'SSOSetting',
      metadata: { name: 'gitlab' },
      spec: { settings: { clientId: 'client', clientSecret: 'very secret' } },
    };
    const name = freshName('set');
    for (const clientSecret of ['very secret', 'another secret']) {
      const objects = [{ ...setting, spec: { settings: { clientId: 'client', clientSecret } } }];
      const answer = await apply(name, objects);
      expect(answer.status, answer.text).to.be.lessThan(300);
      expect(answer.text).to.not.include(clientSecret);
    }
    expect((await set(name, '/members')).text).to.not.include('secret"');
  });
});
