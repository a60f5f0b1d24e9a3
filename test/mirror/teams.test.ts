import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { inOneCommit } from './manifests.js';
import { memberIn, memberThere, type Reader, readerThere, visible } from './reader.js';
import { inFolder, oneStore, PRIVATE, thereAt, type World } from './world.js';

const IAM = 'iam.svc.app/v1beta1';
const team = (name: string, title: string, more = {}): object => ({
  apiVersion: IAM,
  kind: 'Team',
  metadata: { name },
  spec: { title, ...more },
});
const member = (name: string, user: string, permission = 'member'): object => ({
  apiVersion: IAM,
  kind: 'TeamBinding',
  metadata: { name: `${name}.${user}` },
  spec: { teamRef: { name }, userRef: { name: user }, permission },
});
const bound = (name: string, folder: string, level = 'View'): object => ({
  apiVersion: IAM,
  kind: 'RoleBinding',
  metadata: { name: `${folder}.${name}` },
  spec: { subject: { kind: 'Team', name }, roleRef: { kind: 'BuiltIn', name: level }, scope: { folder } },
});
const folder = (name: string, title: string, annotations = {}): object => ({
  apiVersion: 'folder.svc.app/v1beta1',
  kind: 'Folder',
  metadata: { name, annotations },
  spec: { title },
});
const dashboard = (name: string, title: string, annotations = {}): object => ({
  apiVersion: 'dashboard.svc.app/v1beta1',
  kind: 'Dashboard',
  metadata: { name, annotations },
  spec: { title },
});

interface TeamThere {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly members: readonly string[];
  readonly groups: readonly string[];
}

/** The teams of the other server by name. */
async function teamsThere(world: World): Promise<Readonly<Record<string, TeamThere>>> {
  const { body } = await thereAt(world, '/api/teams/search');
  const found: Record<string, TeamThere> = {};
  for (const { id, name, email } of (body as { teams: { id: number; name: string; email: string }[] }).teams) {
    const members = (await thereAt(world, `/api/teams/${id}/members`)).body as { login: string; permission: number }[];
    const groups = (await thereAt(world, `/api/teams/${id}/groups`)).body as { groupId: string }[];
    found[name] = {
      id,
      name,
      email,
      members: members.map(({ login, permission }) => `${login} ${permission}`).sort(),
      groups: groups.map(({ groupId }) => groupId).sort(),
    };
  }
  return found;
}

async function listOf(world: World, folder: string): Promise<readonly string[]> {
  const { body } = await thereAt(world, `/api/folders/${folder}/permissions`);
  return (body as { team?: string; permission: number }[]).flatMap(({ team, permission }) =>
    team ? [`${team} ${permission}`] : [],
  );
}

