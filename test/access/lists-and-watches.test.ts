import { expect } from 'chai';
import type { WatchFrames } from '../harness/frames.js';
import type { Server } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import {
  addFolder,
  addPeople,
  addPerson,
  addRole,
  bind,
  FOLDERS,
  folderBody,
  namesOf,
  person,
  unbind,
} from './people.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };

async function change(server: Server, name: string, patch: unknown): Promise<void> {
  const { status, text } = await server.call('PATCH', `${FOLDERS}/${name}`, { body: patch, headers: MERGE });
  expect(status, text).to.equal(200);
}

const move = (server: Server, name: string, to: string): Promise<void> =>
  change(server, name, { metadata: { annotations: { 'svc.app/folder': to } } });

async function watch(server: Server, uid: string, query: Readonly<Record<string, string>> = {}): Promise<WatchFrames> {
  const answer = await server.call('GET', FOLDERS, { user: person(uid), query: { watch: 'true', ...query } });
  expect(answer.status, answer.text).to.equal(200);
  return answer.frames;
}

async function revision(server: Server): Promise<string> {
  return (await server.call('GET', FOLDERS)).json().metadata.resourceVersion ?? '';
}

/** The next events, as `TYPE name` or `ERROR code reason`. */
async function nextEvents(frames: WatchFrames, count: number): Promise<readonly string[]> {
  const events = await frames.take(count);
  return events.map(({ type, object }) =>
    type === 'ERROR' ? `${type} ${object.code} ${object.reason}` : `${type} ${object.metadata.name}`,
  );
}

