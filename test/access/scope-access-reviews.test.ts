import { expect } from 'chai';
import { ScopeAccessStatus } from '../../apis/authorization/scope-access-schema.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { ADMIN } from '../harness/server.js';
import { eachStore } from '../harness/stores.js';
import {
  account,
  addAccount,
  addDashboard,
  addFolder,
  addPeople,
  addPerson,
  addRole,
  addTeam,
  addTeamMember,
  bind,
  CALLERS,
  HERE,
  person,
} from './people.js';

const FOLDER = { group: 'folder.svc.app', resource: 'folders' };
const MERGE = { 'content-type': 'application/merge-patch+json' };

eachStore('reviews of who has access to a folder', (server) => {
  before(async () => {
    await addPeople(server());
    await addFolder(server(), 'open');
    await addFolder(server(), 'below', 'open');
    await addFolder(server(), 'shut');
    await addDashboard(server(), 'board', 'below');
    const path = '/apis/folder.svc.app/v1beta1/namespaces/default/folders/shut';
    const body = { metadata: { annotations: { 'svc.app/basic-roles': 'none' } } };
    expect((await server().call('PATCH', path, { body, headers: MERGE })).status).to.equal(200);
    await addPerson(server(), 'tess', 'None');
    await addPerson(server(), 'lola', 'Viewer');
    await addAccount(server(), 'vera', 'Viewer');
    await addTeam(server(), 'crew');
    await addTeamMember(server(), 'crew', 'tess');
    await addTeamMember(server(), 'crew', 'vera');
    await addRole(server(), 'shop-alerts', [{ action: 'alert.rules:read', scope: 'folders:uid:shop' }]);
    await addRole(server(), 'open-alerts', [{ action: 'alert.rules:read', scope: 'folders:uid:open' }]);
    await bind(server(), 'crew-open', { subject: ['Team', 'crew'], role: ['BuiltIn', 'Edit'], folder: 'open' });
    await bind(server(), 'crew-shop', { subject: ['Team', 'crew'], role: ['Role', 'shop-alerts'] });
    await bind(server(), 'tess-open', { subject: ['User', 'tess'], role: ['Role', 'open-alerts'] });
    await bind(server(), 'lola-below', { subject: ['User', 'lola'], role: ['BuiltIn', 'Admin'], folder: 'below' });
  });

  const post = (spec: unknown, user: UserInfo = ADMIN) =>
    server().call('POST', `${HERE}/scopeaccessreviews`, { user, body: { spec } });
  const ask = async (spec: object, user?: UserInfo): Promise<ScopeAccessStatus> => {
    const answer = await post(spec, user);
    expect(answer.status, answer.text).to.equal(201);
    return ScopeAccessStatus.parse(JSON.parse(answer.text).status);
  };
  const short = ({ entries }: ScopeAccessStatus) =>
    entries.map(({ subject, level, binding }) => `${subject.kind}/${subject.name} ${level} ${binding?.name ?? '-'}`);
  const open = { scope: { folder: 'open' } };

  it('list what gives something there, and no role whose scopes give nothing', async () => {
    const status = await ask({ scope: { folder: 'below' } });
    expect(short(status)).to.have.members([
      'BasicRole/Admin Admin -',
      'BasicRole/Editor Edit -',
      'BasicRole/Viewer View -',
      'Team/crew Edit crew-open',
      'User/lola Admin lola-below',
      'User/tess open-alerts tess-open',
    ]);
    expect(status.entries.find(({ subject }) => subject.kind === 'Team')).to.deep.include({
      title: 'Team crew',
      people: 2,
      placeTitle: 'open',
    });
    expect(short(await ask({ scope: { folder: 'shut' } }))).to.deep.equal(['BasicRole/Admin Admin -']);
    expect(short(await ask({ scope: { dashboard: 'board' } }))).to.include('Team/crew Edit crew-open');
  });

  it('tell what somebody has by all ways together, and by which', async () => {
    const vera = await ask({ ...open, subject: { kind: 'User', name: 'vera' } });
    expect([vera.level, short(vera)]).to.deep.equal(['Edit', ['Team/crew Edit crew-open', 'BasicRole/Viewer View -']]);
    const nobody = await ask({ scope: { folder: 'shut' }, subject: { kind: 'User', name: 'vera' } });
    expect([nobody.level, nobody.entries, nobody.refusal]).to.deep.equal(['', [], 'private']);
    const team = await ask({ ...open, subject: { kind: 'Team', name: 'crew' }, people: true });
    expect(team.people?.map(({ subject, level }) => `${subject.name} ${level}`)).to.have.members([
      'tess Edit',
      'vera Edit',
    ]);
  });

  it('name as many people as they count: accounts apart, who is disabled left out, with who administers the server', async () => {
    await addAccount(server(), 'editing', 'Editor');
    for (const [name, more] of [
      ['gone', { disabled: true }],
      ['root', { grafanaAdmin: true }],
    ] as const) {
      await addPerson(server(), name, 'Editor');
      const path = `/apis/iam.svc.app/v1beta1/users/${name}`;
      expect((await server().call('PATCH', path, { body: { spec: more }, headers: MERGE })).status).to.equal(200);
    }
    const role = { kind: 'BasicRole', name: 'Editor' };
    const { entries } = await ask(open);
    const row = entries.find(({ subject }) => subject.kind === role.kind && subject.name === role.name);
    const { people = [] } = await ask({ ...open, subject: role, people: true });
    const users = people.filter(({ subject }) => subject.kind === 'User');
    expect(users.map(({ subject }) => subject.name)).to.have.members(['edith', 'root']);
    expect([row?.people, row?.accounts]).to.deep.equal([2, 1]);
    const gone = await ask({ ...open, subject: { kind: 'User', name: 'gone' } });
    expect([gone.level, gone.refusal]).to.deep.equal(['', 'disabled']);
    expect(people.find(({ subject }) => subject.name === 'root')).to.deep.include({ serverAdministrator: true });
  });

  it('agree with the reviews of who may do something', async () => {
    const levels = { View: 'get', Edit: 'delete' };
    for (const folder of ['open', 'below', 'shut'])
      for (const [level, verb] of Object.entries(levels)) {
        const spec = { resourceAttributes: { ...FOLDER, verb, name: folder } };
        const { text } = await server().call('POST', `${HERE}/resourceaccessreviews`, { body: { spec } });
        const allowed = new Set(JSON.parse(text).status.subjects.map(({ name }: { readonly name: string }) => name));
        for (const name of ['adam', 'edith', 'vera', 'norm', 'tess', 'lola']) {
          const { level: has = '' } = await ask({ scope: { folder }, subject: { kind: 'User', name } });
          const included = level === 'View' ? /View|Edit|Admin/ : /Edit|Admin/;
          expect(included.test(has), `${name} ${verb} ${folder}`).to.equal(allowed.has(name));
        }
      }
  });

  // Promise: security rights
  it('are for who may read the permissions, and about others for administrators of the organization', async () => {
    const about = { ...open, subject: { kind: 'User', name: 'tess' } };
    const self = { ...open, subject: { kind: 'User', name: 'vera' } };
    expect((await post(open, person('adam'))).status).to.equal(201);
    expect((await post(about, person('adam'))).status).to.equal(201);
    expect((await post({ scope: { folder: 'below' } }, person('lola'))).status, 'an Admin of the folder').to.equal(201);
    expect(short(await ask({ scope: { folder: 'below' } }, person('lola')))).not.to.include('Team/crew Edit crew-open');
    expect((await post(about, person('lola'))).status).to.equal(403);
    expect((await post(open, person('vera'))).status).to.equal(403);
    expect((await post(self, person('vera'))).status).to.equal(201);
    expect((await post(self, account('vera'))).status, 'a service account with the uid of a user').to.equal(403);
    const shut = { ...self, scope: { folder: 'shut' } };
    const hidden = await post(shut, person('vera'));
    const missing = await post({ ...shut, scope: { folder: 'nope' } }, person('vera'));
    expect([hidden.status, missing.status], 'a hidden one is like a missing one').to.deep.equal([404, 404]);
    for (const user of [CALLERS['outsider'], CALLERS['anonymous']])
      expect((await post(open, user)).status).to.be.oneOf([401, 403, 404]);
    for (const scope of [{}, { folder: 'open', dashboard: 'board' }])
      expect((await post({ scope })).status).to.equal(422);
  });
});
