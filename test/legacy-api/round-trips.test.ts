import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

/** Python's http.client takes 100 lines of headers, and nginx 4 KiB of all headers together. */
const MOST_WARNINGS = 10;
const MOST_BYTES = 2048;

oneStore('what a caller has read', (server) => {
  const { ask, call } = legacyOf(server);
  const { person } = peopleOf(server);

  const warningsOf = async (method: string, path: string, body: unknown): Promise<readonly string[]> => {
    const answer = await call(method, path, { body });
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.within(200, 299);
    return [answer.headers['warning'] ?? []].flat();
  };
  /** Reads what is at `from`, and writes it to `to`, with a change. */
  const returned = async (
    from: string,
    to: string,
    change = (read: Json): unknown => read,
    ignored: readonly string[] = [],
  ): Promise<void> => {
    const [method = '', path = ''] = to.split(' ');
    const body = change(await ask(200, 'GET', from));
    const expected = ignored.map((name) => `299 - "unknown field \\"${name}\\""`);
    expect(await warningsOf(method, path, body), `${from} to ${to}`).to.deep.equal(expected);
  };
  const folder = async (more: object = {}): Promise<string> =>
    (await ask(200, 'POST', '/folders', { title: fresh('Folder'), ...more })).uid;
  const dashboard = async (): Promise<string> => {
    const uid = fresh('board');
    await ask(200, 'POST', '/dashboards/db', { dashboard: { uid, title: uid }, folderUid: await folder() });
    return uid;
  };

  it('can be written without warnings: folders, dashboards and library elements', async () => {
    const [uid, board] = [await folder({ parentUid: await folder() }), await dashboard()];
    await returned(`/folders/${uid}`, `PUT /folders/${uid}`);
    const copy = (read: Json) => ({ ...read, uid: fresh('copy'), title: 'Copy' });
    // A new thing gets a number of its own.
    await returned(`/folders/${uid}`, 'POST /folders', copy, ['id']);
    await returned(`/dashboards/uid/${board}`, 'POST /dashboards/db', (read) => ({ ...read, overwrite: true }));
    const element = { name: fresh('Element'), kind: 1, model: { type: 'text' } };
    const { uid: made } = (await ask(200, 'POST', '/library-elements', element)).result;
    await returned(`/library-elements/${made}`, `PATCH /library-elements/${made}`, ({ result }) => result);
  });

  it('can be written without warnings: permissions', async () => {
    const [uid, board] = [await folder({ parentUid: await folder() }), await dashboard()];
    const { id } = await person();
    const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('team') });
    for (const at of [`folders/${uid}`, `dashboards/${board}`]) {
      await ask(200, 'POST', `/access-control/${at}/users/${id}`, { permission: 'Edit' });
      await ask(200, 'POST', `/access-control/${at}/teams/${teamId}`, { permission: 'View' });
      // A list without them would take the roles away.
      await ask(200, 'POST', `/access-control/${at}/builtInRoles/Viewer`, { permission: 'View' });
      await ask(200, 'POST', `/access-control/${at}/builtInRoles/Editor`, { permission: 'Edit' });
      const permissions = (all: Json) => ({ permissions: all.filter((one: Json) => !one.isInherited) });
      await returned(`/access-control/${at}`, `POST /access-control/${at}`, permissions);
    }
    const items = (all: Json) => ({ items: all.filter((one: Json) => !one.inherited) });
    await returned(`/folders/${uid}/permissions`, `POST /folders/${uid}/permissions`, items);
    await returned(`/dashboards/uid/${board}/permissions`, `POST /dashboards/uid/${board}/permissions`, items);
  });

  it('can be written without warnings: organizations, users, teams, service accounts and roles', async () => {
    const { id } = await person();
    await returned('/org', 'PUT /org');
    await returned('/orgs/1', 'PUT /orgs/1');
    const member = (all: Json) => all.find(({ userId }: Json) => userId === id);
    await returned('/org/users', `PATCH /org/users/${id}`, member);
    await returned(`/users/${id}`, `PUT /users/${id}`, ({ theme: _, ...read }) => read);
    const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('team') });
    await returned(`/teams/${teamId}`, `PUT /teams/${teamId}`);
    await ask(200, 'POST', `/teams/${teamId}/members`, { userId: id });
    await returned(`/teams/${teamId}/members`, `PUT /teams/${teamId}/members/${id}`, ([one]) => one);
    await returned(`/access-control/teams/${teamId}`, `POST /access-control/teams/${teamId}`, (permissions) => ({
      permissions,
    }));
    const account = await ask(201, 'POST', '/serviceaccounts', { name: fresh('Account'), role: 'Viewer' });
    await returned(`/serviceaccounts/${account.id}`, `PATCH /serviceaccounts/${account.id}`);
    const permissions = [{ action: 'folders:read', scope: 'folders:*' }];
    const role = await ask(201, 'POST', '/access-control/roles', { name: fresh('role'), version: 1, permissions });
    const at = `/access-control/roles/${role.uid}`;
    await returned(at, `PUT ${at}`, (read) => ({ ...read, version: read.version + 1 }));
    await returned(`${at}/assignments`, `PUT ${at}/assignments`);
  });

  it('can be written without warnings: annotations, preferences, alert rules and the query history', async () => {
    const { id } = await ask(200, 'POST', '/annotations', { text: 'x', dashboardUID: await dashboard() });
    for (const to of [`PUT /annotations/${id}`, `PATCH /annotations/${id}`]) await returned(`/annotations/${id}`, to);
    // The author of a new annotation is its caller.
    await returned(`/annotations/${id}`, 'POST /annotations', (read) => read, ['id', 'login', 'userName']);
    await returned('/org/preferences', 'PUT /org/preferences');
    const rule = {
      title: fresh('Rule'),
      ruleGroup: 'group',
      folderUID: await folder(),
      condition: 'A',
      data: [{ refId: 'A', datasourceUid: '__expr__', model: {} }],
      noDataState: 'OK',
      execErrState: 'OK',
      for: '1m',
    };
    const { uid, folderUID } = await ask(201, 'POST', '/v1/provisioning/alert-rules', rule);
    await returned(`/v1/provisioning/alert-rules/${uid}`, `PUT /v1/provisioning/alert-rules/${uid}`);
    const group = `/v1/provisioning/folder/${folderUID}/rule-groups/group`;
    await returned(group, `PUT ${group}`);
  });

  // Promise: contract 5.7
  it('is answered with at most ten warnings of 2 KiB, one for each name and not for each item', async () => {
    const uid = await folder();
    for (let count = 0; count < 8; count++) {
      const { id } = await ask(201, 'POST', '/serviceaccounts', { name: fresh('Account'), role: 'Viewer' });
      await ask(200, 'POST', `/access-control/folders/${uid}/users/${id}`, { permission: 'View' });
    }
    const path = `/folders/${uid}/permissions`;
    const items = (await ask(200, 'GET', path)).filter((one: Json) => !one.inherited);
    expect(items.length).to.be.above(8);
    expect(await warningsOf('POST', path, { items: items.map((one: Json) => ({ ...one, wrong: 1 })) })).to.deep.equal([
      '299 - "unknown field \\"items[].wrong\\""',
    ]);
    const many = Object.fromEntries(Array.from({ length: 92 }, (_, at) => [`unknown${at}`, 1]));
    const warnings = await warningsOf('POST', path, { items, ...many });
    expect(warnings).to.have.length(MOST_WARNINGS);
    expect(warnings.at(-1)).to.equal('299 - "and 83 more"');
    const long = Object.fromEntries(Array.from({ length: 92 }, (_, at) => [`${at}${'x'.repeat(250)}`, 1]));
    expect((await warningsOf('POST', path, { items, ...long })).join('').length).to.be.at.most(MOST_BYTES);
  });
});
