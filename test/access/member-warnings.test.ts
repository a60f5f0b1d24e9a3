import { expect } from 'chai';
import { accessWarning } from '../../pkg/console/client/pages/folders/actions/access-warnings.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { warningsIn } from '../../pkg/system/text/warning-header.js';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import {
  ADMINISTRATOR,
  addAccount,
  addFolder,
  addPeople,
  addPerson,
  addRole,
  addTeam,
  addTeamMember,
  bind,
  FOLDERS,
  HERE,
  PRIVATE,
} from './people.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const ORGANIZATION = 'the organization "default"';
const inside = (folder: string): string => `the folder "${folder}" and what lies in it`;

// Promise: security rights
oneStore('the answer to a write of members, teams and roles', (server) => {
  before(() => addPeople(server()));
  const write = async (
    method: string,
    path: string,
    body?: unknown,
    options: { dry?: boolean; user?: UserInfo } = {},
  ) => {
    const { dry = false, user = ADMIN } = options;
    const answer = await server().call(method, `${HERE}/${path}`, {
      user,
      ...(body !== undefined && { body }),
      ...(method === 'PATCH' && { headers: MERGE }),
      query: dry ? { dryRun: 'All' } : {},
    });
    expect(answer.status, answer.text).to.be.within(200, 201);
    const texts = [answer.headers['warning'] ?? []].flat().flatMap((line) => warningsIn(line).map(({ text }) => text));
    for (const text of texts) if (text.startsWith('these ')) expect(accessWarning(text)?.isCut, text).to.equal(false);
    return texts;
  };
  const both = async (method: string, path: string, body: unknown, expected: readonly string[]) => {
    expect(await write(method, path, body, { dry: true }), 'a dry run').to.deep.equal(expected);
    expect(await write(method, path, body)).to.deep.equal(expected);
  };
  const member = (name: string, role: string) => ({
    apiVersion: 'iam.svc.app/v1beta1',
    kind: 'OrganizationBinding',
    metadata: { name },
    spec: { userRef: { name }, role },
  });
  const teamMember = (team: string, user: string) => ({
    apiVersion: 'iam.svc.app/v1beta1',
    kind: 'TeamBinding',
    metadata: { name: `${team}.${user}` },
    spec: { teamRef: { name: team }, userRef: { name: user }, permission: 'member' },
  });
  let count = 0;
  const fresh = (what: string): string => `${what}${++count}`;

  it('names who has another role in the organization, and who leaves it', async () => {
    const zoe = fresh('zoe');
    await addPerson(server(), zoe, 'Viewer');
    const named = `User/${zoe} "${zoe}@here"`;
    const path = `organizationbindings/${zoe}`;
    await both('PATCH', path, { spec: { role: 'Editor' } }, [
      `these change their access to ${ORGANIZATION}: ${named} (Viewer -> Editor)`,
    ]);
    await both('PATCH', path, { spec: { role: 'Editor' } }, []);
    await both('DELETE', path, undefined, [`these lose access to ${ORGANIZATION}: ${named} (Editor)`]);
    await both('POST', 'organizationbindings', member(zoe, 'Viewer'), []);
  });

  it('names nobody who keeps the same by a binding, or by administering the server', async () => {
    const [ada, root] = [fresh('ada'), fresh('root')];
    await addPerson(server(), ada, 'Viewer');
    await bind(server(), fresh('wide'), { subject: ['User', ada], role: ['BuiltIn', 'Editor'] });
    expect(await write('PATCH', `organizationbindings/${ada}`, { spec: { role: 'Editor' } })).to.deep.equal([]);
    await addPerson(server(), root, 'Viewer');
    const users = '/apis/iam.svc.app/v1beta1/users';
    const made = await server().call('PATCH', `${users}/${root}`, {
      body: { spec: { grafanaAdmin: true } },
      headers: MERGE,
    });
    expect(made.status, made.text).to.equal(200);
    expect(await write('PATCH', `organizationbindings/${root}`, { spec: { role: 'Editor' } })).to.deep.equal([]);
  });

  it('names a service account with another role', async () => {
    const robot = fresh('robot');
    await addAccount(server(), robot, 'Viewer');
    await both('PATCH', `serviceaccounts/${robot}`, { spec: { role: 'Admin' } }, [
      `these change their access to ${ORGANIZATION}: ServiceAccount/${robot} (Viewer -> Admin)`,
    ]);
  });

  it('names new and former members of a team at each place of the team, unless they keep what they have', async () => {
    const [team, zoe, eve, folder] = [fresh('team'), fresh('zoe'), fresh('eve'), fresh('folder')];
    await addTeam(server(), team);
    await addFolder(server(), folder);
    await addPerson(server(), zoe, 'Viewer');
    await addPerson(server(), eve, 'Editor');
    await bind(server(), fresh('b'), { subject: ['Team', team], role: ['BuiltIn', 'Edit'], folder });
    const named = `User/${zoe} "${zoe}@here"`;
    await both('POST', 'teambindings', teamMember(team, zoe), [
      `these change their access to ${inside(folder)}: ${named} (View -> Edit)`,
    ]);
    await both('POST', 'teambindings', teamMember(team, eve), []);
    await both('PATCH', `teambindings/${team}.${zoe}`, { spec: { permission: 'admin' } }, []);
    await both('DELETE', `teambindings/${team}.${zoe}`, undefined, [
      `these change their access to ${inside(folder)}: ${named} (Edit -> View)`,
    ]);
    await addTeamMember(server(), team, zoe);
    const deleted = await write('DELETE', `teams/${team}`);
    expect(deleted).to.include(
      `these change their access to ${inside(folder)}: Team/${team} "Team ${team}" (Edit -> View, 1 of 2 people)`,
    );
  });

  it('names who has a role at each place of it whose content changes', async () => {
    const [role, team, zoe, folder] = [fresh('role'), fresh('team'), fresh('zoe'), fresh('folder')];
    await addFolder(server(), folder);
    const shut = await server().call('PATCH', `${FOLDERS}/${folder}`, {
      body: { metadata: { annotations: PRIVATE } },
      headers: MERGE,
    });
    expect(shut.status).to.equal(200);
    const [read, edit] = ['folders:read', 'folders:write'].map((action) => ({ action, scope: 'folders:*' }));
    await addRole(server(), role, [read]);
    await addTeam(server(), team);
    await addPerson(server(), zoe, 'Viewer');
    await addTeamMember(server(), team, zoe);
    await bind(server(), fresh('b'), { subject: ['Team', team], role: ['Role', role], folder });
    const change = (permissions: readonly unknown[], expected: readonly string[]) =>
      both('PATCH', `roles/${role}`, { spec: { permissions } }, expected);
    const named = `Team/${team} "Team ${team}"`;
    const level = (await write('PATCH', `roles/${role}`, { spec: { permissions: [] } }))[0] ?? '';
    expect(level).to.equal(`these lose access to ${inside(folder)}: ${named} (View, 1 person)`);
    await change([read, edit], [`these gain access to ${inside(folder)}: ${named} (View and ${role}, 1 person)`]);
    const more = { action: 'dashboards:read', scope: 'folders:*' };
    await change(
      [read, edit, more],
      [
        `these change their access to ${inside(folder)}: ${named} (View and ${role} -> View and ${role} with more permissions, 1 person)`,
      ],
    );
    await both('PATCH', `roles/${role}`, { spec: { description: 'Only words' } }, []);
    expect(await write('DELETE', `roles/${role}`)).to.deep.equal([
      `these lose access to ${inside(folder)}: ${named} (View and ${role}, 1 person)`,
    ]);
  });

  it('tell an administrator of a team nothing about places that they may not view', async () => {
    const [team, lead, zoe, folder] = [fresh('team'), fresh('lead'), fresh('zoe'), fresh('hidden')];
    await addTeam(server(), team);
    await addFolder(server(), folder);
    await server().call('PATCH', `${FOLDERS}/${folder}`, {
      body: { metadata: { annotations: PRIVATE } },
      headers: MERGE,
    });
    const leader = await addPerson(server(), lead, 'Viewer');
    await addPerson(server(), zoe, 'Viewer');
    await addTeamMember(server(), team, lead, 'admin');
    await bind(server(), fresh('b'), { subject: ['Team', team], role: ['BuiltIn', 'View'], folder });
    const texts = await write('POST', 'teambindings', teamMember(team, zoe), { dry: true, user: leader });
    expect(texts.join()).not.to.contain(folder);
    expect(texts).to.deep.equal(['access also changes by 1 more RoleBinding, which you may not view']);
    expect(await write('POST', 'teambindings', teamMember(team, zoe), { user: ADMINISTRATOR })).to.deep.equal([
      `these gain access to ${inside(folder)}: User/${zoe} "${zoe}@here" (View)`,
    ]);
  });
});
