import { expect } from 'chai';
import { define } from '../custom/definition.js';
import { bodyOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { type Person, peopleOf } from './people.js';

const PATH = '/access-control/built-in-roles';
const RULES = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';

oneStore('the roles of the server in the legacy API', (server) => {
  const { ask } = legacyOf(server);
  const { person } = peopleOf(server);
  const { made } = iam(server);

  const roleOf = async (on: string, name: string): Promise<Json> =>
    (await ask(200, 'GET', PATH)).find((one: Json) => one.on === on && one.name === name);
  const actionsOf = ({ permissions }: Json): readonly string[] => permissions.map(({ action }: Json) => action);
  /** The rules of a person in the organization, by a review. */
  const rulesOf = async ({ info: user }: Person): Promise<unknown> => {
    const body = { spec: { namespace: 'default' } };
    return bodyOf(await server().call('POST', RULES, { user, body }), 201).status;
  };
  const bound = async (who: Person, roleRef: Json, scope?: Json): Promise<Person> => {
    await made('RoleBinding', fresh('binding'), {
      subject: { kind: 'User', name: who.uid },
      roleRef,
      ...(scope && { scope }),
    });
    return who;
  };
  /** A person who has the permissions by a custom role. */
  const likewise = async (permissions: Json, scope?: Json): Promise<Person> => {
    const role = fresh('role');
    await made('Role', role, { permissions });
    return bound(await person({ role: 'None' }), { kind: 'Role', name: role }, scope);
  };

  // Promise: specification 4.11
  it('allow what the server grants by them, and everybody may know it', async () => {
    for (const name of ['Viewer', 'Editor']) {
      const { permissions } = await roleOf('organization', name);
      expect(await rulesOf(await likewise(permissions)), name).to.deep.equal(
        await rulesOf(await person({ role: name })),
      );
    }
    const scope = { folder: fresh('folder') };
    await ask(200, 'POST', '/folders', { uid: scope.folder, title: scope.folder });
    for (const name of ['View', 'Edit', 'Admin']) {
      const { permissions } = await roleOf('folder', name);
      const built = await bound(await person({ role: 'None' }), { kind: 'BuiltIn', name }, scope);
      expect(await rulesOf(await likewise(permissions, scope)), name).to.deep.equal(await rulesOf(built));
    }
    const nobody = await person({ role: 'None' });
    expect(await ask(200, 'GET', PATH, undefined, { user: nobody.info })).to.deep.equal(await ask(200, 'GET', PATH));
  });

  it('are those of members, and the levels on folders, dashboards, service accounts and teams', async () => {
    const all: readonly Json[] = await ask(200, 'GET', PATH);
    expect(all.map(({ on, name }) => `${on} ${name}`)).to.deep.equal([
      ...['None', 'Viewer', 'Editor', 'Admin'].map((name) => `organization ${name}`),
      ...['View', 'Edit', 'Admin'].map((name) => `folder ${name}`),
      ...['View', 'Edit', 'Admin'].map((name) => `dashboard ${name}`),
      ...['Edit', 'Admin'].map((name) => `serviceAccount ${name}`),
      ...['member', 'admin'].map((name) => `team ${name}`),
    ]);
    expect((await roleOf('organization', 'None')).permissions).to.deep.equal([
      { action: 'orgs:read', scope: 'orgs:uid:default' },
    ]);
    expect((await roleOf('team', 'member')).permissions).to.deep.equal([
      { action: 'teams:read' },
      { action: 'teams.permissions:read' },
    ]);
    const held = all.filter(({ inPrivateFolders }) => !inPrivateFolders).map(({ name }) => name);
    expect(held).to.deep.equal(['Viewer', 'Editor']);
  });

  // Promise: specification 4.11
  it('have the custom kinds that lie in folders', async () => {
    const read = 'reports.example.com:read';
    expect(actionsOf(await roleOf('folder', 'View'))).not.to.include(read);
    await define(server);
    expect(actionsOf(await roleOf('folder', 'View'))).to.include(read);
    expect((await roleOf('organization', 'Admin')).permissions).to.deep.include({
      action: read,
      scope: 'reports.example.com:*',
    });
  });
});
