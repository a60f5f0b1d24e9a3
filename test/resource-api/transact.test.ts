import { expect } from 'chai';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { Store } from '../../registry/store.js';
import { type Plan, transact } from '../../registry/transact.js';
import type { Body } from '../harness/body.js';
import { freshName } from '../harness/resource.js';
import { ADMIN } from '../harness/server.js';
import { eachStore } from '../harness/stores.js';
import { folder, foldersOf } from './folders.js';

const OPTIONS = { user: ADMIN, namespace: 'default', dryRun: false };
const DELETE = { ...OPTIONS, preconditions: {}, orphan: false, parameters: new Map() };

const titled =
  (title: string) =>
  (old: KubeObject): KubeObject => ({ ...old, spec: { title } });

eachStore('several writes of one object in one commit', (server) => {
  const folders = foldersOf(server);
  const store = (): Store => server().api.stores.find(({ kind }) => kind.kind === 'Folder') as Store;
  const commit = async (plans: readonly Plan[]): Promise<readonly Body[]> => {
    const written = await transact(server().api.registry, plans, { dryRun: false });
    return written.map(({ value }) => JSON.parse(Buffer.from(value).toString()) as Body);
  };
  const told = (all: readonly Body[], first: number): unknown =>
    all.map(({ spec, metadata }) => [spec['title'], Number(metadata.resourceVersion) - first]);

  it('are each answered with how they left it, also one that changes nothing', async () => {
    const name = freshName();
    const before = await server().end();
    const answers = await commit([
      store().planCreate(folder(name, { title: 'a' }) as KubeObject, OPTIONS),
      store().planUpdate(name, titled('b'), OPTIONS),
      store().planUpdate(name, titled('b'), OPTIONS),
      store().planUpdate(name, titled('c'), OPTIONS),
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
    const answers = await commit([store().planUpdate(name, titled('b'), OPTIONS), store().planDelete(name, DELETE)]);
    expect(told(answers, before)).to.deep.equal([
      ['b', 1],
      ['b', 2],
    ]);
  });
});
