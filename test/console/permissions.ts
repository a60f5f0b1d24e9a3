import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Console, Person } from './console.js';

export const IAM = '/apis/iam.svc.app/v1beta1/namespaces/default';
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const PASSWORD = 'Rather-long-passw0rd';

/** Makes people and folders with permissions before the tests of a suite, and opens the console as one of them. */
export function usePermissions(console_: () => Console) {
  const uids = new Map<string, string>();

  const post = async <Body>(path: string, body: unknown, method = 'POST'): Promise<Body> => {
    const { status, text } = await console_().server.client.request(method, path, { body });
    expect(status, text).to.be.within(200, 299);
    return JSON.parse(text) as Body;
  };
  const addUser = async (login: string, name: string, role: string): Promise<void> => {
    const user = { login, name, email: `${login}@example.com`, password: PASSWORD };
    const { id, uid } = await post<{ id: number; uid: string }>('/api/admin/users', user);
    uids.set(login, uid);
    await post(`/api/orgs/1/users/${id}`, { role }, 'PATCH');
  };
  const give = (who: readonly [kind: string, name: string], level: string, folder: string, kind = 'BuiltIn') =>
    post(`${IAM}/rolebindings`, {
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'RoleBinding',
      metadata: { name: `${folder}.${who[0].toLowerCase()}.${who[1]}` },
      spec: { subject: { kind: who[0], name: who[1] }, roleRef: { kind, name: level }, scope: { folder } },
    });
  const setPrivate = async (name: string, value: string | null): Promise<void> => {
    const { status, text } = await console_().server.client.request('PATCH', `${FOLDERS}/${name}`, {
      body: { metadata: { annotations: { 'svc.app/basic-roles': value } } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(status, text).to.equal(200);
  };
  const open = async (place: string, user?: string): Promise<Person> => {
    const person = await console_().person(user === undefined ? {} : { user, password: PASSWORD });
    await person.goTo(place);
    return person;
  };
  const folder = (name: string, user?: string) => open(`/folders/${name}?tab=permissions`, user);
  const row = (page: Page, text: string) =>
    page
      .getByRole('table', { name: /^Who has access to this folder/ })
      .getByRole('row')
      .filter({ hasText: text });

  /** A line of a dialog: who gets which level in place of which one. */
  const change = (page: Page, who: string, from: string, to: string) =>
    page
      .getByRole('dialog')
      .getByRole('listitem')
      .filter({ hasText: who })
      .filter({ hasText: new RegExp(`${from}.*to ${to}`) });

  before(async () => {
    await addUser('vera', 'Vera Viewer', 'Viewer');
    await addUser('edith', 'Edith Editor', 'Editor');
    await addUser('norm', 'Norm None', 'None');
    await post('/api/folders', { uid: 'ops', title: 'Operations' });
    await post('/api/folders', { uid: 'inner', title: 'Inner', parentUid: 'ops' });
    await post('/api/folders', { uid: 'own', title: 'Own' });
    const { uid } = await post<{ uid: string }>('/api/teams', { name: 'Crew' });
    await give(['Team', uid], 'Edit', 'ops');
    await give(['User', uids.get('edith') ?? ''], 'Admin', 'own');
  });
  return { uids, post, addUser, give, setPrivate, open, folder, row, change };
}
