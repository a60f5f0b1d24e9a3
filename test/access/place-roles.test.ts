import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, legacyOf } from '../legacy-api/legacy.js';
import { peopleOf } from '../legacy-api/people.js';
import { dashboardsOf } from '../resource-api/dashboards.js';
import { foldersOf } from '../resource-api/folders.js';

/** Routes about the whole organization, and the action that each needs. */
const ROUTES: readonly (readonly [action: string, method: string, path: string, body?: object])[] = [
  ['orgs.preferences:read', 'GET', '/org/preferences'],
  ['orgs.preferences:write', 'PUT', '/org/preferences', { theme: 'dark' }],
  ['orgs.preferences:write', 'PATCH', '/org/preferences', { theme: 'dark' }],
  ['orgs:write', 'PUT', '/org', { name: 'Other' }],
  ['org.users:read', 'GET', '/org/users'],
  ['roles:read', 'GET', '/access-control/roles'],
  ['serviceaccounts:read', 'GET', '/serviceaccounts/search'],
  ['serviceaccounts:create', 'POST', '/serviceaccounts', { name: 'robot' }],
  ['teams:create', 'POST', '/teams', { name: 'team' }],
  ['settings:read', 'GET', '/v1/sso-settings'],
];

oneStore('a role that is bound on a folder or a dashboard', (server) => {
  const { call } = legacyOf(server);
  const { person } = peopleOf(server);
  const { made } = iam(server);

  const holder = async (scope?: object): Promise<UserInfo> => {
    const { uid, info } = await person({ role: 'None' });
    const permissions = [...new Set(ROUTES.map(([action]) => action))].map((action) => ({ action }));
    await made('Role', uid, { title: uid, permissions });
    const [subject, roleRef] = [
      { kind: 'User', name: uid },
      { kind: 'Role', name: uid },
    ];
    await made('RoleBinding', uid, { subject, roleRef, ...(scope && { scope }) });
    return info;
  };

  for (const [place, make] of [
    ['folder', (name: string) => foldersOf(server).make(name)],
    ['dashboard', (name: string) => dashboardsOf(server).make(name)],
  ] as const)
    it(`on a ${place} gives nothing of the whole organization by the legacy API`, async () => {
      const name = fresh('place');
      await make(name);
      const user = await holder({ [place]: name });
      for (const [action, method, path, body] of ROUTES) {
        const answer = await changingNothing(server(), () => call(method, path, { user, ...(body && { body }) }));
        expect(answer.status, `${method} ${path}: ${answer.text}`).to.equal(403);
        expect(answer.text).to.contain(action);
      }
    });

  it('gives it if it is bound in the organization', async () => {
    const user = await holder();
    for (const [, method, path] of ROUTES.filter(([, verb]) => verb === 'GET'))
      expect((await call(method, path, { user })).status, path).to.equal(200);
  });
});
