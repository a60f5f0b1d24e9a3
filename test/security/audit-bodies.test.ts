import http from 'node:http';
import { expect } from 'chai';
import type { AuditEvent } from '../../pkg/http/audit/event.js';
import { AS_ADMIN, type Ask, basic, bearer, oneStore } from '../authn/harness.js';
import { auditLog, EVERYTHING } from '../harness/audit-log.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const ACCOUNTS = '/apis/iam.svc.app/v1beta1/namespaces/default/serviceaccounts';
const ROBOT = {
  apiVersion: 'iam.svc.app/v1beta1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot' },
  spec: { title: 'Robot', role: 'Viewer' },
};
const log = auditLog(EVERYTHING);

oneStore(
  'the audit log at the level RequestResponse',
  (server) => {
    const eventOf = async (method: string, path: string, more: Ask = {}): Promise<AuditEvent> => {
      log.take();
      const headers = { 'content-type': 'application/json', ...(more.headers ?? AS_ADMIN) };
      await server().ask(path, { ...more, method, headers });
      const events = log.take();
      expect(events).to.have.length(1);
      return events[0] as AuditEvent;
    };

    it('has the bodies of both APIs', async () => {
      const body = { metadata: { name: 'ops' }, spec: { title: 'Ops' } };
      const event = await eventOf('POST', FOLDERS, { body });
      expect(event.requestObject).to.deep.equal(body);
      expect(event.responseObject).to.have.nested.property('metadata.name', 'ops');
      const yaml = { headers: { ...AS_ADMIN, 'content-type': 'application/yaml' } };
      const changed = Buffer.from('metadata: {name: ops}\nspec: {title: New}\n');
      const put = await eventOf('PUT', `${FOLDERS}/ops`, { ...yaml, body: changed });
      expect(put.requestObject).to.deep.equal({ metadata: { name: 'ops' }, spec: { title: 'New' } });
      const legacy = await eventOf('POST', '/api/folders', { body: { uid: 'old', title: 'Old' } });
      expect(legacy.requestObject).to.deep.equal({ uid: 'old', title: 'Old' });
      expect(legacy.responseObject).to.include({ uid: 'old' });
      const get = await eventOf('GET', `${FOLDERS}/ops`);
      expect(get.responseObject).to.have.nested.property('metadata.name', 'ops');
    });

    // Promise: security browsers
    it('masks secrets in every body', async () => {
      await server().user('ann', {}, 'secret-of-ann');
      await eventOf('POST', ACCOUNTS, { body: ROBOT });
      const requested = await server().ask(`${ACCOUNTS}/robot/token`, { method: 'POST', headers: AS_ADMIN, body: {} });
      const { token } = requested.json['status'] as { readonly token: string };
      const legacy = await server().ask('/api/serviceaccounts/robot/tokens', {
        method: 'POST',
        headers: AS_ADMIN,
        body: { name: 'one' },
      });
      const review = await eventOf('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
        body: { spec: { token } },
      });
      expect(review.objectRef).to.include({ resource: 'tokenreviews', apiGroup: 'authentication.k8s.io' });
      const opened = await server().ask('/login', { method: 'POST', body: { user: 'ann', password: 'secret-of-ann' } });
      await eventOf('POST', '/login', { headers: {}, body: { user: 'ann', password: 'secret-wrong' } });
      const passwords = { oldPassword: 'secret-of-ann', newPassword: 'secret-of-new', confirmNew: 'secret-of-new' };
      await eventOf('PUT', '/api/user/password', { headers: basic('ann', 'secret-of-ann'), body: passwords });
      await eventOf('PUT', '/api/user/password', { headers: basic('ann', 'secret-of-new'), body: passwords });
      const made = { login: 'bob', email: 'bob@example.com', password: 'secret-of-bob', PASSWORD: 'secret-case' };
      const user = await eventOf('POST', '/api/admin/users', { body: made });
      expect(user.requestObject).to.deep.equal({ ...made, password: '*********', PASSWORD: '*********' });
      await eventOf('PUT', '/api/admin/users/1/password', { body: { password: 'secret-of-admin' } });
      await eventOf('GET', '/api/folders', { headers: bearer(token) });
      await eventOf('PUT', '/api/user/password', { body: Buffer.from('{"newPassword": "secret-half') });
      const patch = { headers: { ...AS_ADMIN, 'content-type': 'application/json-patch+json' } };
      const operations = [{ op: 'add', path: '/spec/password', value: 'secret-patch' }];
      await eventOf('PATCH', '/apis/iam.svc.app/v1beta1/users/ann', { ...patch, body: operations });
      await eventOf('PUT', '/api/v1/sso-settings/github', {
        body: { settings: { clientId: 'a', clientSecret: 'secret-legacy', tls_client_key: 'secret-key' } },
      });
      const applied = JSON.stringify({ spec: { settings: { clientSecret: 'secret-copy' } } });
      await eventOf('PATCH', '/apis/iam.svc.app/v1beta1/ssosettings/github', {
        headers: { ...AS_ADMIN, 'content-type': 'application/merge-patch+json' },
        body: {
          metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': applied } },
          spec: { settings: { clientSecret: 'secret-merge' } },
        },
      });
      const text = log.lines.join('');
      expect(text).to.not.match(/secret-/);
      for (const secret of [token, legacy.json['key'], opened.cookies['grafana_session']]) {
        expect(secret).to.be.a('string').with.length.above(10);
        expect(text).to.not.include(secret);
      }
    });

    it('has an event when a watch begins and one when it ends', async () => {
      log.take();
      const path = `${FOLDERS}?watch=true`;
      await new Promise<void>((resolve, reject) => {
        const request = http.get({ host: '127.0.0.1', port: server().port, path, headers: AS_ADMIN }, (response) => {
          response.on('close', resolve).on('error', () => undefined);
          setTimeout(() => request.destroy(), 50);
        });
        request.on('error', reject);
      });
      const events: AuditEvent[] = [];
      while (events.length < 2) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        events.push(...log.take());
      }
      expect(events.map(({ stage }) => stage)).to.deep.equal(['ResponseStarted', 'ResponseComplete']);
      expect(new Set(events.map(({ auditID }) => auditID)).size).to.equal(1);
      for (const event of events) expect(event).to.deep.include({ verb: 'watch', requestURI: path });
    });
  },
  { audit: log.trail },
);
