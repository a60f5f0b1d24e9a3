import { expect } from 'chai';
import { ANONYMOUS } from '../../pkg/identity/authn/user.js';
import { expectStatus } from '../harness/resource.js';
import { PUBLIC_SETTINGS } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from './legacy.js';

oneStore('routes of the legacy API without a kind', (server) => {
  const { ask, call, refused } = legacyOf(server);

  it('GET /api/health reports to all callers that the store answers', async () => {
    const health = await ask(200, 'GET', '/health', undefined, { user: ANONYMOUS });
    expect(health).to.deep.equal({ database: 'ok', version: '12.4.0', commit: '' });
  });

  it('GET /api/frontend/settings and /bootdata return version and namespace', async () => {
    const settings = await ask(200, 'GET', '/frontend/settings');
    expect(settings.buildInfo.version).to.equal('12.4.0');
    expect(settings).to.deep.include({
      datasources: {},
      featureToggles: { nestedFolders: true },
      namespace: 'default',
    });
    const boot = await server().call('GET', '/bootdata');
    const user = { theme: '', timezone: '', weekStart: '', language: '', regionalFormat: '' };
    expect(JSON.parse(boot.text)).to.deep.equal({ settings, user });
  });

  // Promise: specification 9
  it('GET /api and /api/v1 return the discovery of the core group', async () => {
    expect(JSON.parse((await call('GET', '')).text)).to.deep.include({ kind: 'APIVersions' });
    expect(JSON.parse((await call('GET', '/')).text)).to.deep.include({ kind: 'APIVersions' });
    expect(JSON.parse((await call('GET', '/v1')).text)).to.deep.include({ kind: 'APIResourceList' });
    const missing = JSON.parse((await call('GET', '/v1/namespaces/nowhere')).text);
    expect(missing).to.deep.include({ kind: 'Status', reason: 'NotFound' });
  });

  it('unknown paths below the versions of the core group answer 404 with a Status', async () => {
    const paths = [
      '/v1/pods',
      '/v1/nodes',
      '/v1/namespaces/default/pods',
      '/v1/endpoints?watch=true',
      '/v1/pods/',
      '/v2',
    ];
    for (const path of [...paths, '/v2/folders', '/v1beta1/pods']) {
      expectStatus(await call('GET', path), 404, 'NotFound', 'the server could not find the requested resource');
    }
    expectStatus(await call('POST', '/v1/pods', { body: {} }), 404, 'NotFound');
    expectStatus(await call('GET', '/v1/pods', { user: null }), 401, 'Unauthorized');
  });

  // Promise: specification 9
  it('other unknown paths answer 404 in the form of the legacy API, also below /api/v1', async () => {
    for (const path of ['/nothing', '/version', '/v', '/v1x/pods', '/v1/provisioning', '/v1/provisioning/nothing'])
      await refused(404, { message: 'Not found' }, 'GET', path);
  });

  it('lists of kinds that this server does not have are empty', async () => {
    const lists = [
      '/datasources',
      '/dashboard/snapshots',
      '/auth/keys',
      '/alert-notifications',
      '/v1/provisioning/contact-points',
    ];
    for (const path of lists) expect(await ask(200, 'GET', path), path).to.deep.equal([]);
    await refused(404, { message: 'Data source not found' }, 'GET', '/datasources/uid/x');
    await refused(404, { message: 'Data source not found' }, 'GET', '/datasources/name/x');
  });

  describe('GET /api/search', () => {
    const uids = (found: Json): readonly string[] => found.map(({ uid }: Json) => uid);

    it('finds folders by a part of their title, and returns their parents', async () => {
      const [outer, inner, mark] = [fresh('outer'), fresh('inner'), fresh('Mark.*')];
      await ask(200, 'POST', '/folders', { uid: outer, title: `${mark} b` });
      await ask(200, 'POST', '/folders', { uid: inner, title: `${mark} a`, parentUid: outer });
      const query = encodeURIComponent(mark.toLowerCase());
      const found = await ask(200, 'GET', `/search?query=${query}`);
      expect(uids(found)).to.deep.equal([inner, outer]);
      expect(found[0]).to.include({
        type: 'dash-folder',
        folderUid: outer,
        folderTitle: `${mark} b`,
        isStarred: false,
      });
      expect(found[0].url).to.match(new RegExp(`^/dashboards/f/${inner}/`));
      expect(uids(await ask(200, 'GET', `/search/?query=${query}&sort=alpha-desc`))).to.deep.equal([outer, inner]);
      expect(uids(await ask(200, 'GET', `/search?folderUIDs=${outer}`))).to.deep.equal([inner]);
      expect(uids(await ask(200, 'GET', `/search?dashboardUIDs=${outer}`))).to.deep.equal([outer]);
      expect(uids(await ask(200, 'GET', `/search?folderUIDs=general&query=${query}`))).to.deep.equal([outer]);
    });

    it('finds each folder that matches both folderUIDs and dashboardUIDs, once', async () => {
      const [outer, inner, other] = [fresh('outer'), fresh('inner'), fresh('other')];
      for (const [uid, parentUid] of [[outer], [inner, outer], [other]])
        await ask(200, 'POST', '/folders', { uid, title: uid, parentUid });
      const within = `folderUIDs=${outer},${outer}&folderUIDs=nowhere`;
      const named = `dashboardUIDs=${inner}&dashboardUIDs=${other},${inner}`;
      expect(uids(await ask(200, 'GET', `/search?${within}`))).to.deep.equal([inner]);
      expect(uids(await ask(200, 'GET', `/search?${named}`))).to.deep.equal([inner, other]);
      expect(uids(await ask(200, 'GET', `/search?${within}&${named}`))).to.deep.equal([inner]);
    });

    it('ignores case and Unicode composition, and finds folders of this organization only', async () => {
      const uid = fresh('letters');
      await ask(200, 'POST', '/folders', { uid, title: 'Zürich\nÜbersicht' });
      for (const query of ['ZÜRICH', 'zu\u0308rich übersicht', 'ÜBER'])
        expect(uids(await ask(200, 'GET', `/search?query=${encodeURIComponent(query)}`)), query).to.deep.equal([uid]);
      const { orgId } = await ask(200, 'POST', '/orgs', { name: fresh('elsewhere') });
      expect(await ask(200, 'GET', `/search?orgId=${orgId}`)).to.deep.equal([]);
    });

    it('searches special characters literally', async () => {
      expect(await ask(200, 'GET', `/search?query=${encodeURIComponent('.*')}&type=dash-folder`)).to.satisfy(
        (found: Json) => found.every(({ title }: Json) => title.includes('.*')),
      );
    });

    it('answers in pages, and is empty after the last page', async () => {
      const all = await ask(200, 'GET', '/search?type=dash-folder');
      expect(uids(await ask(200, 'GET', '/search?limit=1&page=2'))).to.deep.equal(uids(all).slice(1, 2));
      expect(await ask(200, 'GET', `/search?limit=1&page=${all.length + 1}`)).to.deep.equal([]);
    });

    it('finds nothing if other types than folders are requested', async () => {
      for (const query of ['type=dash-db', 'tag=x', 'starred=true'])
        expect(await ask(200, 'GET', `/search?${query}`), query).to.deep.equal([]);
    });
  });

  it('GET /api/admin/settings returns settings without secrets to server administrators', async () => {
    expect(await ask(200, 'GET', '/admin/settings')).to.deep.equal({ plugins: {}, ...PUBLIC_SETTINGS });
    const denied = await ask(403, 'GET', '/admin/settings', undefined, { user: ANONYMOUS });
    expect(denied.message).to.match(/Permissions needed: settings:read$/);
  });

  it('GET /api/admin/audit returns the newest events to server administrators, if they are in a file', async () => {
    expect((await ask(404, 'GET', '/admin/audit')).message).to.equal(
      'The audit log is not written to a file (audit.output)',
    );
    const denied = await ask(403, 'GET', '/admin/audit', undefined, { user: ANONYMOUS });
    expect(denied.message).to.match(/Permissions needed: server.audit:read$/);
  });

  it('GET /api/admin/stats returns counts to server administrators', async () => {
    await ask(200, 'POST', '/folders', { title: 'counted' });
    const stats = await ask(200, 'GET', '/admin/stats');
    expect(stats.orgs).to.be.at.least(1);
    expect(stats.folders).to.be.at.least(1);
    expect(stats).to.include({ dashboards: 0, datasources: 0, snapshots: 0 });
    const denied = await ask(403, 'GET', '/admin/stats', undefined, { user: ANONYMOUS });
    expect(denied.accessErrorId).to.match(/^ACE\d{10}$/);
    expect(denied.title).to.equal('Access denied');
    expect(denied.message).to.equal(
      "You'll need additional permissions to perform this action. Permissions needed: server.stats:read",
    );
  });
});
