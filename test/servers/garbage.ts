import { expect } from 'chai';
import { FOLDERS } from '../crash/workload.js';
import type { TestServer } from '../e2e/harness.js';
import { eventually } from '../e2e/process.js';

const OWNERS = 8;
const MERGE = { 'content-type': 'application/merge-patch+json' };

interface Folder {
  readonly metadata: { readonly uid: string; readonly ownerReferences?: readonly unknown[] };
}

/** The last test stops the first server. */
export function garbageCollection(servers: () => readonly [TestServer, TestServer]): void {
  describe('collect garbage', () => {
    const of = (i: number): TestServer => servers()[i % 2 === 0 ? 0 : 1];
    const make = async (i: number, name: string, metadata: object = {}) => {
      const body = { metadata: { name, ...metadata }, spec: { title: name } };
      const answer = await of(i).client.request('POST', FOLDERS, { body });
      expect(answer.status, answer.text).to.equal(201);
      return answer.json<Folder>().metadata.uid;
    };
    const owned = (i: number, name: string, owner: string, uid: string, metadata: object = {}) => {
      const reference = {
        apiVersion: 'folder.svc.app/v1beta1',
        kind: 'Folder',
        name: owner,
        uid,
        blockOwnerDeletion: true,
      };
      return make(i, name, { ...metadata, ownerReferences: [reference] });
    };
    const remove = async (i: number, name: string, policy: string) => {
      const answer = await of(i).client.request('DELETE', `${FOLDERS}/${name}?propagationPolicy=${policy}`);
      expect(answer.status, answer.text).to.equal(200);
    };
    const status = async (i: number, name: string) => (await of(i).client.request('GET', `${FOLDERS}/${name}`)).status;
    const gone = (i: number, name: string) =>
      eventually(
        async () => ((await status(i, name)) === 404 ? true : undefined),
        () => `${name} is still there`,
      );
    const each = (work: (i: number) => Promise<unknown>) =>
      Promise.all(Array.from({ length: OWNERS }, (_, i) => work(i)));

    // Promise: contract 5.9
    it('once, whichever server is asked', async () => {
      await each(async (i) => {
        const policy = i % 4 < 2 ? 'Background' : 'Foreground';
        const uid = await make(i, `owner-${i}`);
        await Promise.all([owned(i, `first-${i}`, `owner-${i}`, uid), owned(i + 1, `second-${i}`, `owner-${i}`, uid)]);
        await remove(i + 1, `owner-${i}`, policy);
        for (const name of ['first', 'second', 'owner']) await gone(i, `${name}-${i}`);
      });
    });

    it('also when the server that began it is stopped in the middle', async () => {
      const uid = await make(0, 'keeper');
      await owned(0, 'held', 'keeper', uid, { finalizers: ['example.com/hold'] });
      await remove(0, 'keeper', 'Foreground');
      await of(0).stop();
      const body = { metadata: { finalizers: null } };
      const released = await of(1).client.request('PATCH', `${FOLDERS}/held`, { body, headers: MERGE });
      expect(released.status, released.text).to.equal(200);
      await gone(1, 'held');
      await gone(1, 'keeper');
    });
  });
}
