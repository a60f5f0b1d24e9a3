import { join } from 'node:path';
import { expect } from 'chai';
import { restore } from '../../cmd/adminctl/store/restore.js';
import { openServer, type Server } from '../harness/server.js';
import { LASTING, openAt, places, quiet, settingsOf } from '../tools/fixture.js';

/**
 * Was written by the first version with `adminctl backup`: some objects of each kind, from both APIs. Never write it
 * again.
 */
const FIXTURE = join(import.meta.dirname, 'version-1.gz');

for (const store of LASTING) {
  describe(`data of version 1 (${store})`, function () {
    this.timeout(60_000);
    const { fresh } = places();
    let server: Server;

    before(async () => {
      const place = fresh(store);
      await restore({ file: FIXTURE, settings: settingsOf(place), force: false, advance: 0 }, quiet());
      server = await openServer(await openAt(place));
    });
    after(() => server.close());

    const get = async (path: string) => (await server.call('GET', path)).json() as unknown as Record<string, never>;

    it('is served by this version, with names, ids and resourceVersions', async () => {
      expect(await get('/api/folders/nested')).to.include({ id: 2, title: 'Nested', parentUid: 'ops' });
      expect(await get('/api/dashboards/uid/cpu')).to.have.nested.property('dashboard.title', 'CPU load');
      expect(await get('/api/users/lookup?loginOrEmail=ada')).to.include({ id: 2, login: 'ada' });
      expect(await get('/api/teams/1')).to.include({ name: 'Operators', memberCount: 2 });
      expect(await get('/api/serviceaccounts/3/tokens')).to.have.nested.property('[0].name', 'deploys');
      expect(await get('/api/annotations?tags=deploy')).to.have.length(2);
      expect(await get('/api/library-elements/panel')).to.have.nested.property('result.name', 'A panel');
      expect(await get('/apis/folder.svc.app/v1beta1/namespaces/default/folders/ops')).to.have.nested.property(
        'metadata.resourceVersion',
      );
    });

    it('can be written, and new objects get the next ids', async () => {
      const made = await server.call('POST', '/api/teams', { body: { name: 'Second' } });
      expect(made.json()).to.include({ teamId: 2 });
      const moved = await server.call('POST', '/api/folders/nested/move', { body: { parentUid: '' } });
      expect(moved.status, moved.text).to.equal(200);
      expect((await server.call('DELETE', '/api/dashboards/uid/cpu')).status).to.equal(200);
    });
  });
}
