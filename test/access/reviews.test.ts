import { expect } from 'chai';
import type { z } from 'zod';
import { AccessStatus, RulesStatus, SelfReviewStatus } from '../../apis/authorization/review-schema.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { addFolder, addPeople, bind, CALLERS, FOLDERS, person } from './people.js';

const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  SelfSubjectReview: SelfReviewStatus,
  SelfSubjectAccessReview: AccessStatus,
  SubjectAccessReview: AccessStatus,
  SelfSubjectRulesReview: RulesStatus,
};

const SELF_ACCESS_PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

interface Attributes {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

interface ReviewStatus {
  readonly allowed: boolean;
  readonly userInfo: unknown;
  readonly incomplete: boolean;
  readonly evaluationError?: string;
  readonly resourceRules: readonly { readonly verbs: readonly string[]; readonly resourceNames?: readonly string[] }[];
}

/** A SelfSubjectReview as Go's clients send it: `k8s`, a zero byte, and a runtime.Unknown without fields. */
function whoamiInProtobuf(): Uint8Array {
  const field = (number: number, bytes: Uint8Array): Uint8Array =>
    Buffer.concat([Buffer.from([number * 8 + 2, bytes.byteLength]), bytes]);
  const typeMeta = Buffer.concat([
    field(1, Buffer.from('authentication.k8s.io/v1')),
    field(2, Buffer.from('SelfSubjectReview')),
  ]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, typeMeta), field(2, new Uint8Array())]);
}

