import { expect } from 'chai';
import { type AuthorSpec, AuthorStatus } from '../../apis/authorization/author-review.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { account, addFolder, addPeople, EDITOR, FOLDERS, HERE, PRIVATE, person, VIEWER } from './people.js';

const GROUP = 'folder.svc.app';

oneStore('reviews of authors', (server) => {
  const call = async (method: string, path: string, user: UserInfo = ADMIN, body?: unknown): Promise<void> => {
    const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
    const answer = await server().call(method, path, { user, ...(body !== undefined && { body, headers }) });
    expect(answer.status, answer.text).to.be.lessThan(300);
  };
  const change = (name: string, user: UserInfo, title: string) =>
    call('PATCH', `${FOLDERS}/${name}`, user, { spec: { title } });
  const review = (objects: readonly unknown[], user: UserInfo = VIEWER) =>
    server().call('POST', `${HERE}/authorreviews`, { user, body: { spec: { objects } } });
  const authors = async (
    objects: readonly (Partial<AuthorSpec['objects'][number]> & { readonly name: string })[],
    user?: UserInfo,
  ) => {
    const answer = await review(
      objects.map((one) => ({ group: GROUP, resource: 'folders', ...one })),
      user,
    );
    expect(answer.status, answer.text).to.equal(201);
    return AuthorStatus.parse(answer.json().status).authors;
  };
  const EDITH = { author: 'user:edith', title: 'Edith', login: 'edith@here' };

  before(async () => {
    await addPeople(server());
    const users = '/apis/iam.svc.app/v1beta1/users';
    await call('PATCH', `${users}/edith`, ADMIN, { spec: { name: 'Edith' } });
    await addFolder(server(), 'open');
    await addFolder(server(), 'shut');
    await call('PATCH', `${FOLDERS}/shut`, ADMIN, { metadata: { annotations: PRIVATE } });
  });

  // Promise: security rights
  it('name the authors of what a viewer may view, and of nothing else', async () => {
    await change('open', EDITOR, 'By Edith');
    await change('shut', person('adam'), 'By Adam');
    const open = await authors([{ name: 'open' }, { name: 'shut' }, { name: 'none' }]);
    expect(open).to.deep.equal([{ author: 'user:uid-admin' }, EDITH]);
    const all = await authors([{ name: 'shut' }], person('adam'));
    expect(all.map(({ author }) => author)).to.include('user:adam');
    expect(JSON.stringify(all), 'no address').not.to.contain('example.com');
    expect(await authors([{ name: 'open' }], person('norm')), 'a member without a role').to.deep.equal([]);
    expect(await authors([{ name: 'open', resource: 'nothing' }])).to.deep.equal([]);
  });

  it('name the authors of earlier versions and of deletions, as the history and the trash show them', async () => {
    await addFolder(server(), 'past');
    await change('past', EDITOR, 'Two');
    await change('past', ADMIN, 'Three');
    expect(await authors([{ name: 'past' }])).not.to.deep.include(EDITH);
    expect(await authors([{ name: 'past', versionsBelow: 2 }])).not.to.deep.include(EDITH);
    expect(await authors([{ name: 'past', versionsBelow: 3 }])).to.deep.include(EDITH);
    await call('DELETE', `${FOLDERS}/past`, person('adam'));
    await addFolder(server(), 'past');
    await call('DELETE', `${FOLDERS}/past`);
    const deleted = await authors([{ name: 'past' }], ADMIN);
    expect(deleted.map(({ author }) => author)).to.have.members(['user:uid-admin', 'user:adam']);
    await call('DELETE', `${FOLDERS}/shut`);
    expect(await authors([{ name: 'shut' }]), 'a private one').to.deep.equal([]);
  });

  it('name service accounts by their title, and say who is no account any more by no title', async () => {
    await addFolder(server(), 'made');
    await call('PATCH', '/apis/iam.svc.app/v1beta1/namespaces/default/serviceaccounts/robot', ADMIN, {
      spec: { title: 'Robot', role: 'Editor' },
    });
    await change('made', account('robot'), 'By a robot');
    expect(await authors([{ name: 'made' }])).to.deep.include({ author: 'service-account:robot', title: 'Robot' });
    await call('DELETE', '/apis/iam.svc.app/v1beta1/namespaces/default/serviceaccounts/robot');
    const [, gone] = await authors([{ name: 'made' }]);
    expect(gone).to.deep.equal({ author: 'service-account:robot' });
  });

  it('refuse more than they can look at', async () => {
    const one = { group: GROUP, resource: 'folders', name: 'open' };
    expect((await review(Array(101).fill(one))).status).to.equal(422);
    expect((await review(Array(6).fill({ ...one, versionsBelow: 9 }))).status).to.equal(422);
    expect((await review([])).status).to.equal(422);
  });
});
