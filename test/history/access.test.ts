import { expect } from 'chai';
import { encodeContinue } from '../../registry/rest/options/continue-token.js';
import { addFolder, addPeople, addPerson, addRole, bind, FOLDERS, folderBody, person } from '../access/people.js';
import type { Answer } from '../harness/answer.js';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { dashboardObject, removed, retitle, TRASH, worldOf } from './past.js';

interface Binding {
  readonly scope?: { readonly folder?: string };
}

oneStore('who may see and bring back the past', (server) => {
  const world = worldOf(server);
  const { folders, dashboards, restore } = world;
  const by = (caller: string) => ({ user: person(caller) });
  const past = (name: string, caller: string): Promise<Answer> => folders.subresource('history').get(name, by(caller));
  const trashed = async (caller: string): Promise<readonly string[]> => {
    const lists = await Promise.all([folders, dashboards].map((one) => one.list({ query: TRASH, ...by(caller) })));
    return lists
      .flatMap((answer) => (answer.status === 403 ? [] : bodyOf(answer, 200).items))
      .map((one) => one.metadata.name);
  };
  /** Makes a member without a basic role, who has only these permissions. */
  const mallory = async (
    permissions: readonly { readonly action: string; readonly scope: string }[],
  ): Promise<string> => {
    const name = freshName('mallory');
    await addPerson(server(), name, 'None');
    if (permissions.length > 0) {
      await addRole(server(), name, permissions);
      await bind(server(), name, { subject: ['User', name], role: ['Role', name] });
    }
    return name;
  };
  const permit = (caller: string, level: string, folder: string): Promise<void> =>
    bind(server(), freshName('b'), { subject: ['User', caller], role: ['BuiltIn', level], folder });
  const refuse = async (attempt: () => Promise<Answer>): Promise<void> => {
    expectStatus(await changingNothing(server(), attempt), 403, 'Forbidden');
  };

  before(() => addPeople(server()));

  it('readers of an object see its history, and only writers bring back a version', async () => {
    const name = freshName('f');
    await addFolder(server(), name);
    await retitle(folders, name, 'Two');
    expect((await past(name, 'vera')).status).to.equal(200);
    await refuse(() => restore(folders, name, 1, by('vera')));
    await refuse(() => past(name, 'norm'));
    await refuse(() => restore(folders, name, 1, by('norm')));
    expect((await restore(folders, name, 1, by('edith'))).status).to.equal(201);
  });

  it('a version goes back to another folder only for those who may move the object there, and comes back here for those who may change it', async () => {
    const [from, to, name] = [freshName('f'), freshName('f'), freshName('d')];
    await addFolder(server(), from);
    await addFolder(server(), to);
    await world.dashboard(name, from);
    bodyOf(await dashboards.merge(name, { metadata: { annotations: { 'svc.app/folder': to } } }), 200);
    const caller = await mallory([]);
    await permit(caller, 'Edit', to);
    await refuse(() => world.restoreThere(dashboards, name, 1, by(caller)));
    bodyOf(await dashboards.merge(name, { spec: { title: 'Two' } }), 200);
    bodyOf(await restore(dashboards, name, 1, by(caller)), 201);
    const placeOf = async () => bodyOf(await dashboards.get(name), 200).metadata.annotations;
    expect(await placeOf()).to.include({ 'svc.app/folder': to });
    await permit(caller, 'Edit', from);
    bodyOf(await world.restoreThere(dashboards, name, 1, by(caller)), 201);
    expect(await placeOf()).to.include({ 'svc.app/folder': from });
  });

  it('readers of what was deleted see its history and the trash, and only those who may create it again bring it back', async () => {
    const name = freshName('f');
    await addFolder(server(), name);
    await removed(folders, name);
    expect((await past(name, 'vera')).status).to.equal(200);
    expect(await trashed('vera')).to.include(name);
    await refuse(() => restore(folders, name, undefined, by('vera')));
    expect((await restore(folders, name, undefined, by('edith'))).status).to.equal(201);
  });

  it('others get the same answers for what was deleted as for what never was', async () => {
    const name = freshName('f');
    await addFolder(server(), name);
    const caller = await mallory([]);
    await permit(caller, 'Admin', name);
    expect((await past(name, caller)).status).to.equal(200);
    await removed(folders, name);
    expect(await trashed(caller)).to.deep.equal([]);
    for (const attempt of [past, (one: string) => restore(folders, one, undefined, by(caller))]) {
      const [real, never] = [await attempt(name, caller), await attempt('never', caller)];
      expect(real.status).to.equal(403);
      expect(real.text.replaceAll(name, 'never')).to.equal(never.text);
    }
  });

  // Promise: security rights
  it('a new folder with the name of a deleted one gives no access to what was in the deleted one', async () => {
    const [secret, inside] = [freshName('f'), freshName('d')];
    await addFolder(server(), secret);
    await world.dashboard(inside, secret);
    await removed(folders, secret);
    const caller = await mallory([{ action: 'folders:create', scope: 'folders:uid:general' }]);
    const object = folderBody(secret) as { metadata: object };
    const metadata = { ...object.metadata, annotations: { 'svc.app/grant-permissions': 'default' } };
    const own = await server().call('POST', FOLDERS, { body: { ...object, metadata }, ...by(caller) });
    if (own.status !== 201) {
      bodyOf(await server().call('POST', FOLDERS, { body: object }), 201);
      await permit(caller, 'Admin', secret);
    }
    bodyOf(await dashboards.create(dashboardObject(freshName('d'), secret), by(caller)), 201);
    expect(await trashed(caller)).to.deep.equal([]);
    await refuse(() => restore(dashboards, inside, undefined, by(caller)));
    await refuse(() => dashboards.subresource('history').get(inside, by(caller)));
    expect(await trashed('vera'), 'the dashboard is in the trash').to.include(inside);
  });

  it('a new dashboard with the name of a deleted one gives no access to the deleted one', async () => {
    const [secret, other, name] = [freshName('f'), freshName('f'), freshName('d')];
    await addFolder(server(), secret);
    await addFolder(server(), other);
    await world.dashboard(name, secret, { title: 'Secret' });
    await removed(dashboards, name);
    const caller = await mallory([]);
    await permit(caller, 'Admin', other);
    bodyOf(await dashboards.create(dashboardObject(name, other), by(caller)), 201);
    const { text } = await dashboards.subresource('history').get(name, by(caller));
    expect(text).not.to.include('"version":2');
    expect(await trashed(caller)).to.deep.equal([]);
    await removed(dashboards, name);
    const { items } = bodyOf(await dashboards.list({ query: TRASH, ...by(caller) }), 200);
    expect(items.map(({ spec }) => (spec as unknown as { title: string }).title)).to.deep.equal([name]);
  });

  // Promise: security rights
  it('a caller cannot claim the past of another object', async () => {
    const [secret, own] = [freshName('f'), freshName('f')];
    await addFolder(server(), secret);
    await retitle(folders, secret, 'Secret');
    const { uid = '' } = bodyOf(await folders.get(secret), 200).metadata;
    const annotations = { 'svc.app/originUID': uid };
    const object = folderBody(own) as { metadata: object };
    bodyOf(await folders.create({ ...object, metadata: { ...object.metadata, annotations } }, by('edith')), 201);
    bodyOf(await folders.merge(own, { metadata: { annotations }, spec: { title: 'Two' } }, by('edith')), 200);
    expect(bodyOf(await folders.get(own), 200).metadata.annotations).not.to.have.property('svc.app/originUID');
    expect((await world.versions(folders, own)).map(({ version }) => version)).to.deep.equal([2, 1]);
    expectStatus(
      await folders.subresource('history').get(own, { query: { version: 3 }, ...by('edith') }),
      404,
      'NotFound',
    );
  });

  // Promise: security rights
  it('permissions come back only if the caller may give them', async () => {
    const [parent, name] = [freshName('f'), freshName('f')];
    await addFolder(server(), parent);
    await addFolder(server(), name, parent);
    const [caller, boss] = [await mallory([]), await mallory([])];
    await permit(caller, 'Edit', parent);
    await permit(boss, 'Admin', parent);
    await permit(caller, 'Admin', name);
    await removed(folders, name);
    const refused = await changingNothing(server(), () => restore(folders, name, undefined, by(caller)));
    const { message } = expectStatus(refused, 403, 'Forbidden');
    expect(message, 'the caller may not view the bindings').not.to.include('rolebindings');
    expect(message).to.include('A caller who may create all that was deleted can bring it back');
    expect((await restore(folders, name, undefined, by(boss))).status).to.equal(201);
  });

  it('an editor takes back an own deletion with the permissions as they were, and nobody else does', async () => {
    const [folder, inner, reader] = [freshName('f'), freshName('f'), await mallory([])];
    await addFolder(server(), folder);
    await addFolder(server(), inner, folder);
    await world.dashboard(freshName('d'), inner);
    await permit(reader, 'Admin', inner);
    const rights = async (): Promise<readonly unknown[]> => {
      const { items } = bodyOf(await world.bindings.list(), 200);
      const there = items.filter(({ spec }) => [folder, inner].includes((spec as Binding).scope?.folder ?? ''));
      return there.map(({ metadata, spec }) => [metadata.name, spec]);
    };
    const before = await rights();
    expect(before).not.to.be.empty;
    await removed(folders, folder, by('edith'));
    const other = await mallory([{ action: 'folders:*', scope: 'folders:*' }]);
    await refuse(() => restore(folders, folder, undefined, by(other)));
    await refuse(() => restore(folders, folder, undefined, by('vera')));
    const { status } = bodyOf(await restore(folders, folder, undefined, by('edith')), 201);
    expect(await rights()).to.deep.equal(before);
    expect((await folders.get(inner, by(reader))).status).to.equal(200);
    // She may not view the permissions, so the answer does not name them.
    expect(JSON.stringify(status)).not.to.include('RoleBinding');
  });

  // Promise: security rights
  it('an own deletion is not taken back by callers who may not write what waits for something in it', async () => {
    const [folder, inner] = [freshName('f'), freshName('f')];
    await addFolder(server(), folder);
    await addFolder(server(), inner, folder);
    await removed(folders, folder, by('edith'));
    // The binding waits for the inner folder.
    await permit(await mallory([]), 'Admin', inner);
    await refuse(() => restore(folders, folder, undefined, by('edith')));
    bodyOf(await restore(folders, folder), 201);
  });

  // Promise: security rights
  it('who has deleted a private folder takes that back, if they may create it, and sees nothing of it before', async () => {
    const [folder, inside] = [freshName('f'), freshName('d')];
    await world.folder(folder, undefined, {
      metadata: { name: folder, annotations: { 'svc.app/basic-roles': 'none' } },
    });
    await permit('edith', 'Admin', folder);
    await world.dashboard(inside, folder);
    await removed(folders, folder, by('edith'));
    expect(await trashed('edith')).not.to.include(folder);
    expect((await past(folder, 'edith')).status).to.equal(404);
    bodyOf(await restore(folders, folder, undefined, by('edith')), 201);
    expect((await dashboards.get(inside, by('edith'))).status).to.equal(200);
    expect((await folders.get(folder, by('vera'))).status).to.equal(403);
    const other = await mallory([{ action: 'folders:delete', scope: 'folders:*' }]);
    await permit(other, 'Admin', folder);
    await removed(folders, folder, by(other));
    // They may delete folders, but not create them.
    expect((await changingNothing(server(), () => restore(folders, folder, undefined, by(other)))).status).to.equal(
      403,
    );
  });

  it('what was deleted in a folder has the permissions of the place to which the folder was moved later', async () => {
    const [top, parent, name] = [freshName('f'), freshName('f'), freshName('d')];
    await addFolder(server(), top);
    await addFolder(server(), parent);
    await world.dashboard(name, parent);
    await removed(dashboards, name);
    const caller = await mallory([]);
    await permit(caller, 'Edit', top);
    expect(await trashed(caller)).to.deep.equal([]);
    bodyOf(await folders.merge(parent, { metadata: { annotations: { 'svc.app/folder': top } } }), 200);
    expect(await trashed(caller)).to.deep.equal([name]);
    expect((await restore(dashboards, name, undefined, by(caller))).status).to.equal(201);
  });

  // Promise: security rights
  it('a continue token that a caller has made shows neither another kind nor another organization', async () => {
    const elsewhere = '/apis/dashboard.svc.app/v1beta1/namespaces/zz/dashboards';
    const organization = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Organization', metadata: { name: 'zz' } };
    const organizations = '/apis/iam.svc.app/v1beta1/organizations';
    bodyOf(await server().call('POST', organizations, { body: { ...organization, spec: { title: 'ZZ' } } }), 201);
    bodyOf(await server().call('POST', elsewhere, { body: dashboardObject('secret') }), 201);
    bodyOf(await server().call('DELETE', `${elsewhere}/secret`), 200);
    await addFolder(server(), 'other-kind');
    await removed(folders, 'other-kind');
    const user = person('vera');
    const binding = ['dashboards.dashboard.svc.app', 'default', 'svc.app/get-trash=true;', user.name];
    const token = encodeContinue({ revision: 1, after: '~', given: 0 }, binding);
    const answer = await dashboards.list({ query: { ...TRASH, continue: token }, user });
    expectStatus(answer, 400, 'BadRequest', 'continue token');
  });

  it('callers of another organization, and callers without credentials, see nothing', async () => {
    const name = freshName('f');
    await addFolder(server(), name);
    await removed(folders, name);
    await refuse(() => past(name, 'otto'));
    await refuse(() => restore(folders, name, undefined, by('otto')));
    expect(await trashed('otto')).to.deep.equal([]);
    for (const part of ['history', 'restore'])
      expect((await folders.subresource(part).get(name, { user: null })).status).to.be.oneOf([401, 405]);
  });
});
