import { expect } from 'chai';
import type { KubeObject } from '../../pkg/meta/types.js';
import { Client, type Transaction } from '../../registry/client.js';
import { type Kind, kindNamed } from '../../registry/kind.js';
import type { Written } from '../../registry/write/write.js';
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
  const kind = (): Kind => kindNamed(server().api.registry.kinds, 'Folder');
  const commit = async (work: (transaction: Transaction) => readonly Written[]): Promise<readonly Body[]> => {
    const written = await new Client(server().api.registry, { user: ADMIN }).transact(work);
    return written.map(({ value }) => JSON.parse(Buffer.from(value).toString()) as Body);
  };
  const told = (all: readonly Body[], first: number): unknown =>
    all.map(({ spec, metadata }) => [spec['title'], Number(metadata.resourceVersion) - first]);

  it('are each answered with how they left it, also one that changes nothing', async () => {
    const name = freshName();
    const before = await server().end();
    const answers = await commit((transaction) => [
      transaction.create(kind(), 'default', folder(name, { title: 'a' }) as KubeObject),
      ...['b', 'b', 'c'].map((title) => transaction.update(kind(), 'default', name, titled(title))),
    ]);
    expect(told(answers, before)).to.deep.equal([
      ['a', 1],
      ['b', 2],
      ['b', 2],
      ['c', 3],
    ]);
    expect(await folders.read(name)).to.deep.equal(answers[3]);
  });

  it('are answered with its last state where the last takes it away', async () => {
    const { name } = (await folders.make(freshName())).metadata;
    const before = await server().end();
    const answers = await commit((transaction) => [
      transaction.update(kind(), 'default', name, titled('b')),
      transaction.delete(kind(), 'default', name),
    ]);
    expect(told(answers, before)).to.deep.equal([
      ['b', 1],
      ['b', 2],
    ]);
  });

  it('see each other, and nothing is kept of them if the last one throws', async () => {
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
