import { expect } from 'chai';
import { CALLERS, type Caller } from '../../apis/testing/callers.js';
import { IAM } from '../../apis/testing/cast.js';
import { pathsOf } from '../../pkg/http/router.js';
import { ownRoutes } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { type Cast, castOn } from './cast.js';
import { SERVER_TABLE } from './server-table.js';
import { rowsOf } from './table.js';

/** The routes about the server itself. server.test.ts tests the same rows. */
const ROWS = rowsOf(SERVER_TABLE).filter(({ what }) => /^GET \/(version|livez|healthz|readyz|metrics)$/.test(what));
const REVIEWS = '/apis/authorization.k8s.io/v1';
const NEEDED = 'it takes the permission server.metrics:read';

oneStore('permissions of the routes about the server', (server) => {
  let cast: Cast;
  before(async () => {
    cast = await castOn(server());
  });

  const review = async (caller: Caller, kind: string, spec: object) => {
    const body = { apiVersion: 'authorization.k8s.io/v1', kind, spec };
    const answer = await cast.call(caller, 'POST', `${REVIEWS}/${kind.toLowerCase()}s`, { body });
    expect(answer.status, answer.text).to.equal(201);
    return JSON.parse(answer.text).status;
  };
  const may = (caller: Caller, path: string, verb = 'get') =>
    review(caller, 'SelfSubjectAccessReview', { nonResourceAttributes: { path, verb } });
  /** Gives a role with the action to a caller during the work. */
  const withAction = async (caller: Caller, action: string, work: () => Promise<unknown>): Promise<void> => {
    const name = cast.fresh('server-role');
    await cast.made(IAM, 'Role', name, { permissions: [{ action }] });
    const kind = caller.startsWith('bot') ? 'ServiceAccount' : 'User';
    await cast.made(IAM, 'RoleBinding', name, { subject: { kind, name: caller }, roleRef: { kind: 'Role', name } });
    await work();
    const path = `/apis/${IAM}/namespaces/default/rolebindings/${name}`;
    expect((await server().call('DELETE', path)).status).to.equal(200);
  };

  it('have a row for each route, and no other rows', () => {
    const paths = pathsOf([ownRoutes(server().api)]).map((path) => `GET ${path}`);
    expect(ROWS.map(({ what }) => what).sort()).to.deep.equal(paths.sort());
  });

  for (const { what, expected } of ROWS) {
    const [, path = ''] = what.split(' ');
    it(`${what} is answered as a SelfSubjectAccessReview and a SelfSubjectRulesReview say`, async () => {
      for (const caller of CALLERS.filter((one) => one !== 'anon')) {
        const allowed = expected[caller] === 'yes';
        expect((await may(caller, path)).allowed, caller).to.equal(allowed);
        const { nonResourceRules } = await review(caller, 'SelfSubjectRulesReview', { namespace: 'default' });
        expect(nonResourceRules[0].nonResourceURLs.includes(path), caller).to.equal(allowed);
      }
    });
  }

  // Promise: security work
  it('/metrics tells what it takes, in the words of Kubernetes', async () => {
    const { text } = await cast.call('viewer', 'GET', '/metrics');
    const message = `forbidden: User "viewer" cannot get path "/metrics": ${NEEDED}`;
    expect(JSON.parse(text)).to.deep.include({ kind: 'Status', code: 403, reason: 'Forbidden', message });
    expect(await may('viewer', '/metrics')).to.deep.equal({ allowed: false, reason: NEEDED });
    expect((await may('root', '/metrics', 'delete')).allowed).to.equal(true);
  });

  for (const caller of ['viewer', 'botV', 'member'] as const) {
    it(`/metrics is for ${caller} as long as a role gives server.metrics:read`, async () => {
      await withAction(caller, 'server.metrics:read', async () => {
        expect((await cast.call(caller, 'GET', '/metrics')).text).to.equal('up 1\n');
        expect((await may(caller, '/metrics', 'head')).allowed).to.equal(true);
        expect((await may(caller, '/metrics', 'delete')).allowed).to.equal(false);
        expect((await cast.call(caller, 'GET', '/api/admin/audit')).status).to.equal(403);
      });
      expect((await cast.call(caller, 'GET', '/metrics')).status).to.equal(403);
    });
  }

  it('a role counts for the audit log and the statistics of the server, too', async () => {
    // The server of the tests has no file, so callers who may read it get 404.
    await withAction('viewer', 'server.audit:read', async () =>
      expect((await cast.call('viewer', 'GET', '/api/admin/audit')).status).to.equal(404),
    );
    await withAction('viewer', 'server.stats:read', async () =>
      expect((await cast.call('viewer', 'GET', '/api/admin/stats')).status).to.equal(200),
    );
    expect((await cast.call('viewer', 'GET', '/api/admin/stats')).status).to.equal(403);
  });

  it('a role on a folder gives nothing on the server', async () => {
    const name = cast.fresh('server-role');
    await cast.made('folder.svc.app/v1beta1', 'Folder', name, { title: name });
    await cast.made(IAM, 'Role', name, { permissions: [{ action: 'server.metrics:read' }] });
    const roleRef = { kind: 'Role', name };
    const subject = { kind: 'User', name: 'viewer' };
    await cast.made(IAM, 'RoleBinding', name, { subject, roleRef, scope: { folder: name } });
    expect((await cast.call('viewer', 'GET', '/metrics')).status).to.equal(403);
  });
});
