import { expect } from 'chai';
import type { AuditEvent } from '../../pkg/http/audit/event.js';
import { AS_ADMIN, type Ask, basic, bearer, oneStore } from '../authn/harness.js';
import { auditLog } from '../harness/audit-log.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const ACCOUNTS = '/apis/iam.svc.app/v1beta1/namespaces/default/serviceaccounts';
const JSON_BODY = { 'content-type': 'application/json' };
const ROBOT = {
  apiVersion: 'iam.svc.app/v1beta1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot' },
  spec: { title: 'Robot', role: 'Viewer' },
};
const log = auditLog();

oneStore(
  'the audit log',
  (server) => {
    before(async () => {
      await server().user('ann', {}, 'correct horse');
      await server().user('vic', {}, 'battery staple');
      log.take();
    });

    const ask = async (status: number, method: string, path: string, more: Ask = {}) => {
      log.take();
      const headers = { ...(more.body === undefined ? {} : JSON_BODY), ...(more.headers ?? AS_ADMIN) };
      const answer = await server().ask(path, { ...more, method, headers });
      expect(answer.status, answer.text).to.equal(status);
      return answer;
    };
    /** The one event of a request. */
    const eventOf = async (...request: Parameters<typeof ask>): Promise<AuditEvent> => {
      const answer = await ask(...request);
      const events = log.take();
      expect(events, JSON.stringify(events)).to.have.length(1);
      expect(events[0]?.auditID).to.equal(answer.headers['audit-id'] ?? events[0]?.auditID);
      return events[0] as AuditEvent;
    };

    describe('of writes', () => {
      // Promise: contract 9
      it('has one event in the form of Kubernetes for a write of the resource API, with the name from the answer', async () => {
        const body = { metadata: { generateName: 'ops-' }, spec: { title: 'Ops' } };
        const headers = { ...AS_ADMIN, 'user-agent': 'tester/1', 'audit-id': 'mine-1' };
        const event = await eventOf(201, 'POST', `${FOLDERS}?fieldValidation=Warn`, { body, headers });
        expect(event).to.deep.include({
          kind: 'Event',
          apiVersion: 'audit.k8s.io/v1',
          level: 'Metadata',
          auditID: 'mine-1',
          stage: 'ResponseComplete',
          requestURI: `${FOLDERS}?fieldValidation=Warn`,
          verb: 'create',
          sourceIPs: ['127.0.0.1'],
          userAgent: 'tester/1',
          responseStatus: { metadata: {}, code: 201 },
          annotations: { 'authorization.k8s.io/decision': 'allow' },
        });
        expect(event.user).to.include({ username: 'system:admin' });
        expect(event.user.groups).to.include('system:masters');
        expect(event.objectRef).to.include({ resource: 'folders', namespace: 'default', apiGroup: 'folder.svc.app' });
        expect(event.objectRef).to.include({ apiVersion: 'v1beta1' });
        expect(event.objectRef?.name).to.match(/^ops-/);
        expect(event.objectRef?.uid).to.be.a('string');
        expect(event.objectRef?.resourceVersion).to.match(/^[0-9]+$/);
        expect(event).to.not.have.any.keys('requestObject', 'responseObject', 'impersonatedUser');
        for (const time of [event.requestReceivedTimestamp, event.stageTimestamp])
          expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      });

      it('has the verbs of Kubernetes', async () => {
        const path = `${FOLDERS}/verbs`;
        const body = { metadata: { name: 'verbs' }, spec: { title: 'Verbs' } };
        expect((await eventOf(201, 'POST', FOLDERS, { body })).verb).to.equal('create');
        expect((await eventOf(200, 'PUT', path, { body })).verb).to.equal('update');
        const patched = { headers: { ...AS_ADMIN, 'content-type': 'application/merge-patch+json' } };
        const patch = await eventOf(200, 'PATCH', path, { ...patched, body: { spec: { title: 'New' } } });
        expect(patch.verb).to.equal('patch');
        const removed = await eventOf(200, 'DELETE', path);
        expect(removed).to.deep.include({ verb: 'delete' });
        expect(removed.objectRef).to.include({ name: 'verbs' });
        const all = await eventOf(200, 'DELETE', `${FOLDERS}?labelSelector=no%3Dthing`);
        expect(all.verb).to.equal('deletecollection');
      });

      it('names the namespace that was called, though an organization is stored', async () => {
        const namespaces = '/api/v1/namespaces';
        const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'audited' } };
        const patch = {
          headers: { ...AS_ADMIN, 'content-type': 'application/merge-patch+json' },
          body: { metadata: {} },
        };
        for (const event of [
          await eventOf(201, 'POST', namespaces, { body }),
          await eventOf(200, 'PATCH', `${namespaces}/audited`, patch),
          await eventOf(200, 'DELETE', `${namespaces}/audited`),
        ]) {
          expect(event.objectRef).to.include({ resource: 'namespaces', name: 'audited', apiVersion: 'v1' });
          expect(event.objectRef).to.have.property('uid');
          expect(event.annotations ?? {}).to.not.have.property('audit.svc.app/objects');
        }
      });

      it('names the object that a legacy call changed, and the others of its commit', async () => {
        const folder = await eventOf(200, 'POST', '/api/folders', { body: { uid: 'legacy', title: 'Legacy' } });
        expect(folder).to.deep.include({ requestURI: '/api/folders', verb: 'create', level: 'Metadata' });
        expect(folder.objectRef).to.include({ resource: 'folders', namespace: 'default', name: 'legacy' });
        expect(folder.objectRef).to.include({ apiGroup: 'folder.svc.app', apiVersion: 'v1beta1' });
        const body = { login: 'new', email: 'new@example.com', password: 'a long secret word' };
        const user = await eventOf(200, 'POST', '/api/admin/users', { body });
        expect(user.objectRef).to.include({ resource: 'users', apiGroup: 'iam.svc.app' });
        const others = user.annotations?.['audit.svc.app/objects'];
        expect(others).to.match(/create credentials\.[^ ,]+, create organizationbindings\.iam\.svc\.app\/default\//);
        const removed = await eventOf(200, 'DELETE', '/api/folders/legacy');
        expect(removed).to.deep.include({ verb: 'delete' });
        expect(removed.objectRef).to.include({ resource: 'folders', name: 'legacy' });
      });

      it('has changes of passwords, and never the passwords', async () => {
        const body = { oldPassword: 'battery staple', newPassword: 'another staple', confirmNew: 'another staple' };
        await ask(200, 'PUT', '/api/user/password', { headers: basic('vic', 'battery staple'), body });
        const events = log.take();
        expect(events).to.have.length(1);
        expect(events[0]).to.deep.include({ requestURI: '/api/user/password', verb: 'update' });
        expect(events[0]?.user).to.include({ username: 'vic' });
        expect(events[0]?.objectRef).to.include({ resource: 'credentials', name: 'vic' });
        expect(log.lines.join('')).to.not.match(/staple|a long secret word/);
      });

      it('has writes that are refused', async () => {
        const body = { metadata: { name: 'no' }, spec: { title: 'No' } };
        const event = await eventOf(403, 'POST', FOLDERS, { headers: basic('ann', 'correct horse'), body });
        expect(event.annotations).to.include({ 'authorization.k8s.io/decision': 'forbid' });
        expect(event.annotations?.['authorization.k8s.io/reason']).to.include('ann');
        expect(event.responseStatus).to.include({ status: 'Failure', reason: 'Forbidden', code: 403 });
        const invalid = await eventOf(400, 'POST', FOLDERS, { body: { metadata: { name: 'x' }, spec: { title: '' } } });
        expect(invalid.responseStatus).to.include({ reason: 'Invalid', code: 400 });
      });
    });

    describe('of reads', () => {
      it('has none that succeed, and no health check', async () => {
        await ask(200, 'GET', FOLDERS);
        await ask(200, 'GET', '/api/folders');
        await ask(200, 'GET', '/apis');
        await ask(404, 'GET', `${FOLDERS}/none`);
        const body = { spec: { resourceAttributes: { verb: 'list', resource: 'folders' } } };
        await server().ask('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
          method: 'POST',
          headers: { ...AS_ADMIN, ...JSON_BODY },
          body,
        });
        expect(log.take()).to.deep.equal([]);
      });

      it('has those that are refused, in both APIs', async () => {
        const headers = basic('ann', 'correct horse');
        await ask(200, 'GET', '/api/folders', { headers });
        const users = await eventOf(403, 'GET', '/apis/iam.svc.app/v1beta1/users/admin', { headers });
        expect(users).to.deep.include({ verb: 'get', level: 'Metadata' });
        const legacy = await eventOf(403, 'GET', '/api/users', { headers });
        expect(legacy).to.deep.include({ verb: 'get', requestURI: '/api/users' });
        expect(legacy.user).to.include({ username: 'ann' });
        const nobody = await eventOf(401, 'GET', FOLDERS, { headers: {} });
        expect(nobody.user).to.deep.equal({ username: 'system:anonymous', groups: ['system:unauthenticated'] });
        expect(nobody.objectRef).to.include({ resource: 'folders' });
        expect(nobody.annotations).to.equal(undefined);
      });
    });

    describe('of sign-ins', () => {
      it('has sessions that are opened and closed, with their user', async () => {
        const body = { user: 'ann', password: 'correct horse' };
        const { cookies } = await ask(200, 'POST', '/login', { headers: {}, body });
        const [event] = log.take();
        expect(event).to.deep.include({ verb: 'post', requestURI: '/login' });
        expect(event?.user).to.include({ username: 'ann', uid: 'ann' });
        expect(event?.annotations).to.include({ 'authentication.svc.app/login': 'ann' });
        const cookie = `grafana_session=${cookies['grafana_session']}`;
        const left = await eventOf(302, 'POST', '/logout', { headers: { cookie } });
        expect(left.user).to.include({ username: 'ann' });
        expect(left).to.deep.include({ verb: 'delete', requestURI: '/logout' });
        expect(left.objectRef).to.include({ resource: 'sessions' });
        expect(log.lines.join('')).to.not.include(cookies['grafana_session']);
      });

      it('has failed ones with the login that was tried, and never the password', async () => {
        const body = { user: 'nobody-here', password: 'guess-one' };
        const login = await eventOf(401, 'POST', '/login', { headers: {}, body });
        expect(login.user.username).to.equal('system:anonymous');
        expect(login.annotations).to.deep.equal({ 'authentication.svc.app/login': 'nobody-here' });
        const read = await eventOf(401, 'GET', '/api/folders', { headers: basic('ann', 'guess-two') });
        expect(read.annotations).to.deep.equal({ 'authentication.svc.app/login': 'ann' });
        const token = await eventOf(401, 'GET', '/api/folders', { headers: bearer('guess-three') });
        expect(token.responseStatus).to.include({ code: 401, reason: 'Unauthorized' });
        expect(log.lines.join('')).to.not.match(/guess-/);
      });

      it('has the check of a password in a Basic header once, not every read with it', async () => {
        const headers = basic('new', 'a long secret word');
        const event = await eventOf(200, 'GET', '/api/folders', { headers });
        expect(event.user).to.include({ username: 'new' });
        expect(event.annotations).to.include({ 'authentication.svc.app/login': 'new' });
        await ask(200, 'GET', '/api/folders', { headers });
        expect(log.take()).to.deep.equal([]);
      });
    });

    it('names the real caller and the impersonated user, in both APIs', async () => {
      const headers = { ...AS_ADMIN, 'impersonate-user': 'vic', 'impersonate-group': 'system:authenticated' };
      const body = { metadata: { name: 'as' }, spec: { title: 'As' } };
      const event = await eventOf(403, 'POST', FOLDERS, { headers, body });
      expect(event.user).to.include({ username: 'system:admin' });
      expect(event.impersonatedUser).to.include({ username: 'vic' });
      const legacy = await eventOf(403, 'POST', '/api/folders', { headers, body: { title: 'As' } });
      expect([legacy.user.username, legacy.impersonatedUser?.username]).to.deep.equal(['system:admin', 'vic']);
      const refused = { ...basic('ann', 'correct horse'), 'impersonate-user': 'admin' };
      const attempt = await eventOf(403, 'GET', FOLDERS, { headers: refused });
      expect(attempt.user).to.include({ username: 'ann' });
      expect(attempt.responseStatus?.message).to.include('impersonate');
    });

    it('has tokens that are made and deleted, and never the tokens', async () => {
      await ask(201, 'POST', ACCOUNTS, {
        body: ROBOT,
      });
      const made = await ask(201, 'POST', `${ACCOUNTS}/robot/token`, { body: { spec: {} } });
      const [event] = log.take();
      expect(event?.objectRef).to.include({ resource: 'serviceaccounts', name: 'robot', subresource: 'token' });
      const { token } = made.json['status'] as { readonly token: string };
      const legacy = await ask(200, 'POST', '/api/serviceaccounts/robot/tokens', { body: { name: 'one' } });
      const [other] = log.take();
      expect(other?.objectRef).to.include({ resource: 'tokens', namespace: 'default' });
      const removed = await eventOf(200, 'DELETE', `/api/serviceaccounts/robot/tokens/${String(legacy.json['id'])}`);
      expect(removed).to.deep.include({ verb: 'delete' });
      for (const secret of [token, String(legacy.json['key'])]) expect(log.lines.join('')).to.not.include(secret);
    });

    it('masks credentials in the query of a URI', async () => {
      const event = await eventOf(401, 'GET', '/api/folders?auth_token=leak&limit=1&access%5Ftoken=leak', {
        headers: {},
      });
      expect(event.requestURI).to.equal('/api/folders?auth_token=*********&limit=1&access%5Ftoken=*********');
    });
  },
  { audit: log.trail },
);
