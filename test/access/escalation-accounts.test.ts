import { randomUUID } from 'node:crypto';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Answer } from '../harness/answer.js';
import { oneStore } from '../harness/stores.js';
import { addFolder, addPeople, addRole, bind, HERE, person, unbind } from './people.js';
import { writesOf } from './writes.js';

oneStore('privilege escalation through service accounts', (server) => {
  const { create, patch, inLegacy, idOf, refused, allowed, editorWith } = writesOf(server);
  const adam = person('adam');
  let dora: UserInfo;
  before(async () => {
    await addPeople(server());
    await addFolder(server(), 'box');
    dora = await editorWith('dora-a', 'serviceaccounts:read', 'serviceaccounts:write');
  });

  const path = (name: string): string => `${HERE}/serviceaccounts/${name}`;
  const issue = (name: string): Promise<Answer> =>
    server().call('POST', `${path(name)}/token`, { user: dora, body: { spec: {} } });
  const issueInLegacy = async (name: string): Promise<Answer> =>
    inLegacy(dora, 'POST', `/serviceaccounts/${await idOf(path(name))}/tokens`, { name: randomUUID() });

  it('is refused for tokens of a disabled account', async () => {
    await allowed(create(adam, 'ServiceAccount', 'sleeper', { title: 'sleeper', role: 'None' }));
    await bind(server(), 'sleeper', { subject: ['ServiceAccount', 'sleeper'], role: ['BuiltIn', 'Admin'] });
    await allowed(patch(dora, 'ServiceAccount', 'sleeper', { disabled: true }));
    await refused(() => issue('sleeper'));
    await refused(() => issueInLegacy('sleeper'));
    await unbind(server(), 'sleeper');
    await allowed(issue('sleeper'));
    await allowed(issueInLegacy('sleeper'));
  });

  it('is refused when an account is enabled again, through either API', async () => {
    await allowed(create(adam, 'ServiceAccount', 'bear', { title: 'bear', role: 'None', disabled: true }));
    await bind(server(), 'bear', { subject: ['ServiceAccount', 'bear'], role: ['BuiltIn', 'Admin'] });
    const wake = async () =>
      inLegacy(dora, 'PATCH', `/serviceaccounts/${await idOf(path('bear'))}`, { isDisabled: false });
    await refused(() => patch(dora, 'ServiceAccount', 'bear', { disabled: false }));
    await refused(wake);
    await allowed(patch(dora, 'ServiceAccount', 'bear', { title: 'a bear' }));
    await unbind(server(), 'bear');
    await allowed(wake());
    await allowed(patch(dora, 'ServiceAccount', 'bear', { disabled: true }));
    await allowed(patch(dora, 'ServiceAccount', 'bear', { disabled: false }));
  });

  it('is refused when an account gets a role with more permissions bound to it', async () => {
    await addRole(server(), 'teams-too', [{ action: 'teams:write', scope: 'teams:*' }]);
    await bind(server(), 'viewers', { subject: ['BasicRole', 'Viewer'], role: ['Role', 'teams-too'] });
    await allowed(create(adam, 'ServiceAccount', 'climber', { title: 'climber', role: 'None' }));
    const id = await idOf(path('climber'));
    await refused(() => patch(dora, 'ServiceAccount', 'climber', { role: 'Viewer' }));
    await refused(() => inLegacy(dora, 'PATCH', `/serviceaccounts/${id}`, { role: 'Viewer' }));
    await allowed(patch(adam, 'ServiceAccount', 'climber', { role: 'Viewer' }));
    await refused(() => issue('climber'));
    await unbind(server(), 'viewers');
    await allowed(issue('climber'));
  });

  it('is not assumed for permissions in a folder that the issuer has everywhere', async () => {
    await allowed(create(adam, 'ServiceAccount', 'boxer', { title: 'boxer', role: 'None' }));
    await bind(server(), 'boxer', {
      subject: ['ServiceAccount', 'boxer'],
      role: ['BuiltIn', 'Edit'],
      folder: 'box',
    });
    await allowed(issue('boxer'));
    await bind(server(), 'boxer-2', {
      subject: ['ServiceAccount', 'boxer'],
      role: ['BuiltIn', 'Admin'],
      folder: 'box',
    });
    await refused(() => issue('boxer'));
  });
});
