import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { applySets, folder } from '../resource-api/apply-sets.js';
import { addFolder, addPeople, addPerson, addRole, addTeam, bind, FOLDERS, HERE, person } from './people.js';
import { writesOf } from './writes.js';

const EVENTS = '/api/v1/namespaces/default/events';
const BINDINGS = '/apis/iam.svc.app/v1beta1/namespaces/default/rolebindings';

interface Event {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: Readonly<Record<string, string>>;
}

oneStore(
  'events of the server',
  (server) => {
    /** The events about an object, as soon as there are some. */
    const about = async (name: string): Promise<readonly Event[]> => {
      for (let tries = 0; tries < 500; tries++) {
        const query = { fieldSelector: `involvedObject.name=${name}` };
        const { items } = (await server().call('GET', EVENTS, { query })).json() as unknown as {
          items: readonly Event[];
        };
        if (items.length > 0) return items;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`there is no event about ${name}`);
    };

    before(async () => {
      await addPeople(server());
      await addPerson(server(), 'dora', 'Editor');
      await addTeam(server(), 'chiefs');
      await bind(server(), 'chiefs', { subject: ['Team', 'chiefs'], role: ['BuiltIn', 'Admin'] });
      const actions = ['teams:read', 'teams.permissions:read', 'teams.permissions:write'];
      const onTeams = actions.map((action) => ({ action, scope: 'teams:*' }));
      await addRole(server(), 'personnel', [{ action: 'roles:write', scope: 'roles:*' }, ...onTeams]);
      await bind(server(), 'personnel', { subject: ['User', 'dora'], role: ['Role', 'personnel'] });
    });

    it('tell what was deleted together with a folder, and by whom', async () => {
      await addFolder(server(), 'tree');
      await addFolder(server(), 'branch', 'tree');
      await addFolder(server(), 'leaf', 'branch');
      const gone = await server().call('DELETE', `${FOLDERS}/tree`, { user: person('adam') });
      expect(gone.status, gone.text).to.equal(200);
      const events = await about('tree');
      expect(events.map(({ reason, type }) => `${type} ${reason}`)).to.deep.equal(['Normal Deleted']);
      expect(events[0]?.message).to.match(/was deleted by adam.*, with .*2 Folder/);
      expect(events[0]?.involvedObject).to.include({ kind: 'Folder', namespace: 'default', name: 'tree' });
    });

    it('tell who tried to give permissions that they do not have', async () => {
      const spec = { subject: { kind: 'User', name: 'dora' }, roleRef: { kind: 'BuiltIn', name: 'Admin' } };
      const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding', metadata: { name: 'mine' }, spec };
      expect((await server().call('POST', BINDINGS, { user: person('dora'), body })).status).to.equal(403);
      const [event] = await about('mine');
      expect(event).to.include({ type: 'Warning', reason: 'EscalationDenied' });
      expect(event?.message).to.contain('cannot give permissions that they do not have');
    });

    it('tell that a member of an apply set is no longer as it was applied, and since whose write', async () => {
      const { apply } = applySets(server);
      expect((await apply('pages', [folder('page', 'Page')])).status).to.equal(201);
      const renamed = { ...folder('page', 'Changed'), metadata: { name: 'page' } };
      const answer = await server().call('PUT', `${FOLDERS}/page`, { user: person('adam'), body: renamed });
      expect(answer.status, answer.text).to.equal(200);
      const events = await about('pages');
      expect(events.map(({ reason, type }) => `${type} ${reason}`)).to.deep.equal(['Warning Drifted']);
      expect(events[0]?.message).to.match(/^after a write by adam.*: .*default\/page: .*spec\.title/);
      expect(events[0]?.involvedObject).to.include({ kind: 'ApplySet', namespace: 'default', name: 'pages' });
    });

    it('tell it also of roles, and of requests of the legacy API that write several objects', async () => {
      const { create, inLegacy, idOf } = writesOf(server);
      const dora = person('dora');
      const role = await create(dora, 'Role', 'wider', { permissions: [{ action: 'teams:create', scope: '' }] });
      const path = `/teams/${await idOf(`${HERE}/teams/chiefs`)}/members`;
      const members = await inLegacy(dora, 'PUT', path, { admins: ['dora@example.com'] });
      expect([role.status, members.status]).to.deep.equal([403, 403]);
      for (const [name, kind] of [
        ['wider', 'Role'],
        ['chiefs.dora', 'TeamBinding'],
      ] as const) {
        const [event] = await about(name);
        expect(event).to.include({ type: 'Warning', reason: 'EscalationDenied' });
        expect(event?.involvedObject).to.include({ kind, namespace: 'default' });
      }
    });

    it('tell that sign-on settings changed, and none of the settings', async () => {
      const path = '/apis/iam.svc.app/v1beta1/ssosettings';
      const settings = { enabled: false, clientId: 'the-client', clientSecret: 'the-secret' };
      const body = {
        apiVersion: 'iam.svc.app/v1beta1',
        kind: 'SSOSetting',
        metadata: { name: 'github' },
        spec: { settings },
      };
      const created = await server().call('POST', path, { body });
      expect(created.status, created.text).to.equal(201);
      const [event] = await about('github');
      expect(event).to.include({ type: 'Normal', reason: 'SignOnChanged' });
      expect(JSON.stringify(event)).to.not.contain('the-');
    });

    it('are shown to administrators, and not written for a dry run or for what is refused', async () => {
      await addFolder(server(), 'kept');
      const dry = { query: { dryRun: 'All' } };
      expect((await server().call('DELETE', `${FOLDERS}/kept`, dry)).status).to.equal(200);
      expect((await server().call('DELETE', `${FOLDERS}/kept`, { user: person('vera') })).status).to.equal(403);
      await addFolder(server(), 'after');
      expect((await server().call('DELETE', `${FOLDERS}/after`)).status).to.equal(200);
      await about('after');
      const { items } = (await server().call('GET', EVENTS)).json() as unknown as { items: readonly Event[] };
      expect(items.map(({ involvedObject }) => involvedObject['name'])).to.not.include('kept');
      expect((await server().call('GET', EVENTS, { user: person('adam') })).status).to.equal(200);
      expect((await server().call('GET', EVENTS, { user: person('vera') })).status).to.equal(403);
    });
  },
  { recordsEvents: true },
);
