import type { Page } from 'playwright-core';
import type { Person } from './console.js';
import type { Writer } from './content.js';

const API = '/apis/{group}.svc.app/v1beta1/namespaces/default';
const IAM = API.replace('{group}', 'iam');
const ELEMENTS = `${API.replace('{group}', 'dashboard')}/libraryelements`;
const RULES = `${API.replace('{group}', 'rules.alerting')}/alertrules`;
const MERGE = 'application/merge-patch+json';

/** A whole object, as clients send it. */
const object = (path: string, kind: string, name: string, spec: object, folder?: string): object => ({
  apiVersion: path.split('/').slice(2, 4).join('/'),
  kind,
  metadata: { name, ...(folder !== undefined && { annotations: { 'svc.app/folder': folder } }) },
  spec,
});

/** Tests that pages show the writes of others without a reload. `person` has not opened a page yet. */
export function itFollowsOthers(person: () => Person, elsewhere: Writer): void {
  const page = (): Page => person().page;
  const link = (name: string) => page().getByRole('link', { name });
  const patch = (path: string, spec: object) => elsewhere.send('PATCH', path, { spec }, MERGE);

  it('shows in a folder the library elements that somebody creates, renames and deletes', async () => {
    await elsewhere.folder('elements', 'Elements');
    await person().goTo('/folders/elements');
    await page().getByText('Nothing lies here yet').waitFor();
    const spec = { name: 'A panel', kind: 2, model: {} };
    await elsewhere.send('POST', ELEMENTS, object(ELEMENTS, 'LibraryElement', 'panel', spec, 'elements'));
    await link('A panel').waitFor();
    await patch(`${ELEMENTS}/panel`, { name: 'Renamed panel' });
    await link('Renamed panel').waitFor();
    await elsewhere.remove(`${ELEMENTS}/panel`);
    await link('Renamed panel').waitFor({ state: 'detached' });
  });

  it('shows in a folder the alert rules that somebody creates, renames and deletes, and still the dashboards', async () => {
    await elsewhere.folder('rules', 'Rules');
    await person().goTo('/folders/rules');
    await page().getByText('Nothing lies here yet').waitFor();
    const spec = { title: 'A rule', ruleGroup: 'g', condition: 'A', data: [{ refId: 'A' }] };
    await elsewhere.send('POST', RULES, object(RULES, 'AlertRule', 'rule', spec, 'rules'));
    await link('A rule').waitFor();
    await patch(`${RULES}/rule`, { title: 'Renamed rule' });
    await link('Renamed rule').waitFor();
    await elsewhere.dashboard('beside', 'Beside the rule', 'rules');
    await link('Beside the rule').waitFor();
    await elsewhere.remove(`${RULES}/rule`);
    await link('Renamed rule').waitFor({ state: 'detached' });
  });

  it('shows who has access to a folder as somebody changes it, there and above', async () => {
    const { uid } = await elsewhere.user('lena', 'None', 'Lena Live');
    await elsewhere.folder('above', 'Above');
    await elsewhere.folder('shared', 'Shared', { 'svc.app/folder': 'above' });
    await person().goTo('/folders/shared?tab=permissions');
    const table = page().getByRole('table', { name: /^Who has access to this folder/ });
    const row = (text: string) => table.getByRole('row').filter({ hasText: text });
    await row('Viewer').waitFor();
    const binding = (name: string, level: string, folder: string) => {
      const path = `${IAM}/rolebindings`;
      const spec = {
        subject: { kind: 'User', name: uid },
        roleRef: { kind: 'BuiltIn', name: level },
        scope: { folder },
      };
      return elsewhere.send('POST', path, object(path, 'RoleBinding', name, spec));
    };
    await binding('lena-shared', 'View', 'shared');
    await row('lena').waitFor();
    await patch(`${IAM}/rolebindings/lena-shared`, { roleRef: { kind: 'BuiltIn', name: 'Edit' } });
    await row('lena').locator('select:has(option:checked[value=Edit])').waitFor();
    await elsewhere.remove(`${IAM}/rolebindings/lena-shared`);
    await row('lena').waitFor({ state: 'detached' });
    await binding('lena-above', 'View', 'above');
    await row('lena').getByText('Inherited from').waitFor();
    const above = { metadata: { annotations: { 'svc.app/basic-roles': 'none' } } };
    const folders = API.replace('{group}', 'folder');
    await elsewhere.send('PATCH', `${folders}/folders/above`, above, MERGE);
    await row('Viewer').waitFor({ state: 'detached' });
  });

  it('shows the users that somebody creates, renames and disables, and their roles', async () => {
    await person().goTo('/people/users');
    await link('admin').first().waitFor();
    const { id } = await elsewhere.user('ulla', 'Editor', 'Ulla Update');
    const row = (name: string) => page().getByRole('row').filter({ hasText: name });
    await row('Ulla Update').getByText('Editor').waitFor();
    await elsewhere.send('PATCH', `/api/orgs/1/users/${id}`, { role: 'Viewer' });
    await row('Ulla Update').getByText('Viewer').waitFor();
    await elsewhere.send('PUT', `/api/users/${id}`, { login: 'ulla', email: 'ulla@example.com', name: 'Renamed' });
    await row('Renamed').waitFor();
    await elsewhere.send('POST', `/api/admin/users/${id}/disable`, {});
    await row('Renamed').getByText('Disabled').waitFor();
    await elsewhere.send('DELETE', `/api/admin/users/${id}`);
    await row('Renamed').waitFor({ state: 'detached' });
  });

  it('shows the teams that somebody creates, their members, and that they are deleted', async () => {
    const { id } = await elsewhere.user('mila', 'Viewer');
    await person().goTo('/people/teams');
    await page().getByText('No teams').waitFor();
    const made = await elsewhere.send('POST', '/api/teams', { name: 'Live team' });
    const { teamId, uid } = made.json<{ teamId: number; uid: string }>();
    const members = page().getByRole('row').filter({ hasText: 'Live team' }).getByRole('cell').last();
    await members.getByText('0', { exact: true }).waitFor();
    await elsewhere.send('POST', `/api/teams/${teamId}/members`, { userId: id });
    await members.getByText('1', { exact: true }).waitFor();
    await link('Live team').click();
    await page().getByLabel('What mila is in the team').waitFor();
    await elsewhere.send('DELETE', `/api/teams/${teamId}/members/${id}`);
    await page().getByText('Nobody is in the team.').waitFor();
    await page().getByRole('link', { name: '← Teams' }).click();
    await elsewhere.remove(`${IAM}/teams/${uid}`);
    await page().getByText('No teams').waitFor();
  });

  it('shows the roles that somebody creates, changes and deletes, and who has them', async () => {
    await person().goTo('/people/roles');
    await page().getByText('No custom roles').waitFor();
    const permissions = [{ action: 'folders:read', scope: 'folders:*' }];
    const path = `${IAM}/roles`;
    await elsewhere.send('POST', path, object(path, 'Role', 'reporter', { title: 'Reporter', permissions }));
    await link('Reporter').waitFor();
    await patch(`${path}/reporter`, { title: 'Chief reporter' });
    await link('Chief reporter').click();
    await page().getByText('Nobody has it.').waitFor();
    const spec = { subject: { kind: 'BasicRole', name: 'Viewer' }, roleRef: { kind: 'Role', name: 'reporter' } };
    const bindings = `${IAM}/rolebindings`;
    await elsewhere.send('POST', bindings, object(bindings, 'RoleBinding', 'reporter-viewers', spec));
    await page().getByText('Everybody who is Viewer').waitFor();
    await elsewhere.remove(`${bindings}/reporter-viewers`);
    await page().getByText('Nobody has it.').waitFor();
    await page().getByRole('link', { name: '← Roles' }).click();
    await elsewhere.remove(`${path}/reporter`);
    await page().getByText('No custom roles').waitFor();
  });

  it('shows the service accounts that somebody creates and deletes', async () => {
    await person().goTo('/people/accounts');
    await page().getByText('No service accounts').waitFor();
    const made = await elsewhere.send('POST', '/api/serviceaccounts', { name: 'robot', role: 'Viewer' });
    await link('robot').waitFor();
    await elsewhere.send('DELETE', `/api/serviceaccounts/${made.json<{ id: number }>().id}`);
    await page().getByText('No service accounts').waitFor();
  });
}
