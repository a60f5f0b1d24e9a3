import { expect } from 'chai';
import { bodyOf, freshName, resourceOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { applySets, dashboard, folder } from './apply-sets.js';

eachStore('an apply set', (server) => {
  const { apply, set, get, put, remove } = applySets(server);

  /** The conditions of a set, and how many members differ. */
  const state = async (name: string) => {
    const status = bodyOf(await set(name), 200).status as unknown as SetStatus;
    const conditions = Object.fromEntries(status.conditions.map((one) => [one.type, one.status]));
    return { ...conditions, drifted: status.drifted, message: status.conditions[0]?.message ?? '' };
  };
  const retitle = async (name: string, title: string): Promise<void> => {
    const stored = (await get('folders', name)).json();
    bodyOf(await put('folders', name, { ...stored, spec: { title } }), 200);
  };

  // Promise: contract 5.4
  it('knows its members', async () => {
    const name = freshName('set');
    const [box, panel] = [freshName(), freshName()];
    await apply(name, [folder(box, freshName('title')), dashboard(panel, 'D', box)]);
    const { status, metadata } = bodyOf(await set(name), 200);
    expect(status).to.deep.include({
      members: 2,
      drifted: 0,
      inventory: [
        { group: 'dashboard.svc.app', kind: 'Dashboard', namespace: 'default', count: 1 },
        { group: 'folder.svc.app', kind: 'Folder', namespace: 'default', count: 1 },
      ],
    });
    const id = metadata.labels?.['applyset.kubernetes.io/id'];
    expect((await get('folders', box)).json().metadata.labels).to.include({ 'applyset.kubernetes.io/part-of': id });
    const { members } = bodyOf(await set(name, '/members'), 200) as unknown as { members: unknown };
    expect(members).to.deep.equal([
      { group: 'dashboard.svc.app', kind: 'Dashboard', namespace: 'default', name: panel },
      { group: 'folder.svc.app', kind: 'Folder', namespace: 'default', name: box },
    ]);
  });

  it('says in which fields a member differs, and when it is right again', async () => {
    const name = freshName('set');
    const [one, title] = [freshName(), freshName('title')];
    await apply(name, [folder(one, title)]);
    expect(await state(name)).to.include({ Synced: 'True', Drifted: 'False', drifted: 0 });
    await retitle(one, freshName('other'));
    const drifted = await state(name);
    expect(drifted).to.include({ Synced: 'False', Drifted: 'True', drifted: 1 });
    expect(drifted.message).to.include(`default/${one}: spec.title`);
    const members = async () =>
      (bodyOf(await set(name, '/members'), 200) as unknown as { members: readonly object[] }).members;
    const [member] = await members();
    expect(member).to.include({ name: one, drift: 'spec.title' });
    expect(member).to.have.property('since').that.matches(/Z$/);
    await retitle(one, freshName('another'));
    expect(await members()).to.deep.equal([member]);
    await retitle(one, title);
    expect((await members())[0]).to.not.have.any.keys('drift', 'since');
    expect(await state(name)).to.include({ Synced: 'True', Drifted: 'False', drifted: 0 });
  });

  it('sees members that are deleted, also with their container, and repairs them', async () => {
    const name = freshName('set');
    const [box, panel] = [freshName(), freshName()];
    const objects = [folder(box, freshName('title')), dashboard(panel, 'D', box)];
    await apply(name, objects);
    await remove('folders', box);
    expect(await state(name)).to.include({ Drifted: 'True', drifted: 2 });
    await apply(name, objects);
    expect(await state(name)).to.include({ Synced: 'True', drifted: 0 });
  });

  it('ignores fields that it has not applied', async () => {
    const name = freshName('set');
    const one = freshName();
    await apply(name, [folder(one, freshName('title'))]);
    const { metadata, ...rest } = (await get('folders', one)).json();
    await put('folders', one, { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, mine: 'x' } } });
    expect(await state(name)).to.include({ Synced: 'True', drifted: 0 });
    await put('folders', one, { ...rest, metadata: { ...metadata, resourceVersion: undefined, labels: {} } });
    expect((await state(name)).message).to.include('metadata.labels[applyset.kubernetes.io/part-of]');
  });

  it('tells watchers that a member differs', async () => {
    const name = freshName('set');
    const one = freshName();
    await apply(name, [folder(one, freshName('title'))]);
    const sets = resourceOf(server, {
      apiVersion: 'apply.svc.app/v1beta1',
      resource: 'applysets',
      scope: 'Namespaced',
    });
    const { metadata } = bodyOf(await set(name), 200);
    const frames = await sets.watch({
      resourceVersion: metadata.resourceVersion ?? '',
      fieldSelector: `metadata.name=${name}`,
    });
    await retitle(one, freshName('other'));
    const events = await frames.until(({ type }) => type === 'MODIFIED');
    expect(events.at(-1)?.object.status).to.include({ drifted: 1 });
    await frames.close();
  });

  it('leaves its members when it is deleted, and finds them when it is there again', async () => {
    const name = freshName('set');
    const objects = [1, 2].map(() => folder(freshName(), freshName('title')));
    await apply(name, objects);
    const sets = resourceOf(server, {
      apiVersion: 'apply.svc.app/v1beta1',
      resource: 'applysets',
      scope: 'Namespaced',
    });
    bodyOf(await sets.remove(name), 200);
    expect((await get('folders', objects[0]?.metadata.name ?? '')).status).to.equal(200);
    await apply(name, objects);
    expect(bodyOf(await set(name), 200).status).to.include({ members: 2, drifted: 0 });
  });
});

interface SetStatus {
  readonly drifted: number;
  readonly conditions: readonly { readonly type: string; readonly status: string; readonly message: string }[];
}
