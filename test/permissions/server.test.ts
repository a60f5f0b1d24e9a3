import { expect } from 'chai';
import { CALLERS, type Caller } from '../../apis/testing/callers.js';
import { builtConsole } from '../console/built.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { SERVER_TABLE } from './server-table.js';
import { type Outcome, rowsOf } from './table.js';

const ROWS = rowsOf(SERVER_TABLE);
const IAM = '/apis/iam.svc.app/v1beta1';
const HERE = `${IAM}/namespaces/default`;
/** The roles of the callers. The outsider administers another organization. */
const ROLES: Readonly<Record<Exclude<Caller, 'anon'>, string>> = {
  viewer: 'Viewer',
  editor: 'Editor',
  admin: 'Admin',
  root: 'Viewer',
  botV: 'Viewer',
  botA: 'Admin',
  member: 'Viewer',
  lead: 'Viewer',
  outsider: 'Admin',
};
/** Paths of kinds, which have their own table. */
const OF_KINDS = /^\/(apis|openapi\/v3)\/./;

type Headers = Readonly<Record<string, string>>;

describe('permissions of what belongs to no kind', function suite() {
  this.timeout(120_000);
  let server: TestServer;
  const callers = new Map<Caller, Headers>();

  before(async () => {
    await builtConsole();
    server = await startServer();
    await post(`${IAM}/organizations`, 'Organization', 'other', { title: 'Other' });
    await post('/apis/folder.svc.app/v1beta1/namespaces/default/folders', 'Folder', 'open', { title: 'Open' });
    for (const caller of CALLERS) callers.set(caller, caller === 'anon' ? {} : await credentialsOf(caller));
  });
  after(() => server.stop());

  const send = async (method: string, path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await server.client.request(method, path, { body });
    expect(answer.status, `${path}: ${answer.text}`).to.be.within(200, 201);
    return answer.json();
  };
  const post = (path: string, kind: string, name: string, spec: object) =>
    send('POST', path, { apiVersion: path.split('/').slice(2, 4).join('/'), kind, metadata: { name }, spec });

  async function credentialsOf(caller: Exclude<Caller, 'anon'>): Promise<Headers> {
    const role = ROLES[caller];
    const name = `a-${caller.toLowerCase()}`;
    if (caller.startsWith('bot')) {
      await post(`${HERE}/serviceaccounts`, 'ServiceAccount', name, { title: name, role });
      const made = await send('POST', `${HERE}/serviceaccounts/${name}/token`, { spec: {} });
      return { authorization: `Bearer ${(made['status'] as { readonly token: string }).token}` };
    }
    const password = `the password of ${name}`;
    const { id } = await send('POST', '/api/admin/users', {
      name,
      login: name,
      email: `${name}@example.com`,
      password,
    });
    if (caller === 'root') await send('PUT', `/api/admin/users/${id}/permissions`, { isGrafanaAdmin: true });
    const { uid } = await send('GET', `/api/users/${id}`, undefined);
    const namespace = caller === 'outsider' ? 'other' : 'default';
    const body = { spec: { userRef: { name: uid }, role } };
    await server.client.request('DELETE', `${HERE}/organizationbindings/${uid}`);
    await post(`${IAM}/namespaces/${namespace}/organizationbindings`, 'OrganizationBinding', `${uid}`, body.spec);
    const signedIn = await fetch(`${server.httpUrl}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: name, password }),
    });
    expect(signedIn.status, await signedIn.text()).to.equal(200);
    return {
      cookie: signedIn.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; '),
    };
  }

  async function outcomeOf(caller: Caller, method: string, template: string): Promise<Outcome> {
    const headers = { accept: 'application/json', 'content-type': 'application/json', ...callers.get(caller) };
    const path = template.replace(':namespace', 'default');
    const body = method === 'POST' ? { body: JSON.stringify({ spec: reviewed(path) }) } : {};
    const { status } = await fetch(`${server.httpUrl}${path}`, { method, headers, redirect: 'manual', ...body });
    return status >= 200 && status < 300 ? 'yes' : status;
  }

  /** The reviews in the discovery documents, which are not stored kinds. */
  async function reviewsIn(paths: readonly string[]): Promise<readonly string[]> {
    const documents = paths.filter((path) => /^\/apis\/[^/]+\/[^/]+$/.test(path));
    const found = await Promise.all(
      documents.map(async (path) => {
        const { resources } = (await send('GET', path, undefined)) as { resources: readonly Discovered[] };
        const reviews = resources.filter(({ kind }) => kind.endsWith('Review'));
        return reviews.map(
          ({ name, namespaced }) => `POST ${path}/${namespaced ? 'namespaces/:namespace/' : ''}${name}`,
        );
      }),
    );
    return found.flat();
  }

  /** The routes of the legacy API that are not below `/api`. */
  async function elsewhere(): Promise<readonly string[]> {
    const { paths } = (await send('GET', '/openapi/legacy', undefined)) as { paths: Record<string, object> };
    const own = Object.entries(paths).filter(([path]) => !path.startsWith('/api/'));
    return own.flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
  }

  it('have a row for each path that the server lists and that is of no kind, and no other rows', async () => {
    const { paths } = (await send('GET', '/', undefined)) as { paths: readonly string[] };
    const listed = ['/', ...paths].filter((path) => !OF_KINDS.test(path)).map((path) => `GET ${path}`);
    const all = new Set([...listed, ...(await elsewhere()), ...(await reviewsIn(paths))]);
    expect(ROWS.map(({ what }) => what).sort()).to.deep.equal([...all].sort());
  });

  for (const { what, expected } of ROWS) {
    it(what, async () => {
      const [method = '', path = ''] = what.split(' ');
      const outcomes: Partial<Record<Caller, Outcome>> = {};
      for (const caller of CALLERS) outcomes[caller] = await outcomeOf(caller, method, path);
      expect(outcomes).to.deep.equal(expected);
    });
  }
});

interface Discovered {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** The spec of a review. */
function reviewed(path: string): object {
  if (path.endsWith('/tokenreviews')) return { token: 'none' };
  if (path.endsWith('/selfsubjectrulesreviews')) return { namespace: 'default' };
  if (path.endsWith('/accesssummaryreviews')) return {};
  if (path.endsWith('/authorreviews'))
    return { objects: [{ group: 'folder.svc.app', resource: 'folders', name: 'open' }] };
  if (path.endsWith('/scopeaccessreviews')) return { scope: { folder: 'open' } };
  if (path.endsWith('/mirrorreviews')) return { address: 'http://127.0.0.1:1', credential: { token: 'none' } };
  const resourceAttributes = { verb: 'get', group: 'folder.svc.app', resource: 'folders', namespace: 'default' };
  if (!path.endsWith('/subjectaccessreviews') && !path.endsWith('/localsubjectaccessreviews'))
    return { resourceAttributes };
  return { resourceAttributes, user: 'somebody' };
}
