import { Writable } from 'node:stream';
import { expect } from 'chai';
import { kinds as allKinds } from '../../apis/kinds.js';
import { check } from '../../cmd/adminctl/store/check.js';
import type { Place } from '../../cmd/adminctl/store/place.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { addDashboard, addFolder, addPeople, bind, DASHBOARDS, FOLDERS, HERE, person } from '../access/people.js';
import { DEFINITIONS, isEstablished } from '../custom/definition.js';
import { garbageWorld } from '../garbage/world.js';
import { bodyOf, expectStatus } from '../harness/resource.js';
import { ADMIN, ENVIRONMENT, openServer, type Server } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { LASTING, openAt, places, settingsOf } from '../tools/fixture.js';

const SCOPES = ['Namespaced', 'Cluster'] as const;
type Scope = (typeof SCOPES)[number];

/** The compiled kinds, also those that no client sees. */
const KINDS = allKinds(ENVIRONMENT);
/** The names of objects that the server has, so that a kind which takes the place of another one is seen. */
const NAMES = ['pub', 'admin'];

const VERA = person('vera');

/** Every name of a compiled kind, in a group of its own. */
function definitionLike({ kind, resource, singular, shortNames = [], categories }: Kind, group: string, scope: Scope) {
  const names = { plural: resource, singular, kind, listKind: `${kind}List`, shortNames, categories };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${resource}.${group}`, labels: { 'svc.app/viewer': 'read', 'svc.app/editor': 'write' } },
    spec: { group, scope, names, versions: [VERSION] },
  };
}

const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const VERSION = { name: 'v1beta1', served: true, storage: true, schema: { openAPIV3Schema: ANYTHING } };

/** The group begins with that of the compiled kind, as clients look for groups. */
function groupLike({ group }: Kind, scope: Scope, number: number): string {
  const first = group === '' ? 'core' : (group.split('.')[0] ?? '');
  return `${first}.${scope === 'Cluster' ? 'c' : 'n'}${number}.example.com`;
}

async function defineLike(server: Server, kind: Kind, number: number): Promise<void> {
  for (const scope of SCOPES) {
    const group = groupLike(kind, scope, number);
    const definition = definitionLike(kind, group, scope);
    const made = bodyOf(await server.call('POST', DEFINITIONS, { body: definition }), 201);
    expect(isEstablished(made), JSON.stringify(made.status)).to.equal(true);
    const path = `/apis/${group}/v1beta1${scope === 'Cluster' ? '' : '/namespaces/default'}/${kind.resource}`;
    for (const name of NAMES) {
      const body = { apiVersion: `${group}/v1beta1`, kind: kind.kind, metadata: { name }, spec: { title: 'stranger' } };
      bodyOf(await server.call('POST', path, { body }), 201);
    }
    expect(bodyOf(await server.call('GET', `${path}/pub`), 200)).to.deep.include({ spec: { title: 'stranger' } });
  }
}

/** What the legacy API, and the resource API of the compiled kinds, answer to several callers. */
const READS = [
  '/api/folders',
  '/api/folders/pub',
  '/api/folders/priv',
  '/api/folders/pub/counts',
  '/api/folders/pub/permissions',
  '/api/search?query=',
  '/api/dashboards/uid/pub',
  '/api/dashboards/home',
  '/api/library-elements',
  '/api/v1/provisioning/alert-rules',
  '/api/annotations',
  '/api/org',
  '/api/orgs',
  '/api/org/users',
  '/api/org/preferences',
  '/api/user/preferences',
  '/api/user/stars',
  '/api/user/teams',
  '/api/user/orgs',
  '/api/users',
  '/api/users/lookup?loginOrEmail=vera@here',
  '/api/teams/search',
  '/api/serviceaccounts/search',
  '/api/access-control/roles',
  '/api/access-control/users/permissions/search',
  '/api/query-history',
  '/api/v1/sso-settings',
  FOLDERS,
  DASHBOARDS,
  `${HERE}/roles`,
  `${HERE}/rolebindings`,
  '/apis/iam.svc.app/v1beta1/users/vera',
  '/api/v1/namespaces/default/secrets',
  '/api/v1/namespaces/default/events',
];

type Answers = Readonly<Record<string, string>>;

async function answersOf(server: Server): Promise<Answers> {
  const answers: Record<string, string> = {};
  for (const user of [ADMIN, VERA])
    for (const path of READS) {
      const { status, text } = await server.call('GET', path, { user });
      answers[`${user.name} ${path}`] = `${status} ${comparable(text)}`;
    }
  return answers;
}

function differences(before: Answers, now: Answers): readonly string[] {
  return Object.entries(now).flatMap(([question, answer]) =>
    answer === before[question] ? [] : [`${question}: ${answer}, and before ${before[question]}`],
  );
}

/** Without what differs at each request: the revision of a list, and the number of a refusal. */
const comparable = (text: string): string =>
  text.replace(/("metadata":\{)"resourceVersion":"\d+"/, '$1').replace(/ACE\d+/, 'ACE');

/** Changes one object of nearly every compiled kind by the legacy API, and takes the change back. */
async function work(server: Server): Promise<readonly string[]> {
  const statuses: string[] = [];
  const call = async (method: string, path: string, body?: unknown, user?: UserInfo) => {
    const answer = await server.call(method, path, { ...(body !== undefined && { body }), ...(user && { user }) });
    statuses.push(`${method} ${path.replaceAll(/\d+/g, 'N')} ${answer.status}`);
    return answer.text === '' ? {} : (JSON.parse(answer.text) as { readonly id?: number; readonly orgId?: number });
  };
  await call('POST', '/api/folders', { uid: 'made', title: 'Made' });
  await call('POST', '/api/dashboards/db', { dashboard: { uid: 'made', title: 'Made' }, folderUid: 'made' });
  await call('POST', '/api/folders/made/permissions', { items: [{ role: 'Viewer', permission: 1 }] });
  await call('POST', '/api/user/stars/dashboard/uid/made', {}, VERA);
  await call('GET', '/api/dashboards/uid/made', undefined, VERA);
  await call('DELETE', '/api/folders/made?forceDeleteRules=true');
  await call('GET', '/api/dashboards/uid/made');
  const user = await call('POST', '/api/admin/users', { login: 'passing', password: 'a long pass phrase' });
  await call('PUT', `/api/admin/users/${user.id}/password`, { password: 'another long phrase' });
  await call('GET', `/api/admin/users/${user.id}/auth-tokens`);
  await call('POST', `/api/admin/users/${user.id}/logout`);
  await call('DELETE', `/api/admin/users/${user.id}`);
  const account = await call('POST', '/api/serviceaccounts', { name: 'passing', role: 'Viewer' });
  await call('POST', `/api/serviceaccounts/${account.id}/tokens`, { name: 'key' });
  await call('GET', `/api/serviceaccounts/${account.id}/tokens`);
  await call('DELETE', `/api/serviceaccounts/${account.id}`);
  const organization = await call('POST', '/api/orgs', { name: 'Passing' });
  await call('DELETE', `/api/orgs/${organization.orgId}`);
  await call('GET', '/api/admin/stats');
  return statuses;
}

interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly versions: readonly { readonly resources: readonly { readonly resource: string }[] }[];
  }[];
}

/** The number of objects, which the statistics tell apart by kind. */
async function statisticsOf(server: Server): Promise<string> {
  return (await server.call('GET', '/api/admin/stats')).text;
}

async function checked(place: Place): Promise<string> {
  let text = '';
  const out = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  const code = await check({ settings: settingsOf(place) }, { out, err: out, env: {} });
  return `${code} ${text}`;
}

for (const store of LASTING) {
  describe(`definitions with the names of compiled kinds (${store})`, function () {
    this.timeout(120_000);
    const { fresh } = places();
    let [place, server]: [Place | undefined, Server | undefined] = [undefined, undefined];
    let [answers, statuses, statistics]: [Answers, readonly string[], string] = [{}, [], ''];
    const open = async (): Promise<Server> => openServer(await openAt(place as Place));
    const running = (): Server => server as Server;

    before(async () => {
      place = fresh(store);
      server = await open();
      await addPeople(server);
      for (const name of ['pub', 'priv']) await addFolder(server, name);
      await addDashboard(server, 'pub', 'pub');
      const headers = { 'content-type': 'application/merge-patch+json' };
      const body = { metadata: { annotations: { 'svc.app/basic-roles': 'none' } } };
      bodyOf(await server.call('PATCH', `${FOLDERS}/priv`, { headers, body }), 200);
      await bind(server, 'edith-on-priv', { subject: ['User', 'edith'], role: ['BuiltIn', 'Edit'], folder: 'priv' });
      statuses = await work(server);
      [answers, statistics] = [await answersOf(server), await statisticsOf(server)];
      expect(statuses.filter((one) => !/ (200|201|404)$/.test(one))).to.deep.equal([]);
    });
    after(() => server?.close());

    KINDS.forEach((kind, number) => {
      // Promise: security rights
      it(`${kind.kind} of ${kind.group || 'the core group'} keeps its place in both APIs, for all callers`, async () => {
        await defineLike(running(), kind, number);
        expect(differences(answers, await answersOf(running()))).to.deep.equal([]);
        expect(await statisticsOf(running())).to.equal(statistics);
      });
    });

    it('clients that look for a kind by its plural find the compiled one first, in the order of discovery', async () => {
      const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
      const { items } = JSON.parse((await running().call('GET', '/apis', { headers: { accept } })).text) as Discovery;
      const places = items.flatMap(({ metadata, versions }) =>
        (versions[0]?.resources ?? []).map(({ resource }) => ({ resource, group: metadata.name })),
      );
      for (const { group, resource } of KINDS.filter(({ served, group: named }) => served && named !== ''))
        expect(places.find((one) => one.resource === resource)?.group, resource).to.equal(group);
    });

    // Promise: security rights
    it('an owner is a compiled object or one of a definition, by its group, and garbage collection keeps them apart', async () => {
      const world = garbageWorld(running);
      const [number, kind] = [KINDS.length, KINDS.find(({ kind }) => kind === 'Folder') as Kind];
      await defineLike(running(), kind, number);
      const group = groupLike(kind, 'Namespaced', number);
      const path = `/apis/${group}/v1beta1/namespaces/default/folders`;
      const folder = await world.folder();
      const body = { apiVersion: `${group}/v1beta1`, kind: 'Folder', metadata: { name: folder.reference.name } };
      const { uid = '' } = bodyOf(await running().call('POST', path, { body }), 201).metadata;
      const { name } = folder.reference;
      const other = { path: `${path}/${name}`, reference: { apiVersion: body.apiVersion, kind: body.kind, name, uid } };
      const ofOther = await world.team({ owners: [other.reference] });
      const ofFolder = await world.team({ owners: [folder.reference] });
      await world.remove(other);
      await world.gone(ofOther);
      await world.expectThere(folder, ofFolder);
      await world.remove(folder);
      await world.gone(ofFolder);
    });

    it('the legacy API writes the compiled kinds only', async () => {
      expect(await work(running())).to.deep.equal(statuses);
      expect(differences(answers, await answersOf(running()))).to.deep.equal([]);
    });

    // Promise: security rights
    it('the server starts again, with and without its log, and answers as before', async () => {
      for (const compact of [false, true]) {
        await running().restart({ compact });
        expect(differences(answers, await answersOf(running()))).to.deep.equal([]);
      }
      expect(await work(running())).to.deep.equal(statuses);
    });

    it('adminctl check finds nothing wrong', async () => {
      await running().close();
      server = undefined;
      const text = await checked(place as Place);
      server = await open();
      expect(text).to.match(/^0 .*nothing is wrong/);
    });
  });
}

oneStore('groups of the server', (server) => {
  const folder = { ...KINDS.find(({ kind }) => kind === 'Folder'), resource: 'others', singular: 'other' } as Kind;
  const causeOf = async (group: string): Promise<string> => {
    const answer = await server().call('POST', DEFINITIONS, { body: definitionLike(folder, group, 'Namespaced') });
    return expectStatus(answer, 422, 'Invalid').message ?? '';
  };

  // Promise: security rights
  it('and groups below them are refused in definitions, with the reason', async () => {
    for (const group of ['svc.app', 'folder.svc.app', 'x.folder.svc.app', 'internal.svc.app', 'new.svc.app'])
      expect(await causeOf(group), group).to.contain('groups that end with svc.app are those of this server');
  });

  // Promise: security rights
  it('cannot be imitated by one without a dot, in other letters, or with a dot at its end', async () => {
    for (const group of ['folder', 'password', 'Folder.svc.app', 'folder.SVC.APP', 'folder.svc.app.', '.svc.app'])
      expect(await causeOf(group), group).to.match(/spec\.group|metadata\.name/);
  });

  it('of Kubernetes need its approval, and give no name away that a compiled kind has', async () => {
    for (const { group, ...kind } of KINDS.filter(({ group: one }) => one.endsWith('.k8s.io'))) {
      const same = definitionLike({ ...kind, group } as Kind, group, 'Namespaced');
      const { metadata, spec } = same;
      const approved = { ...metadata, annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' } };
      const create = (body: unknown) => server().call('POST', DEFINITIONS, { body });
      expectStatus(await create({ ...same, metadata: approved }), 422, 'Invalid');
      const other = { ...approved, name: `others.${group}` };
      const names = { ...spec.names, plural: 'others', singular: 'other' };
      const made = bodyOf(await create({ ...same, metadata: other, spec: { ...spec, names } }), 201);
      expect(isEstablished(made), group).to.equal(false);
    }
  });

  it('of Kubernetes leave the reviews where they are, whatever a definition calls its objects', async () => {
    const group = 'authorization.k8s.io';
    const review = { group, resource: 'selfsubjectaccessreviews', singular: 'selfsubjectaccessreview' };
    const names = { ...review, kind: 'SelfSubjectAccessReview' };
    const { spec, metadata, ...definition } = definitionLike(names as Kind, group, 'Cluster');
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' };
    const versions = [{ ...VERSION, name: 'v1' }];
    const body = { ...definition, metadata: { ...metadata, annotations }, spec: { ...spec, versions } };
    bodyOf(await server().call('POST', DEFINITIONS, { body }), 201);
    const question = { resourceAttributes: { group: 'folder.svc.app', resource: 'folders', verb: 'list' } };
    const asked = { apiVersion: `${group}/v1`, kind: names.kind, metadata: { name: 'a' }, spec: question };
    const answer = bodyOf(await server().call('POST', `/apis/${group}/v1/${review.resource}`, { body: asked }), 201);
    expect(answer).to.have.nested.property('status.allowed', true);
  });
});
