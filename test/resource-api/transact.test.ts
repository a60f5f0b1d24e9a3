import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { Client } from '../../registry/client/client.js';
import type { ClientTransaction } from '../../registry/client/transaction.js';
import type { Kind } from '../../registry/kinds/kind.js';
import type { WriteResult } from '../../registry/write/write.js';
import type { Body } from '../harness/body.js';
import { freshName } from '../harness/resource.js';
import { ADMIN } from '../harness/server.js';
import { eachStore } from '../harness/stores.js';
import { folder, foldersOf } from './folders.js';

const titled =
  (title: string) =>
  (old: KubeObject): KubeObject => ({ ...old, spec: { title } });

eachStore('several writes of one object in one commit', (server) => {
  const folders = foldersOf(server);
  const kind = (): Kind => server().api.registry.compiled.get('folder/Folder');
  const commit = async (work: (transaction: ClientTransaction) => readonly WriteResult[]): Promise<readonly Body[]> => {
    const written = await new Client(server().api.registry, { user: ADMIN }).transact(work);
    return written.map(({ value }) => JSON.parse(Buffer.from(value).toString()) as Body);
  };
  /**
   * The titles, each with the order of its revision among those after `first`. Retained versions take revisions, too.
   */
  const titlesAndPlaces = (all: readonly Body[], first: number): unknown => {
    const revisions = all.map(({ metadata }) => Number(metadata.resourceVersion));
    expect(Math.min(...revisions)).to.be.greaterThan(first);
    const distinct = [...new Set(revisions)].sort((a, b) => a - b);
    return all.map(({ spec }, i) => [spec['title'], distinct.indexOf(revisions[i] ?? 0) + 1]);
  };

  it('each return the object after the write, also a write that changes nothing', async () => {
    const name = freshName();
    const before = await server().end();
    const answers = await commit((transaction) => [
      transaction.create(kind(), 'default', folder(name, { title: 'a' }) as KubeObject),
      ...['b', 'b', 'c'].map((title) => transaction.update(kind(), 'default', name, titled(title))),
    ]);
    expect(titlesAndPlaces(answers, before)).to.deep.equal([
      ['a', 1],
      ['b', 2],
      ['b', 2],
      ['c', 3],
    ]);
    expect(await folders.read(name)).to.deep.equal(answers[3]);
  });

  it('return its last state if the last write deletes it', async () => {
    const { name } = (await folders.make(freshName())).metadata;
    const before = await server().end();
    const answers = await commit((transaction) => [
      transaction.update(kind(), 'default', name, titled('b')),
      transaction.delete(kind(), 'default', name),
    ]);
    expect(titlesAndPlaces(answers, before)).to.deep.equal([
      ['b', 1],
      ['b', 2],
    ]);
  });

  it('read the writes before them, and none is stored if the last one throws', async () => {
    const [parent, child] = [freshName(), freshName()];
    const before = await server().end();
    const work = commit((transaction) => {
      const objects = transaction.objects(kind(), 'default');
      transaction.create(kind(), 'default', folder(parent, { title: parent }) as KubeObject);
      transaction.create(kind(), 'default', folder(child, { title: child, parent }) as KubeObject);
      expect([...objects.contained(parent)].map(({ metadata }) => metadata.name)).to.deep.equal([child]);
      throw new Error('on purpose');
    });
    expect(await work.catch((error: Error) => error.message)).to.equal('on purpose');
    expect(await server().end()).to.equal(before);
  });
});
