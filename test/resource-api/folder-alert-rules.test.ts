import { expect } from 'chai';
import { changingNothing, expectStatus, freshName, type Resource, resourceOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { legacyOf } from '../legacy-api/legacy.js';
import { type Folders, foldersOf } from './folders.js';
import { rulesOn } from './rules.js';

const REFUSED = 'folder cannot be deleted: folder contains alert rules';

/** A folder with a subfolder and a dashboard, and a rule in the subfolder. */
interface Tree {
  readonly top: string;
  readonly all: readonly (readonly [Resource, string])[];
}

oneStore('a folder with alert rules', (server) => {
  const folders: Folders = foldersOf(server);
  const rules = rulesOn(server);
  const dashboards = resourceOf(server, {
    apiVersion: 'dashboard.svc.app/v1beta1',
    resource: 'dashboards',
    scope: 'Namespaced',
  });
  const { ask, call } = legacyOf(server);

  const tree = async (): Promise<Tree> => {
    const [top, below, panel] = [freshName('top'), freshName('below'), freshName('panel')];
    await folders.make(top);
    await folders.make(below, { parent: top });
    const metadata = { name: panel, annotations: { 'svc.app/folder': top } };
    const apiVersion = 'dashboard.svc.app/v1beta1';
    expect(
      (await dashboards.create({ apiVersion, kind: 'Dashboard', metadata, spec: { title: panel } })).status,
    ).to.equal(201);
    const rule = await rules.add(below);
    const all = [
      [folders, top],
      [folders, below],
      [dashboards, panel],
      [rules.resource, rule],
    ] as const;
    return { top, all };
  };
  /** The number of transactions during the work. Each is one commit. */
  const transactionsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const { writer } = server().api.registry;
    const { transact } = writer;
    let count = 0;
    writer.transact = (...input: Parameters<typeof transact>) => {
      count++;
      return transact.apply(writer, input) as never;
    };
    await work().finally(() => {
      writer.transact = transact;
    });
    return count;
  };
  const expectAll = async ({ all }: Tree, status: number): Promise<void> => {
    for (const [resource, name] of all) expect((await resource.get(name)).status, name).to.equal(status);
  };

  // Promise: specification 2.10, specification 4.1, specification 4.2, specification 7
  it('is not deleted without forceDeleteRules, or with false, wherever in the tree the rules are', async () => {
    const one = await tree();
    for (const query of [{}, { forceDeleteRules: false }]) {
      const answer = await changingNothing(server(), () => folders.remove(one.top, { query }));
      expectStatus(answer, 400, 'BadRequest', REFUSED);
      const legacy = await changingNothing(server(), () => call('DELETE', `/folders/${one.top}`, { query }));
      expect([legacy.status, legacy.text]).to.deep.equal([400, JSON.stringify({ message: REFUSED })]);
    }
    await expectAll(one, 200);
  });

  // Promise: specification 1, specification 3, specification 4.1, specification 4.2
  it('is deleted with forceDeleteRules=true, in one commit with all that lies in it', async () => {
    for (const remove of [
      (name: string) => folders.remove(name, { query: { forceDeleteRules: true } }),
      (name: string) => call('DELETE', `/folders/${name}?forceDeleteRules=true`),
    ]) {
      const one = await tree();
      expect(await transactionsOf(async () => expect((await remove(one.top)).status).to.equal(200))).to.equal(1);
      await expectAll(one, 404);
    }
  });

  // Promise: specification 4.1
  it('refuses other values of forceDeleteRules', async () => {
    const one = await tree();
    for (const forceDeleteRules of ['perhaps', '2']) {
      expectStatus(await folders.remove(one.top, { query: { forceDeleteRules } }), 400, 'BadRequest');
      const answer = await ask(400, 'DELETE', `/folders/${one.top}?forceDeleteRules=${forceDeleteRules}`);
      expect(answer.message).to.equal('forceDeleteRules must be true or false');
    }
    await expectAll(one, 200);
  });

  it('is counted with its rules by GET /api/folders/:uid/counts', async () => {
    const { top } = await tree();
    const counts = await ask(200, 'GET', `/folders/${top}/counts`);
    expect(counts).to.deep.equal({ folder: 1, dashboard: 1, alertrule: 1, library_elements: 0 });
  });

  it('is deleted without the parameter after its rules', async () => {
    const one = await tree();
    const [[, rule] = []] = one.all.slice(-1);
    expect((await rules.resource.remove(rule ?? '')).status).to.equal(200);
    expect((await folders.remove(one.top)).status).to.equal(200);
    await expectAll(one, 404);
  });

  it('is deleted with other folders of a collection only with forceDeleteRules=true', async () => {
    const one = await tree();
    const query = { fieldSelector: `metadata.name=${one.top}` };
    expectStatus(await folders.removeAll({ query }), 400, 'BadRequest', REFUSED);
    await expectAll(one, 200);
    expect((await folders.removeAll({ query: { ...query, forceDeleteRules: true } })).status).to.equal(200);
    await expectAll(one, 404);
  });

  it('whose rules a finalizer holds goes when the last one is removed', async () => {
    const { top, all } = await tree();
    const [[, rule = ''] = []] = all.slice(-1);
    await rules.resource.merge(rule, { metadata: { finalizers: ['example.com/hold'] } });
    await folders.remove(top, { query: { forceDeleteRules: true } });
    // The rules are terminating already, so a second request needs no consent.
    expect((await folders.remove(top)).status).to.equal(200);
    expect((await folders.read(top)).metadata.deletionTimestamp).to.be.a('string');
    await rules.resource.merge(rule, { metadata: { finalizers: [] } });
    await expectAll({ top, all }, 404);
  });

  it('does not hold the organization that is deleted', async () => {
    const { orgId } = await ask(200, 'POST', '/orgs', { name: freshName('Ending') });
    const headers = { 'x-grafana-org-id': String(orgId) };
    const { uid } = await ask(200, 'POST', '/folders', { title: 'Ending' }, { headers });
    const rule = { title: 'Rule', ruleGroup: 'g', folderUID: uid, condition: 'A', data: [{ refId: 'A' }] };
    await ask(201, 'POST', '/v1/provisioning/alert-rules', rule, { headers });
    await ask(200, 'DELETE', `/orgs/${orgId}`);
    const path = `/apis/iam.svc.app/v1beta1/organizations/org-${orgId}`;
    for (let tries = 0; (await server().call('GET', path)).status !== 404; tries++) {
      expect(tries, 'the organization is still there').to.be.below(400);
      await new Promise((done) => setTimeout(done, 25));
    }
  });
});