oneStore('lists and watches of callers who may view some objects', (server) => {
  let next = 0;
  /** A user who may view the folder `in-<uid>` and its child `in-<uid>-1`, but not the folder `out-<uid>`. */
  const newCaller = async (): Promise<string> => {
    const uid = `w${next++}`;
    await addPerson(server(), uid, 'None');
    await addFolder(server(), `in-${uid}`);
    await addFolder(server(), `in-${uid}-1`, `in-${uid}`);
    await addFolder(server(), `out-${uid}`);
    await bind(server(), `in-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'View'], folder: `in-${uid}` });
    return uid;
  };

  before(() => addPeople(server()));

  // Promise: specification 4.1, security rights
  it('a page is filled up to its limit, and reveals nothing about objects that it leaves out', async () => {
    const uid = await newCaller();
    for (let i = 0; i < 5; i++) {
      await addFolder(server(), `page-${uid}-${i}`);
      await addFolder(server(), `seen-${uid}-${i}`, `in-${uid}`);
    }
    const names: string[] = [];
    let token = '';
    do {
      const query = { limit: 2, ...(token === '' ? {} : { continue: token }) };
      const page = (await server().call('GET', FOLDERS, { user: person(uid), query })).json();
      token = page.metadata.continue ?? '';
      names.push(...page.items.map(({ metadata }) => metadata.name));
      if (token !== '') expect(page.items).to.have.length(2);
      expect(page.metadata).to.not.have.property('remainingItemCount');
    } while (token !== '');
    const expected = [`in-${uid}`, `in-${uid}-1`, ...[0, 1, 2, 3, 4].map((i) => `seen-${uid}-${i}`)];
    expect(names).to.deep.equal(expected);
  });

  it('a page contains remainingItemCount for a caller who may view everything', async () => {
    await newCaller();
    const page = (await server().call('GET', FOLDERS, { user: person('vera'), query: { limit: 1 } })).json();
    expect(page.metadata.remainingItemCount).to.be.greaterThan(0);
  });

  // Promise: security rights
  it('a continue token is refused for another caller', async () => {
    const page = (await server().call('GET', FOLDERS, { user: person('vera'), query: { limit: 1 } })).json();
    const query = { limit: 1, continue: page.metadata.continue ?? '' };
    expect((await server().call('GET', FOLDERS, { user: person('edith'), query })).status).to.equal(400);
  });

  it('a list across all namespaces contains only objects that the caller may view', async () => {
    const uid = await newCaller();
    const all = '/apis/folder.svc.app/v1beta1/folders';
    expect(await namesOf(server().call('GET', all, { user: person(uid) }))).to.deep.equal([`in-${uid}`, `in-${uid}-1`]);
    expect(await namesOf(server().call('GET', all, { user: person('otto') }))).to.deep.equal([]);
  });

  it('a watch sends only objects that the caller may view, and only their changes', async () => {
    const uid = await newCaller();
    const frames = await watch(server(), uid);
    expect(await nextEvents(frames, 2)).to.deep.equal([`ADDED in-${uid}`, `ADDED in-${uid}-1`]);
    await change(server(), `out-${uid}`, { spec: { title: 'secret' } });
    await change(server(), `in-${uid}-1`, { spec: { title: 'seen' } });
    await addFolder(server(), `in-${uid}-2`, `in-${uid}-1`);
    await addFolder(server(), `out-${uid}-2`, `out-${uid}`);
    await server().call('DELETE', `${FOLDERS}/in-${uid}-1`);
    expect(await nextEvents(frames, 4)).to.deep.equal([
      `MODIFIED in-${uid}-1`,
      `ADDED in-${uid}-2`,
      `DELETED in-${uid}-2`,
      `DELETED in-${uid}-1`,
    ]);
    await frames.close();
  });

  it('a watch from before a cascade gets all of its deletions, the contents first', async () => {
    const uid = await newCaller();
    await addFolder(server(), `in-${uid}-2`, `in-${uid}-1`);
    const resourceVersion = await revision(server());
    await server().call('DELETE', `${FOLDERS}/in-${uid}-1`);
    const frames = await watch(server(), uid, { resourceVersion });
    expect(await nextEvents(frames, 2)).to.deep.equal([`DELETED in-${uid}-2`, `DELETED in-${uid}-1`]);
    await frames.close();
  });

  it('a watch ends with 410 when its caller gets a grant', async () => {
    const uid = await newCaller();
    const frames = await watch(server(), uid, { resourceVersion: await revision(server()) });
    await bind(server(), `more-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'View'], folder: `out-${uid}` });
    expect(await nextEvents(frames, 1)).to.deep.equal(['ERROR 410 Expired']);
    expect(await frames.next()).to.equal(undefined);
  });

  it('a watch ends with 410 when its caller loses a grant, and sends nothing after that', async () => {
    const uid = await newCaller();
    const frames = await watch(server(), uid, { resourceVersion: await revision(server()) });
    await unbind(server(), `in-${uid}`);
    await change(server(), `in-${uid}-1`, { spec: { title: 'too late' } });
    expect(await nextEvents(frames, 1)).to.deep.equal(['ERROR 410 Expired']);
  });

  it('a watch ends with 410 when its caller is disabled', async () => {
    const uid = await newCaller();
    const frames = await watch(server(), uid, { resourceVersion: await revision(server()) });
    const users = '/apis/iam.svc.app/v1beta1/users';
    const body = { spec: { disabled: true } };
    expect((await server().call('PATCH', `${users}/${uid}`, { body, headers: MERGE })).status).to.equal(200);
    expect(await nextEvents(frames, 1)).to.deep.equal(['ERROR 410 Expired']);
  });

  it('a watch from a revision before a change of the grants ends with 410', async () => {
    const uid = await newCaller();
    const resourceVersion = await revision(server());
    await bind(server(), `since-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'View'], folder: `out-${uid}` });
    const frames = await watch(server(), uid, { resourceVersion });
    expect(await nextEvents(frames, 1)).to.deep.equal(['ERROR 410 Expired']);
  });

  it('a watch ends with 410 when a move gives its caller a folder or takes one away', async () => {
    const uid = await newCaller();
    const inward = await watch(server(), uid, { resourceVersion: await revision(server()) });
    await move(server(), `out-${uid}`, `in-${uid}`);
    expect(await nextEvents(inward, 1)).to.deep.equal(['ERROR 410 Expired']);
    const outward = await watch(server(), uid, { resourceVersion: await revision(server()) });
    await move(server(), `out-${uid}`, '');
    expect(await nextEvents(outward, 1)).to.deep.equal(['ERROR 410 Expired']);
  });

  it('a watch from a revision before such a move ends with 410', async () => {
    const uid = await newCaller();
    const resourceVersion = await revision(server());
    await move(server(), `out-${uid}`, `in-${uid}`);
    const frames = await watch(server(), uid, { resourceVersion });
    expect(await nextEvents(frames, 1)).to.deep.equal(['ERROR 410 Expired']);
  });

  it('a watch from a revision at which a folder waited ends with 410', async () => {
    await addFolder(server(), 'waits', 'comes');
    await addFolder(server(), 'in-waiting', 'waits');
    const resourceVersion = await revision(server());
    await change(server(), 'in-waiting', { spec: { title: 'secret' } });
    await change(server(), 'in-waiting', { spec: { title: 'open' } });
    await addFolder(server(), 'comes');
    const frames = await watch(server(), 'vera', { resourceVersion });
    expect(await nextEvents(frames, 1)).to.deep.equal(['ERROR 410 Expired']);
  });

  it('a watch does not tell of what is deleted with a folder that waits', async () => {
    await addFolder(server(), 'waits-on', 'never');
    await addFolder(server(), 'never-seen', 'waits-on');
    const frames = await watch(server(), 'vera', { resourceVersion: await revision(server()) });
    await addFolder(server(), 'seen-while-it-waits');
    expect(await nextEvents(frames, 1)).to.deep.equal(['ADDED seen-while-it-waits']);
    await server().call('DELETE', `${FOLDERS}/waits-on`);
    await addFolder(server(), 'seen-next');
    expect(await nextEvents(frames, 1)).to.deep.equal(['ADDED seen-next']);
    await frames.close();
  });

  it('a watch continues when the grants of others change, or folders that its caller may not view', async () => {
    const uid = await newCaller();
    await addFolder(server(), `else-${uid}`);
    const frames = await watch(server(), uid, { resourceVersion: await revision(server()) });
    await bind(server(), `other-${uid}`, {
      subject: ['User', 'norm'],
      role: ['BuiltIn', 'View'],
      folder: `out-${uid}`,
    });
    await addRole(server(), `unused-${uid}`, [{ action: 'folders:read', scope: 'folders:*' }]);
    await move(server(), `else-${uid}`, `out-${uid}`);
    await addFolder(server(), `in-${uid}-3`, `in-${uid}`);
    await move(server(), `in-${uid}-3`, `in-${uid}-1`);
    expect(await nextEvents(frames, 2)).to.deep.equal([`ADDED in-${uid}-3`, `MODIFIED in-${uid}-3`]);
    await frames.close();
  });

  it('a refused create stores nothing', async () => {
    const uid = await newCaller();
    const body = folderBody(`mine-${uid}`, `in-${uid}`);
    expect((await server().call('POST', FOLDERS, { user: person(uid), body })).status).to.equal(403);
    expect((await server().call('GET', `${FOLDERS}/mine-${uid}`)).status).to.equal(404);
  });
});
