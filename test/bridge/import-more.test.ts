import { expect } from 'chai';
import { eachStore } from '../harness/stores.js';
import { bridgeTo } from './harness.js';

const QUERY = { refId: 'A', datasourceUid: 'p', relativeTimeRange: { from: 600, to: 0 }, model: { expr: 'up' } };

eachStore('adminctl import --from takes everything else, too:', (target) => {
  const { give, run, back, source } = bridgeTo(target);
  const legacy = async (server: typeof target, path: string) => {
    const answer = await server().call('GET', `/api${path}`);
    return JSON.parse(answer.text);
  };
  const sameIn = async (path: string) =>
    expect(await legacy(target, path), path).to.deep.equal(await legacy(source, path));

  before(async () => {
    await give('POST', '/folders', { uid: 'f', title: 'F' });
    for (const title of ['one', 'two', 'three'])
      await give('POST', '/dashboards/db', {
        dashboard: { uid: 'd', title },
        folderUid: 'f',
        overwrite: true,
        message: `named ${title}`,
      });
    const rule = {
      condition: 'A',
      data: [QUERY],
      noDataState: 'OK',
      execErrState: 'Error',
      for: '5m',
      labels: { a: 'b' },
    };
    const rules = ['r1', 'r2'].map((uid) => ({ ...rule, uid, title: uid }));
    await give('PUT', '/v1/provisioning/folder/f/rule-groups/g', { interval: 120, rules });
    await give('POST', '/v1/provisioning/alert-rules', {
      ...rule,
      uid: 'r3',
      title: 'r3',
      folderUID: 'f',
      ruleGroup: 'h',
    });
    const { id } = await give('POST', '/annotations', { text: 'deploy', time: 1_700_000_000_000, tags: ['x'] });
    expect(id).to.be.greaterThan(0);
    await give('POST', '/annotations', {
      dashboardUID: 'd',
      panelId: 2,
      text: 'region',
      time: 1_600_000_000_000,
      timeEnd: 1_700_000_000_001,
      data: { a: 1 },
    });
    const many = Array.from({ length: 60 }, (_, i) => i);
    await Promise.all(
      many.map((i) => give('POST', '/annotations', { text: `n${i}`, time: 1_700_000_000_000 + i * 7 })),
    );
    await give('POST', '/admin/users', { login: 'ann', email: 'ann@x.example', name: 'Ann', password: 'secret-pass' });
    const { teamId } = await give('POST', '/teams', { name: 'Ops' });
    await give('PUT', `/teams/${teamId}/preferences`, { theme: 'dark' });
    await give('PUT', '/org/preferences', { homeDashboardUID: 'd', timezone: 'utc' });
    const [{ id: userId }] = (await give('GET', '/users')).filter((user: { login: string }) => user.login === 'ann');
    const permissions = [{ action: 'folders:read', scope: 'folders:uid:f' }];
    await give('POST', '/access-control/roles', { uid: 'reader', name: 'custom:reader', version: 1, permissions });
    await give('PUT', '/access-control/roles/reader/assignments', { users: [userId], teams: [teamId] });
    await give('POST', '/orgs', { name: 'Second' });
  });

  it('says so before, and finds nothing to do after', async () => {
    const dry = await run({ isDryRun: true });
    expect(dry.out).to.contain('alertrules: 3 would be created').and.contain('annotations: 62 would be created');
    const { out, code } = await run({ hasHistory: true, page: 20 });
    expect(out).to.contain('annotations: 62 created').and.contain('versions of dashboards: 1 created, 1 changed');
    expect(out).to.contain('organizations: 1 created, 1 same').and.not.contain('skipped');
    expect(code).to.equal(0);
    expect((await run({ isDryRun: true, hasHistory: true })).out).to.contain('Nothing differs.');
  });

  it('what is here answers as what is there', async () => {
    for (const path of [
      '/v1/provisioning/alert-rules',
      '/v1/provisioning/folder/f/rule-groups/g',
      '/annotations?limit=10000',
      '/org/preferences',
      '/teams/1/preferences',
      '/access-control/roles/reader',
      '/access-control/roles/reader/assignments',
      '/orgs',
    ])
      await sameIn(path);
  });

  it('has the history of a dashboard with authors, times and messages', async () => {
    await sameIn('/dashboards/uid/d/versions');
    await sameIn('/dashboards/uid/d/versions/1');
  });

  it('finds nothing to bring back', async () => {
    const { out } = await back({ isDryRun: true, trustsPeople: true });
    expect(out).to.contain('Nothing differs.').and.contain('annotations: 62 same');
  });

  it('takes a role away from who does not have it any more', async () => {
    await give('PUT', '/access-control/roles/reader/assignments', { users: [], teams: [1] });
    expect((await run()).out).to.contain('1 removed');
    await sameIn('/access-control/roles/reader/assignments');
  });

  it('tells what has no kind here', async () => {
    expect((await run({ isDryRun: true })).out).to.contain('note: preferences and stars of people');
  });
});
