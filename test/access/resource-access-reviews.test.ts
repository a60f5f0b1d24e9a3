import { expect } from 'chai';
import { ResourceAccessStatus } from '../../apis/authorization/access-review.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { addFolder, addPeople, addPerson, addTeam, addTeamMember, bind, CALLERS, HERE, person } from './people.js';

const FOLDER = { group: 'folder.svc.app', resource: 'folders' };

oneStore('reviews of who may do something', (server) => {
  before(async () => {
    await addPeople(server());
    await addFolder(server(), 'open');
    await addFolder(server(), 'below', 'open');
    await addPerson(server(), 'tess', 'None');
    await addTeam(server(), 'crew');
    await addTeamMember(server(), 'crew', 'tess');
    await bind(server(), 'crew-open', { subject: ['Team', 'crew'], role: ['BuiltIn', 'Edit'], folder: 'open' });
    await bind(server(), 'vera-open', { subject: ['User', 'vera'], role: ['BuiltIn', 'Admin'], folder: 'open' });
  });

  const post = (spec: unknown, user: UserInfo = ADMIN) =>
    server().call('POST', `${HERE}/resourceaccessreviews`, { user, body: { spec } });
  const ask = async (resourceAttributes: object, more: object = {}): Promise<ResourceAccessStatus> => {
    const answer = await post({ resourceAttributes: { ...FOLDER, ...resourceAttributes }, ...more });
    expect(answer.status, answer.text).to.equal(201);
    return ResourceAccessStatus.parse(JSON.parse(answer.text).status);
  };

  it('name everybody who may, and each thing that alone is enough', async () => {
    const { subjects, examined } = await ask({ verb: 'delete', name: 'below' });
    const because = Object.fromEntries(subjects.map((one) => [one.name, one.because]));
    expect(because).to.have.all.keys([
      'adam',
      'edith',
      'tess',
      'vera',
      ...Object.keys(because).filter(isAdministrator),
    ]);
    expect(because['adam']).to.deep.equal([{ role: 'Admin' }]);
    expect(because['edith']).to.deep.equal([{ role: 'Editor' }]);
    expect(because['tess']).to.deep.equal([
      {
        binding: {
          subject: { kind: 'Team', name: 'crew' },
          roleRef: { kind: 'BuiltIn', name: 'Edit' },
          scope: { folder: 'open' },
        },
      },
    ]);
    expect(because['vera']?.map(({ binding }) => binding?.roleRef.name)).to.deep.equal(['Admin']);
    expect(examined).to.be.greaterThan(subjects.length);
  });

  it('agree with what each caller is told about themselves', async () => {
    for (const attributes of [
      { verb: 'get', name: 'open' },
      { verb: 'create' },
      { verb: 'list', group: 'iam.svc.app', resource: 'teams' },
      { verb: 'get', group: 'iam.svc.app', resource: 'users', name: 'vera' },
    ]) {
      const names = (await ask(attributes)).subjects.map(({ name }) => name);
      for (const user of Object.values(CALLERS).filter(({ name }) => !['admin', 'otto@here'].includes(name))) {
        const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
        const resourceAttributes = { ...FOLDER, namespace: 'default', ...attributes };
        const { text } = await server().call('POST', path, { user, body: { spec: { resourceAttributes } } });
        const what = `${user.name} ${JSON.stringify(attributes)}`;
        expect(names.includes(user.uid || user.name), what).to.equal(JSON.parse(text).status.allowed);
      }
    }
  });

  it('examine at most as many callers as asked for, and continue after the last one', async () => {
    const whole = await ask({ verb: 'get', name: 'open' });
    const pages: ResourceAccessStatus[] = [];
    for (let next: string | undefined = ''; next !== undefined; next = pages.at(-1)?.continue)
      pages.push(await ask({ verb: 'get', name: 'open' }, { limit: 2, continue: next }));
    expect(pages.every(({ examined }) => examined <= 2)).to.equal(true);
    expect(pages.flatMap(({ subjects }) => subjects)).to.deep.equal(whole.subjects);
  });

  // Promise: security rights
  it('are for administrators, and answer only POST', async () => {
    const spec = { resourceAttributes: { ...FOLDER, verb: 'get' } };
    const refused = await post(spec, person('edith'));
    expect(refused.status).to.equal(403);
    expect(refused.text).to.contain('resourceaccessreviews').and.to.contain('in the namespace');
    expect((await server().call('GET', `${HERE}/resourceaccessreviews`)).status).to.equal(405);
    expect((await post({})).status).to.equal(422);
    expect((await post({ ...spec, limit: 501 })).status).to.equal(422);
  });

  // Promise: security rights
  it('tell administrators of the organization about its members only', async () => {
    const spec = { resourceAttributes: { ...FOLDER, verb: 'get', name: 'open' } };
    const answer = await post(spec, person('adam'));
    expect(answer.status, answer.text).to.equal(201);
    const { subjects } = ResourceAccessStatus.parse(JSON.parse(answer.text).status);
    const names = subjects.map(({ name }) => name);
    expect(names).to.include.members(['adam', 'edith', 'vera']);
    const { items } = (await server().call('GET', `${HERE}/organizationbindings`)).json();
    const members = new Set(items.map(({ metadata }) => metadata.name));
    const users = subjects.filter(({ kind }) => kind === 'User').map(({ name }) => name);
    expect(users.filter((name) => !members.has(name))).to.deep.equal([]);
    const elsewhere = `${HERE.replace('default', 'other')}/resourceaccessreviews`;
    expect((await server().call('POST', elsewhere, { user: person('adam'), body: { spec } })).status).to.equal(403);
    const outside = { group: 'iam.svc.app', resource: 'organizations', verb: 'update', name: 'other' };
    const told = await post({ resourceAttributes: outside }, person('adam'));
    expect(told.status, 'who administers another organization').to.equal(403);
  });

  it('are in discovery and OpenAPI', async () => {
    const list = JSON.parse((await server().call('GET', '/apis/iam.svc.app/v1beta1')).text);
    expect(list.resources.map(({ name }: { readonly name: string }) => name)).to.include('resourceaccessreviews');
    const { text } = await server().call('GET', '/openapi/v3/apis/iam.svc.app/v1beta1');
    expect(text).to.contain('ResourceAccessReviewSubject');
  });
});

oneStore(
  'reviews of who may do something, with callers without credentials',
  (server) => {
    it('name these, and their role', async () => {
      await addFolder(server(), 'open');
      const resourceAttributes = { ...FOLDER, verb: 'get', name: 'open' };
      const { text } = await server().call('POST', `${HERE}/resourceaccessreviews`, {
        body: { spec: { resourceAttributes } },
      });
      const { subjects } = ResourceAccessStatus.parse(JSON.parse(text).status);
      expect(subjects.find(({ kind }) => kind === 'Anonymous')).to.deep.equal({
        kind: 'Anonymous',
        name: 'system:anonymous',
        because: [{ role: 'Viewer' }],
      });
    });
  },
  { allowsAnonymous: true },
);

/** Administrators of the server may do everything, and the server has one from the start. */
const isAdministrator = (name: string): boolean => name === 'admin' || name.length === 26;
