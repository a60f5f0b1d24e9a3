import { expect } from 'chai';
import { Client } from '../../registry/client/client.js';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

oneStore('the filters of lists in the legacy API', (server) => {
  const { ask, call } = legacyOf(server);
  const { person } = peopleOf(server);

  it('of users find those who called in the last 30 days', async () => {
    const [active, quiet] = [await person({ prefix: 'active' }), await person({ prefix: 'active' })];
    const { registry } = server().api;
    const user = { name: 'system:test', uid: '', groups: ['system:masters'], extra: {} };
    const times = new Client(registry, { user }).objects(registry.compiled.get('internal/LastSeen'));
    const daysAgo = (days: number) => new Date(server().clock.now() - days * 86_400_000).toISOString();
    await times.create({ metadata: { name: active.uid }, spec: { at: daysAgo(29) } });
    await times.create({ metadata: { name: quiet.uid }, spec: { at: daysAgo(31) } });
    const never = await person({ prefix: 'active' });
    const found = async (query: string): Promise<readonly string[]> =>
      (await ask(200, 'GET', `/users/search?query=active&${query}`)).users.map(({ login }: Json) => login);
    for (const all of ['', 'activeLast30Days=false'])
      expect(await found(all)).to.have.members([active.login, quiet.login, never.login]);
    expect(await found('activeLast30Days=true')).to.deep.equal([active.login]);
    expect((await ask(200, 'GET', '/users/search?activeLast30Days=true&perpage=1')).totalCount).to.equal(1);
    const listed = await ask(200, 'GET', '/users?query=active&activeLast30Days=true&sort=login-desc');
    expect(listed.map(({ login }: Json) => login)).to.deep.equal([active.login]);
  });

  it('of service accounts find those that are disabled, and those with expired tokens', async () => {
    const mark = fresh('Filtered');
    const made = async (name: string, more: object = {}): Promise<number> =>
      (await ask(201, 'POST', '/serviceaccounts', { name: `${mark} ${name}`, role: 'Viewer', ...more })).id;
    const [, expired] = [await made('off', { isDisabled: true }), await made('old'), await made('new')];
    await ask(200, 'POST', `/serviceaccounts/${expired}/tokens`, { name: fresh('token'), secondsToLive: 1 });
    server().clock.advance(2000);
    const found = async (query: string): Promise<readonly string[]> => {
      const path = `/serviceaccounts/search?query=${mark}&${query}`;
      const { serviceAccounts, totalCount } = await ask(200, 'GET', path);
      expect(totalCount).to.equal(serviceAccounts.length);
      return serviceAccounts.map(({ name }: Json) => name.slice(mark.length + 1));
    };
    for (const [query, names] of [
      ['', ['new', 'off', 'old']],
      ['disabled=false&expiredTokens=false', ['new', 'off', 'old']],
      ['disabled=true', ['off']],
      ['Disabled=true', ['off']],
      ['expiredTokens=true', ['old']],
      ['disabled=true&expiredTokens=true', []],
    ] as const)
      expect(await found(query), query).to.deep.equal(names);
  });

  it('of members have a limit', async () => {
    for (let count = 0; count < 3; count++) await person();
    for (const path of ['/org/users', '/orgs/1/users', '/org/users/lookup'])
      expect(await ask(200, 'GET', `${path}?limit=2`), path).to.have.length(2);
  });

  it('of alert rules and annotations find those of a dashboard, a type or a rule', async () => {
    const [folderUID, board] = [(await ask(200, 'POST', '/folders', { title: fresh('Folder') })).uid, fresh('board')];
    const rule = {
      ruleGroup: 'group',
      folderUID,
      condition: 'A',
      data: [{ refId: 'A', datasourceUid: '__expr__', model: {} }],
      noDataState: 'OK',
      execErrState: 'OK',
      for: '1m',
    };
    const annotations = { __dashboardUid__: board, __panelId__: '7' };
    await ask(201, 'POST', '/v1/provisioning/alert-rules', { ...rule, title: 'with', annotations });
    const { uid } = await ask(201, 'POST', '/v1/provisioning/alert-rules', { ...rule, title: 'without' });
    const titles = async (query: string): Promise<readonly string[]> => {
      const path = `/prometheus/grafana/api/v1/rules?folder_uid=${folderUID}&${query}`;
      const { data } = await ask(200, 'GET', path);
      return data.groups.flatMap(({ rules }: Json) => rules.map(({ name }: Json) => name)).sort();
    };
    for (const [query, expected] of [
      ['', ['with', 'without']],
      [`dashboard_uid=${board}`, ['with']],
      [`dashboard_uid=${board}&panel_id=8`, []],
      ['rule_name=without', ['without']],
      ['type=alert', ['with', 'without']],
      ['type=record', []],
      ['state=firing', []],
      ['state=firing&state=inactive', ['with', 'without']],
      ['health=error', []],
    ] as const)
      expect(await titles(query), query).to.deep.equal(expected);
    expect(await titles('limit_rules=1')).to.have.length(1);
    const ruler = await ask(200, 'GET', `/ruler/grafana/api/v1/rules?dashboard_uid=${board}`);
    expect(JSON.stringify(ruler)).to.include('"with"').and.not.include('"without"');
    await ask(200, 'POST', '/annotations', { text: 'none of a rule' });
    expect(await ask(200, 'GET', `/annotations?alertUID=${uid}`)).to.deep.equal([]);
    expect(await ask(200, 'GET', '/annotations?alertUID=none')).to.deep.equal([]);
  });

  // Promise: specification 4.11
  it('are understood in another case, as existing clients write them', async () => {
    const mark = fresh('Cased');
    for (const name of ['a', 'b', 'c']) await ask(200, 'POST', '/teams', { name: `${mark} ${name}` });
    const { teams, perPage } = await ask(200, 'GET', `/teams/search?query=${mark}&perPage=2`);
    expect([teams.length, perPage]).to.deep.equal([2, 2]);
    const { uid } = await ask(200, 'POST', '/folders', { title: mark });
    const child = await ask(200, 'POST', '/folders', { title: fresh('Child'), parentUid: uid });
    expect((await ask(200, 'GET', `/folders?parentuid=${uid}`)).map((one: Json) => one.uid)).to.deep.equal([child.uid]);
    const board = await ask(200, 'POST', '/dashboards/db', { dashboard: { title: mark }, folderUid: uid });
    await ask(200, 'POST', '/annotations', { text: mark, dashboardUID: board.uid, tags: [mark] });
    await ask(200, 'POST', '/annotations', { text: 'elsewhere', tags: [mark] });
    for (const query of [`dashboardID=${board.id}`, `dashboardUid=${board.uid}`]) {
      const found = await ask(200, 'GET', `/annotations?TAGS=${mark}&${query}`);
      expect(
        found.map(({ text }: Json) => text),
        query,
      ).to.deep.equal([mark]);
    }
    expect((await call('GET', '/folders?OrgID=99')).status).to.equal((await call('GET', '/folders?orgId=99')).status);
  });

  // Promise: specification 4.11
  it('that are unknown, and values that cannot be read, are refused', async () => {
    const { uid } = await ask(200, 'POST', '/folders', { title: fresh('Folder') });
    for (const [path, said] of [
      ['/search?type=nonsense', 'type must be dash-db or dash-folder'],
      ['/library-elements?kind=panel', 'kind must be a whole number'],
      ['/search?sort=nonsense', 'sort must be alpha-asc or alpha-desc'],
      ['/search?permission=Nonsense', 'permission must be View or Edit'],
      ['/search?limit=many', 'limit must be a whole number'],
      ['/search?folderIds=x', 'folderIds must be numbers'],
      ['/search?dashboardIds=x', 'dashboardIds must be numbers'],
      ['/search?starred=maybe', 'starred must be true or false'],
      ['/search?deleted=true', 'deleted: this search does not find deleted dashboards'],
      ['/search?folderUid=x', 'unknown query parameter "folderUid"'],
      ['/folders?permission=nonsense', 'permission must be View or Edit'],
      ['/folders?parentUid=x&parentuid=y', 'unknown query parameter "parentuid"'],
      ['/users/search?active=true', 'unknown query parameter "active"'],
      ['/users/search?activeLast30Days=x', 'activeLast30Days must be true or false'],
      ['/users?page=x', 'page must be a whole number'],
      ['/serviceaccounts/search?expired=true', 'unknown query parameter "expired"'],
      ['/teams/search?member=x', 'unknown query parameter "member"'],
      ['/orgs?login=x', 'unknown query parameter "login"'],
      ['/access-control/roles?delegatable=true', 'unknown query parameter "delegatable"'],
      ['/access-control/roles?includeHidden=x', 'includeHidden must be true or false'],
      ['/access-control/users/1/roles?includeHidden=x', 'includeHidden must be true or false'],
      ['/library-elements?folderUid=x', 'unknown query parameter "folderUid"'],
      ['/query-history?user=x', 'unknown query parameter "user"'],
      ['/annotations?dashboard=x', 'unknown query parameter "dashboard"'],
      ['/prometheus/grafana/api/v1/rules?state=nonsense', 'state must be '],
      ['/prometheus/grafana/api/v1/rules?panel_id=1', 'panel_id must be set with dashboard_uid'],
      ['/prometheus/grafana/api/v1/rules?matcher=x', 'unknown query parameter "matcher"'],
      ['/v1/provisioning/alert-rules?folderUid=x', 'unknown query parameter "folderUid"'],
    ] as const) {
      const { message } = await ask(400, 'GET', path);
      expect(message, path).to.include(said);
    }
    const { message } = await ask(400, 'DELETE', `/folders/${uid}?dryRun=true`);
    expect(message).to.include('unknown query parameter "dryRun": there are forceDeleteRules');
    expect((await ask(200, 'GET', `/folders/${uid}`)).uid).to.equal(uid);
    expect((await call('GET', '/health?probe=1')).status).to.equal(200);
  });

  // Promise: specification 4.11
  it('have a limit, and a larger one is warned of', async () => {
    const warningOf = async (path: string): Promise<string> => `${(await call('GET', path)).headers['warning']}`;
    for (const [path, most] of [
      ['/search', 5000],
      ['/annotations', 10_000],
      ['/annotations/tags', 10_000],
    ] as const) {
      expect(await warningOf(`${path}?limit=${most}`), path).to.equal('undefined');
      expect(await warningOf(`${path}?limit=${most + 1}`), path).to.include(`an answer has at most ${most}`);
    }
  });
});