oneStore('reviews', (server) => {
  before(async () => {
    await addPeople(server());
    await addFolder(server(), 'open');
    await addFolder(server(), 'below', 'open');
    await addFolder(server(), 'closed');
    await bind(server(), 'norm-open', { subject: ['User', 'norm'], role: ['BuiltIn', 'Edit'], folder: 'open' });
  });

  const review = async (group: string, kind: string, spec: unknown, user: UserInfo): Promise<ReviewStatus> => {
    const path = `/apis/${group}/v1/${kind.toLowerCase()}s`;
    const answer = await server().call('POST', path, { user, body: { apiVersion: `${group}/v1`, kind, spec } });
    expect(answer.status, answer.text).to.equal(201);
    const { status } = answer.json() as unknown as { readonly status: ReviewStatus };
    expect(ANSWERS[kind]?.safeParse(status).error, 'the schema of the answer').to.equal(undefined);
    return status;
  };
  const canI = async (user: UserInfo, attributes: Attributes): Promise<boolean> => {
    const resourceAttributes = { group: 'folder.svc.app', resource: 'folders', namespace: 'default', ...attributes };
    return (await review('authorization.k8s.io', 'SelfSubjectAccessReview', { resourceAttributes }, user)).allowed;
  };

  // Promise: contract 1.6
  it('are answered 406 for a client that accepts no form that they have', async () => {
    const send = (accept: string) => {
      const body = { spec: { resourceAttributes: { verb: 'get', group: 'folder.svc.app', resource: 'folders' } } };
      return server().call('POST', SELF_ACCESS_PATH, { headers: { accept }, body });
    };
    for (const accept of ['text/html', 'image/*', 'application/xml;q=0.9']) {
      const refused = await send(accept);
      expect(refused.status, accept).to.equal(406);
      expect(refused.json()).to.include({ kind: 'Status', reason: 'NotAcceptable' });
    }
    const accepted = [
      'text/html,*/*;q=0.8',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
      'application/*',
    ];
    for (const accept of accepted) expect((await send(accept)).status, accept).to.equal(201);
  });

  // Promise: contract 7
  it('of the caller itself return the user, also for a protobuf body', async () => {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const user = person('vera');
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    const answer = await server().call('POST', path, { user, body: whoamiInProtobuf(), headers });
    expect(answer.status, answer.text).to.equal(201);
    expect(JSON.parse(answer.text).status.userInfo).to.deep.equal({
      username: 'vera@here',
      uid: 'vera',
      groups: ['system:authenticated'],
    });
    const spec = {};
    expect((await review('authentication.k8s.io', 'SelfSubjectReview', spec, ADMIN)).userInfo).to.deep.include({
      username: 'admin',
    });
  });

  it('are indented for curl', async () => {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const answer = await server().call('POST', path, { body, headers: { 'user-agent': 'curl/8' } });
    expect(answer.text).to.match(/^\{\n {2}"kind": "SelfSubjectReview"/);
  });

  // Promise: contract 7
  it('agree with the outcome of get, delete and list', async () => {
    for (const user of Object.values(CALLERS)) {
      for (const name of ['open', 'below', 'closed']) {
        const { status } = await server().call('GET', `${FOLDERS}/${name}`, { user });
        expect(await canI(user, { verb: 'get', name }), `${user.name} ${name}`).to.equal(status === 200);
        const removal = await server().call('DELETE', `${FOLDERS}/${name}`, { user, query: { dryRun: 'All' } });
        expect(await canI(user, { verb: 'delete', name }), `${user.name} ${name}`).to.equal(removal.status === 200);
      }
      const { status } = await server().call('GET', FOLDERS, { user });
      expect(await canI(user, { verb: 'list' }), user.name).to.equal(status === 200);
    }
  });

  it('agree with the outcome of lists of every kind, in a namespace and across all namespaces', async () => {
    const { kinds } = server().api.registry;
    for (const { group, version, resource, scope } of kinds.filter(({ served }) => served)) {
      const namespaces = scope === 'Cluster' ? [''] : ['default', ''];
      for (const namespace of namespaces) {
        const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
        const path = `${root}${namespace === '' ? '' : `/namespaces/${namespace}`}/${resource}`;
        for (const user of Object.values(CALLERS)) {
          const { status } = await server().call('GET', path, { user });
          const allowed = await canI(user, { verb: 'list', group, resource, namespace });
          expect(allowed, `${user.name} ${path} ${status}`).to.equal(status === 200);
        }
      }
    }
  });

  it('without a name require a permission on every object, or on any object for create', async () => {
    expect(await canI(person('norm'), { verb: 'delete' })).to.equal(false);
    expect(await canI(person('norm'), { verb: 'create' })).to.equal(true);
    expect(await canI(person('edith'), { verb: 'delete' })).to.equal(true);
  });

  it('of all verbs on all resources allow only server administrators', async () => {
    const everything = { verb: '*', group: '*', resource: '*' };
    expect(await canI(ADMIN, everything)).to.equal(true);
    expect(await canI(person('adam'), everything)).to.equal(false);
  });

  // Promise: contract 7
  it('of rules list verbs, with names if the verbs apply to some objects only', async () => {
    const spec = { namespace: 'default' };
    const rules = await review('authorization.k8s.io', 'SelfSubjectRulesReview', spec, person('norm'));
    expect(rules.incomplete).to.equal(true);
    expect(rules.evaluationError).to.contain('neither is listed');
    const named = rules.resourceRules.filter(({ resourceNames }) => resourceNames?.includes('open'));
    expect(named.map(({ verbs }) => verbs)).to.deep.equal([
      ['create', 'delete', 'deletecollection', 'get', 'patch', 'update'],
    ]);
    const lists = rules.resourceRules.filter(({ verbs }) => verbs.includes('list'));
    expect(lists.every(({ resourceNames }) => resourceNames === undefined)).to.equal(true);
    const empty = rules.resourceRules.filter(({ resourceNames }) => resourceNames?.length === 0);
    expect(empty).to.deep.equal([]);
  });

  // Promise: contract 7, security rights
  it('of others are for server administrators, who may name a user by login', async () => {
    const spec = {
      user: 'edith@here',
      resourceAttributes: { group: 'folder.svc.app', resource: 'folders', namespace: 'default', verb: 'delete' },
    };
    expect((await review('authorization.k8s.io', 'SubjectAccessReview', spec, ADMIN)).allowed).to.equal(true);
    const viewer = { ...spec, user: 'vera@here' };
    expect((await review('authorization.k8s.io', 'SubjectAccessReview', viewer, ADMIN)).allowed).to.equal(false);
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    expect((await server().call('POST', path, { user: person('adam'), body })).status).to.equal(403);
  });

  // Promise: contract 7
  it('of others in one namespace are about the namespace of the path only', async () => {
    const ask = (user: UserInfo, spec: object, namespace = 'default') =>
      server().call('POST', `/apis/authorization.k8s.io/v1/namespaces/${namespace}/localsubjectaccessreviews`, {
        user,
        body: { apiVersion: 'authorization.k8s.io/v1', kind: 'LocalSubjectAccessReview', spec },
      });
    const resourceAttributes = { group: 'folder.svc.app', resource: 'folders', namespace: 'default', verb: 'delete' };
    const answer = await ask(ADMIN, { user: 'edith@here', resourceAttributes });
    expect(answer.status, answer.text).to.equal(201);
    expect((answer.json() as unknown as { status: ReviewStatus }).status.allowed).to.equal(true);
    expect((await ask(ADMIN, { user: 'edith@here', resourceAttributes }, 'other')).status).to.equal(422);
    expect(
      (await ask(ADMIN, { user: 'edith@here', nonResourceAttributes: { path: '/', verb: 'get' } })).status,
    ).to.equal(422);
    const refused = await ask(person('adam'), { user: 'edith@here', resourceAttributes });
    expect(refused.status).to.equal(403);
    expect(refused.text).to.contain('in the namespace');
  });

  // Promise: contract 7
  it('need neither apiVersion nor kind, because the path tells both', async () => {
    const attributes = {
      resourceAttributes: { group: 'folder.svc.app', resource: 'folders', verb: 'list', namespace: 'default' },
    };
    const bodies: Readonly<Record<string, unknown>> = {
      'authentication.k8s.io/v1/selfsubjectreviews': {},
      'authorization.k8s.io/v1/selfsubjectaccessreviews': { spec: attributes },
      'authorization.k8s.io/v1/subjectaccessreviews': {
        apiVersion: '',
        kind: '',
        spec: { ...attributes, user: 'vera@here' },
      },
      'authorization.k8s.io/v1/selfsubjectrulesreviews': { spec: { namespace: 'default' } },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const answer = await server().call('POST', `/apis/${path}`, { user: ADMIN, body });
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.json(), path).to.have.property('kind').that.is.not.empty;
    }
  });

  it('answer 422 without attributes, 400 for a body of another kind, and 405 for other methods', async () => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: {} };
    expect((await server().call('POST', path, { body })).status).to.equal(422);
    expect((await server().call('POST', path, { body: { ...body, kind: 'Folder' } })).status).to.equal(400);
    expect((await server().call('GET', path)).status).to.equal(405);
  });

  it('are listed in discovery', async () => {
    const list = JSON.parse((await server().call('GET', '/apis/authorization.k8s.io/v1')).text);
    expect(list.resources.map(({ name }: { readonly name: string }) => name)).to.include.members([
      'selfsubjectaccessreviews',
      'selfsubjectrulesreviews',
      'subjectaccessreviews',
    ]);
  });

  describe('impersonation', () => {
    const as = (user: UserInfo, headers: Readonly<Record<string, string>>) =>
      server().call('DELETE', `${FOLDERS}/closed`, { user, headers, query: { dryRun: 'All' } });

    it('gives a request the permissions of the named user only', async () => {
      expect((await as(ADMIN, { 'impersonate-user': 'edith@here' })).status).to.equal(200);
      const refused = await as(ADMIN, { 'impersonate-user': 'vera@here' });
      expect(refused.status).to.equal(403);
      expect(refused.json().message).to.include('User "vera@here" cannot delete');
      expect((await as(ADMIN, { 'impersonate-user': 'system:serviceaccount:default:robot' })).status).to.equal(403);
    });

    it('writes nothing if the credential of the administrator is no longer valid at the commit', async () => {
      const user = { ...ADMIN, stillValid: () => false };
      expect((await as(user, { 'impersonate-user': 'edith@here' })).status).to.equal(401);
    });

    // Promise: security rights
    it('is allowed for server administrators only', async () => {
      const refused = await as(person('adam'), { 'impersonate-user': 'admin' });
      expect(refused.status).to.equal(403);
      expect(refused.json().message).to.include('cannot impersonate resource "users"');
    });

    it('applies to the legacy API too', async () => {
      const legacy = (method: string, path: string, name: string, user = ADMIN) =>
        server().call(method, `/api${path}`, {
          user,
          headers: { 'impersonate-user': name },
          ...(method === 'POST' && { body: { title: 'Legacy' } }),
        });
      const own = await legacy('GET', '/user', 'vera@here');
      expect([own.status, JSON.parse(own.text).login]).to.deep.equal([200, 'vera@here']);
      expect((await legacy('POST', '/folders', 'vera@here')).status).to.equal(403);
      expect((await legacy('POST', '/folders', 'edith@here')).status).to.equal(200);
      const refused = await legacy('GET', '/user', 'edith@here', person('vera'));
      expect([refused.status, JSON.parse(refused.text).title]).to.deep.equal([403, 'Access denied']);
    });

    it('is ignored where anyone may ask', async () => {
      const headers = { 'impersonate-user': 'edith@here' };
      expect((await server().call('GET', '/api/health', { user: null, headers })).status).to.equal(200);
    });

    describe('of system:anonymous', () => {
      const WHOAMI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const asAnonymous = { 'impersonate-user': 'system:anonymous' };
      const groupsOf = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
        const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
        return JSON.parse((await server().call('POST', WHOAMI, { headers, body })).text).status.userInfo.groups;
      };

      it('adds only the group system:unauthenticated', async () => {
        expect(await groupsOf(asAnonymous)).to.deep.equal(['system:unauthenticated']);
        const named = { ...asAnonymous, 'impersonate-group': 'system:unauthenticated' };
        expect(await groupsOf(named)).to.deep.equal(['system:unauthenticated']);
        expect(await groupsOf({ ...named, 'impersonate-user': 'ann' })).to.deep.equal(['system:unauthenticated']);
        expect((await as(ADMIN, asAnonymous)).status).to.equal(403);
      });

      it('has no permissions of the user with the given uid', async () => {
        const { status } = await server().call('GET', FOLDERS, { user: person('edith') });
        expect(status).to.equal(200);
        expect((await as(ADMIN, { ...asAnonymous, 'impersonate-uid': 'edith' })).status).to.equal(403);
      });
    });

    // Promise: contract 7
    it('of a group needs a user', async () => {
      expect((await as(ADMIN, { 'impersonate-group': 'system:masters' })).status).to.equal(400);
    });
  });

  // Promise: contract 7
  it('warn of fields that they do not know, and refuse them with Strict', async () => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const body = {
      spec: { resourceAttributes: { verb: 'get', resource: 'folders', namespce: 'default' } },
      status: {},
    };
    const answer = await server().call('POST', path, { body });
    const unknown = 'unknown field \\"spec.resourceAttributes.namespce\\"';
    expect([answer.status, answer.headers['warning']]).to.deep.equal([201, [`299 - "${unknown}"`]]);
    expect((await server().call('POST', path, { body, query: { fieldValidation: 'Strict' } })).status).to.equal(400);
  });
});