oneStore('teams of a mirror', (world) => {
  let vera: UserInfo;
  let reader: Reader;
  before(async () => {
    for (const login of ['vera', 'xaver', 'yann']) await memberIn(world().here, login, 'Viewer');
    vera = await memberThere(world(), 'vera', 'Viewer');
    await memberThere(world(), 'xaver', 'Viewer');
    reader = readerThere(world(), vera);
    world().atEnd.push(() => reader.stop());
    await inOneCommit(world(), 'a', [
      team('ops', 'Ops', { email: 'ops@example.com', groups: ['cn=ops'] }),
      member('ops', 'xaver', 'admin'),
      member('ops', 'yann'),
      folder('vault', 'HIDDEN vault', PRIVATE),
      dashboard('v1', 'HIDDEN v1', inFolder('vault')),
      bound('ops', 'vault', 'Edit'),
    ]);
    await world().mirror('site', { teams: true, preferences: true });
    await world().arrived('site');
  });
  beforeEach(() => {
    world().proxy.requests.length = 0;
    world().proxy.fault = () => undefined;
    reader.seen();
  });
  afterEach(() => {
    expect(world().proxy.wrong).to.deep.equal([]);
    expect([...reader.seen()].join('\n')).not.to.include('HIDDEN');
  });

  it('are there with members, groups and what they may, and who is not there is named', async () => {
    const { objects, warnings } = await world().status('site');
    expect(objects[0]).to.deep.equal({ kind: 'Team', count: 1 });
    const { Ops } = await teamsThere(world());
    expect(Ops).to.include({ email: 'ops@example.com' });
    expect([Ops?.members, Ops?.groups]).to.deep.equal([['xaver 4'], ['cn=ops']]);
    expect(await listOf(world(), 'vault')).to.deep.equal(['Ops 2']);
    expect(warnings).to.deep.equal([{ kind: 'Team', name: 'ops', reason: 'not there: user yann' }]);
    expect((await thereAt(world(), '/api/org/users')).body).to.have.length(2);
  });

  it('get a new name, and members with another permission', async () => {
    await inOneCommit(world(), 'a', [team('ops', 'Operations'), member('ops', 'xaver')]);
    await world().arrived('site');
    const teams = await teamsThere(world());
    expect(Object.keys(teams)).to.deep.equal(['Operations']);
    expect([teams['Operations']?.members, teams['Operations']?.groups]).to.deep.equal([['xaver 0'], []]);
    expect(await listOf(world(), 'vault')).to.deep.equal(['Operations 2']);
  });

  it('lose members before they get something', async () => {
    await inOneCommit(world(), 'b', [team('guests', 'Guests'), member('guests', 'vera')]);
    await world().arrived('site');
    expect((await teamsThere(world()))['Guests']?.members).to.deep.equal(['vera 0']);
    reader.seen();
    await inOneCommit(world(), 'b', [team('guests', 'Guests'), bound('guests', 'vault')], true);
    await world().arrived('site');
    expect(await listOf(world(), 'vault')).to.include('Guests 1');
  });

  it('get members after they have lost something', async () => {
    // So long, a member would see what the team must not see any more.
    world().proxy.fault = ({ route, path }) =>
      route === 'POST /api/folders/:uid/permissions' && path.includes('vault') ? { delay: 500 } : undefined;
    const lobby = [folder('lobby', 'Lobby', PRIVATE), bound('guests', 'lobby')];
    await inOneCommit(world(), 'b', [team('guests', 'Guests'), member('guests', 'vera'), ...lobby], true);
    await world().arrived('site');
    expect(await visible(reader)).to.include('Lobby');
    expect((await teamsThere(world()))['Guests']?.members).to.deep.equal(['vera 0']);
  });

  it('get members only when what was secret in their folders has gone out of them', async () => {
    await inOneCommit(world(), 'c', [team('club', 'Club'), bound('club', 'den'), folder('den', 'Den', PRIVATE)]);
    await inOneCommit(world(), 'c', [dashboard('memo', 'HIDDEN memo', inFolder('den'))]);
    await world().arrived('site');
    world().proxy.fault = ({ route }) => (route === 'POST /api/dashboards/db' ? { status: 400 } : undefined);
    await inOneCommit(world(), 'c', [member('club', 'vera'), dashboard('memo', 'HIDDEN memo', inFolder('vault'))]);
    await world().until('site', ({ failed }) => failed === 1);
    expect((await teamsThere(world()))['Club']?.members).to.deep.equal([]);
    world().proxy.fault = () => undefined;
    await world().arrived('site');
    expect((await teamsThere(world()))['Club']?.members).to.deep.equal(['vera 0']);
  });

  it('are in no list as long as somebody could not be taken out of them', async () => {
    world().proxy.fault = ({ route }) => (route === 'DELETE /api/teams/:id/members/:id' ? { status: 403 } : undefined);
    const kept = [
      team('club', 'Club'),
      folder('den', 'Den', PRIVATE),
      dashboard('memo', 'HIDDEN memo', inFolder('vault')),
    ];
    await inOneCommit(world(), 'c', [...kept, bound('club', 'den'), bound('club', 'vault')], true);
    const { errors } = await world().until('site', ({ failed }) => failed === 1);
    expect(errors[0]).to.include({ kind: 'Team', name: 'club' });
    expect(await listOf(world(), 'vault')).not.to.include('Club 1');
    world().proxy.fault = () => undefined;
    await world().arrived('site');
    expect(await listOf(world(), 'vault')).to.include('Club 1');
  });

  it('that others have made are left alone, or adopted without those who are not in them here', async () => {
    const made = await world().there.call('POST', '/api/teams', { body: { name: 'Theirs' } });
    const { teamId } = made.json() as unknown as { readonly teamId: number };
    const users = (await thereAt(world(), '/api/org/users')).body as { login: string; userId: number }[];
    const userId = users.find(({ login }) => login === 'vera')?.userId;
    await world().there.call('POST', `/api/teams/${teamId}/members`, { body: { userId } });
    await inOneCommit(world(), 'g', [team('ours', 'Theirs'), member('ours', 'xaver')]);
    expect((await world().arrived('site')).kept).to.equal(1);
    expect((await teamsThere(world()))['Theirs']?.members).to.deep.equal(['vera 0']);
    await world().mirror('site', { teams: true, preferences: true, existing: 'Adopt' });
    await world().arrived('site');
    expect((await teamsThere(world()))['Theirs']?.members).to.deep.equal(['xaver 0']);
    await world().remove('team', 'ours');
    await world().remove('team', 'club');
    await world().arrived('site');
    expect(Object.keys(await teamsThere(world())))
      .to.include('Theirs')
      .and.not.to.include('Club');
  });

  it('have their preferences there, and the organization has its own, with the home dashboards', async () => {
    await world().put('dashboard', 'home', { title: 'Home' });
    await world().put('preferences', 'namespace', { theme: 'dark', homeDashboardUID: 'home', weekStart: 'monday' });
    await world().put('preferences', 'team-ops', { timezone: 'utc' });
    await world().arrived('site');
    const organization = async () => (await thereAt(world(), '/api/org/preferences')).body;
    expect(await organization()).to.include({ theme: 'dark', homeDashboardUID: 'home', weekStart: 'monday' });
    const { id } = (await teamsThere(world()))['Operations'] ?? {};
    expect((await thereAt(world(), `/api/teams/${id}/preferences`)).body).to.deep.equal({ timezone: 'utc' });
    world().proxy.requests.length = 0;
    await world().put('preferences', 'namespace', { theme: 'light' });
    await world().arrived('site');
    expect(await organization()).to.deep.equal({ theme: 'light' });
    await world().remove('preferences', 'namespace');
    await world().arrived('site');
    expect(await organization()).to.deep.equal({});
  });

  it('have no members there who are disabled here, and neither has a list', async () => {
    const subject = { kind: 'User', name: 'vera' };
    await world().put('binding', 'lobby.vera', {
      subject,
      roleRef: { kind: 'BuiltIn', name: 'Edit' },
      scope: { folder: 'lobby' },
    });
    await world().arrived('site');
    const users = `/apis/${IAM}/users/vera`;
    const patch = async (disabled: boolean): Promise<void> => {
      const headers = { 'content-type': 'application/merge-patch+json' };
      const answer = await world().here.call('PATCH', users, { body: { spec: { disabled } }, headers });
      expect(answer.status).to.equal(200);
      await world().arrived('site');
    };
    const level = async (): Promise<number | undefined> => {
      const { body } = await thereAt(world(), '/api/folders/lobby/permissions');
      const list = body as readonly { readonly userLogin?: string; readonly permission: number }[];
      return list.find(({ userLogin }) => userLogin === 'vera')?.permission;
    };
    expect(await level()).to.equal(2);
    await patch(true);
    expect([(await teamsThere(world()))['Guests']?.members, await level()]).to.deep.equal([[], undefined]);
    await patch(false);
    expect([(await teamsThere(world()))['Guests']?.members, await level()]).to.deep.equal([['vera 0'], 2]);
  });

  it('get many members, some at a time', async () => {
    const logins = Array.from({ length: 66 }, (_, i) => `many${i}`);
    for (const login of logins) {
      await memberIn(world().here, login, 'Viewer');
      await memberThere(world(), login, 'Viewer');
    }
    // Who is there is read again.
    await world().here.restart();
    await inOneCommit(world(), 'h', [team('many', 'Many'), ...logins.map((login) => member('many', login))]);
    await world().arrived('site');
    expect((await teamsThere(world()))['Many']?.members).to.have.length(66);
  });

  it('of other folders stay here, with their preferences', async () => {
    await world().mirror('second', { folders: { names: ['lobby'] }, teams: true, existing: 'Adopt', delete: false });
    const { objects } = await world().arrived('second');
    expect(objects.find(({ kind }) => kind === 'Team')?.count).to.equal(1);
    await world().put('binding', 'lobby.ops', {
      subject: { kind: 'Team', name: 'ops' },
      roleRef: { kind: 'BuiltIn', name: 'View' },
      scope: { folder: 'lobby' },
    });
    const later = await world().arrived('second');
    expect(later.objects.find(({ kind }) => kind === 'Team')?.count).to.equal(2);
    await world().remove('mirror', 'second');
  });

  it('are not sent again after a restart here, and come back if somebody deletes one there', async () => {
    await world().here.restart();
    world().proxy.requests.length = 0;
    await world().put('folder', 'after', { title: 'After' });
    await world().arrived('site');
    const writes = world().proxy.requests.filter(
      ({ method, path }) => method !== 'GET' && path.startsWith('/api/teams'),
    );
    expect(writes).to.deep.equal([]);
    const { id } = (await teamsThere(world()))['Guests'] ?? {};
    await world().there.call('DELETE', `/api/teams/${id}`);
    await world().here.restart();
    await world().put('folder', 'after', { title: 'After all' });
    await world().arrived('site');
    expect((await teamsThere(world()))['Guests']?.members).to.deep.equal(['vera 0']);
    expect(await listOf(world(), 'lobby')).to.include('Guests 1');
  });
});
