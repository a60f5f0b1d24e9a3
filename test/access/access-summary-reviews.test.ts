import { expect } from 'chai';
import { AccessSummaryStatus } from '../../apis/authorization/access-summary.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { addDashboard, addFolder, addPeople, addTeam, bind, CALLERS, HERE, PRIVATE, person } from './people.js';

oneStore('reviews of what somebody may do', (server) => {
  before(async () => {
    await addPeople(server());
    for (const name of ['open', 'shut', 'other']) await addFolder(server(), name);
    for (const folder of ['open', 'shut']) await addDashboard(server(), `in-${folder}`, folder);
    const path = '/apis/folder.svc.app/v1beta1/namespaces/default/folders/shut';
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = { metadata: { annotations: PRIVATE } };
    expect((await server().call('PATCH', path, { body, headers })).status).to.equal(200);
    await addTeam(server(), 'crew');
    await bind(server(), 'crew-shut', { subject: ['Team', 'crew'], role: ['BuiltIn', 'Edit'], folder: 'shut' });
  });

  const post = (spec: object, user: UserInfo = ADMIN) =>
    server().call('POST', `${HERE}/accesssummaryreviews`, { user, body: { spec } });
  const about = async (subject: readonly [kind: string, name: string] | undefined, user?: UserInfo) => {
    const answer = await post(subject ? { subject: { kind: subject[0], name: subject[1] } } : {}, user);
    expect(answer.status, answer.text).to.equal(201);
    const { kinds } = AccessSummaryStatus.parse(JSON.parse(answer.text).status);
    return (resource: string, verb: string): string => {
      const found = kinds.find((one) => one.resource === resource)?.verbs.find((one) => one.verb === verb);
      return `${found?.extent}${found?.of === undefined ? '' : ` ${found.objects} of ${found.of}`}`;
    };
  };

  it('say with how many objects a verb is allowed, without those that are private', async () => {
    const vera = await about(['User', 'vera']);
    expect([vera('folders', 'get'), vera('folders', 'list'), vera('dashboards', 'get')]).to.deep.equal([
      'some 2 of 3',
      'some 2 of 3',
      'some 1 of 2',
    ]);
    expect([vera('folders', 'delete'), vera('folders', 'create')]).to.deep.equal(['none', 'none']);
    const edith = await about(['User', 'edith']);
    expect([edith('folders', 'update'), edith('dashboards', 'create')]).to.deep.equal(['some 2 of 3', 'some 2 of 3']);
    const adam = await about(['User', 'adam']);
    expect([adam('folders', 'delete'), adam('teams', 'get'), adam('users', 'delete')]).to.deep.equal([
      'all',
      'all',
      'none',
    ]);
    const crew = await about(['Team', 'crew']);
    expect([crew('folders', 'get'), crew('dashboards', 'update')]).to.deep.equal(['some 1 of 3', 'some 1 of 2']);
    expect((await about(undefined))('folders', 'delete')).to.equal('all');
    expect((await about(['ServiceAccount', 'robot']))('folders', 'get')).to.equal('some 2 of 3');
  });

  it('list the folders and dashboards that somebody may open, with the level and where it comes from, in pages', async () => {
    const listed = async (subject: object | undefined, places: object, user: UserInfo = ADMIN) => {
      const answer = await post({ ...(subject && { subject }), places }, user);
      expect(answer.status, answer.text).to.equal(201);
      const { kinds, places: found } = AccessSummaryStatus.parse(JSON.parse(answer.text).status);
      expect(kinds).to.deep.equal([]);
      return found;
    };
    const words = (found: Awaited<ReturnType<typeof listed>>) =>
      found?.places.map(({ name, level, because }) => `${name} ${level} ${because?.subject.kind} ${because?.title}`);
    const vera = { kind: 'User', name: 'vera' };
    expect(words(await listed(vera, { resource: 'folders' }))).to.deep.equal([
      'open View BasicRole Viewer',
      'other View BasicRole Viewer',
    ]);
    expect(words(await listed(undefined, { resource: 'dashboards' }, person('vera')))).to.deep.equal([
      'in-open View BasicRole Viewer',
    ]);
    const crew = { kind: 'Team', name: 'crew' };
    const [shut] = (await listed(crew, { resource: 'folders' }))?.places ?? [];
    expect([
      shut?.name,
      shut?.level,
      shut?.because?.binding?.spec.roleRef.name,
      shut?.because?.placeTitle,
    ]).to.deep.equal(['shut', 'Edit', 'Edit', 'shut']);
    expect(words(await listed(crew, { resource: 'dashboards' }))).to.deep.equal(['in-shut Edit Team Team crew']);
    const first = await listed({ kind: 'User', name: 'adam' }, { resource: 'folders', limit: 2 });
    const next = await listed(
      { kind: 'User', name: 'adam' },
      { resource: 'folders', limit: 2, continue: first?.continue },
    );
    expect([first, next].map((found) => found?.places.map(({ name }) => name))).to.deep.equal([
      ['open', 'other'],
      ['shut'],
    ]);
    expect(next?.continue).to.equal(undefined);
    expect(await listed(undefined, { resource: 'folders' })).to.deep.equal({ places: [], serverAdministrator: true });
    expect((await post({ subject: vera, places: { resource: 'folders' } }, person('edith'))).status).to.equal(403);
  });

  it('agree with what each caller may get', async () => {
    for (const uid of ['adam', 'edith', 'vera', 'norm'])
      for (const resource of [
        'folder.svc.app/v1beta1/namespaces/default/folders',
        'dashboard.svc.app/v1beta1/namespaces/default/dashboards',
      ]) {
        const list = await server().call('GET', `/apis/${resource}`, { user: person(uid) });
        const count = list.status === 200 ? list.json().items.length : 0;
        const of = resource.endsWith('folders') ? 3 : 2;
        const expected = count === 0 ? 'none' : count === of ? 'all' : `some ${count} of ${of}`;
        expect((await about(['User', uid]))(resource.split('/').at(-1) ?? '', 'get'), uid).to.equal(expected);
      }
  });

  // Promise: security rights
  it('are about the caller, and about others for administrators of the organization', async () => {
    const own = await about(undefined, person('vera'));
    expect(own('folders', 'get'), 'without the number of those that are private').to.equal('some');
    expect(own('organizationbindings', 'list'), 'only their own').to.equal('some');
    expect(own('organizations', 'get'), 'those that they belong to').to.equal('some');
    const told = await about(['User', 'vera'], person('adam'));
    expect(told('folders', 'get')).to.equal('some 2 of 3');
    expect(told('organizations', 'get'), 'what is outside of the organization').to.equal('undefined');
    const vera = { subject: { kind: 'User', name: 'vera' } };
    expect((await post(vera, person('vera'))).status).to.equal(201);
    expect((await post(vera, person('adam'))).status).to.equal(201);
    for (const user of [person('edith'), CALLERS['outsider'], CALLERS['service account'], CALLERS['anonymous']])
      expect((await post(vera, user)).status).to.be.oneOf([401, 403]);
    const missing = [
      await post({ subject: { kind: 'User', name: 'otto' } }, person('adam')),
      await post({ subject: { kind: 'Team', name: 'nobody' } }),
    ];
    expect(
      missing.map(({ status }) => status),
      'no member, and no team',
    ).to.deep.equal([404, 404]);
  });
});
