import { expect } from 'chai';
import { z } from 'zod';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { create, HOUSE, LAMP, type LampSpec, LEAF, type LeafSpec, ROOM } from '../testing/house.js';
import { ANN, type Sent, type Served, START, serve } from '../testing/served.js';
import { callTo } from './testing/routed.js';

describe('a call of the legacy API', () => {
  let served: Served;
  before(async () => {
    served = await serve(HOUSE);
    for (const room of ['hall', 'attic']) await create(served, ROOM, room);
    await create(served, LAMP, 'desk', { watts: 5 });
    await create(served, LAMP, 'roof', { watts: 6 }, {}, 'attic');
    await create(served, LEAF, 'green', { tree: 'oak', size: 1 });
  });
  after(() => served.close());
  afterEach(() => {
    served.permissions = [];
  });

  const call = (params: Readonly<Record<string, string>> = {}, sent: Sent = {}) => callTo(served, params, sent);
  const ATTIC: Sent = { headers: { 'x-grafana-org-id': '2' } };
  const failure = (work: () => unknown): readonly unknown[] => {
    try {
      work();
    } catch (error) {
      const { code, message } = error as { code?: number; message: string };
      return [code, message];
    }
    return [];
  };
  const names = (objects: Iterable<KubeObject>): readonly string[] => [...objects].map(({ metadata }) => metadata.name);

  it('has the caller, the query and the time of the server', () => {
    const { user, query } = call({}, { user: ANN, query: 'a=b' });
    expect(user).to.equal(ANN);
    expect(query.get('a')).to.equal('b');
    expect(call().now()).to.equal(START);
  });

  it('has the parameters of its path, decoded', () => {
    expect(call({ uid: 'a%2Fb' }).param('uid')).to.equal('a/b');
    expect(failure(() => call({ uid: '%zz' }).param('uid'))).to.deep.equal([400, 'bad request data']);
    expect(failure(() => call().param('uid'))).to.deep.equal([
      undefined,
      'A legacy route uses a parameter that is not in its path.',
    ]);
  });

  it('reads a parameter as a number', () => {
    expect(call({ id: '12' }).id('id')).to.equal(12);
    expect(call({ id: '123456789012345' }).id('id')).to.equal(123456789012345);
    for (const id of ['', 'x', '1x', 'x1', '-1', '1.5', '1234567890123456'])
      expect(
        failure(() => call({ id }).id('id')),
        id,
      ).to.deep.equal([400, 'id is invalid']);
    expect(failure(() => call({ id: 'x' }).id('id', 'teamId'))).to.deep.equal([400, 'teamId is invalid']);
  });

  it('reads the body by a schema', () => {
    const Body = z.object({ a: z.string() });
    expect(call({}, { body: { a: 'x' } }).body(Body)).to.deep.equal({ a: 'x' });
    expect(failure(() => call({}, { body: { a: 1 } }).body(Body))).to.deep.equal([
      400,
      'bad request data: a: expected string, received number',
    ]);
  });

  it('is about the organization that it names, or that of the caller', () => {
    expect(call().organization).to.deep.equal({ id: 1, namespace: 'hall' });
    expect(call({}, ATTIC).organization).to.deep.equal({ id: 2, namespace: 'attic' });
    const one = call();
    expect(one.organization).to.equal(one.organization);
    expect(failure(() => call({}, { query: 'orgId=9' }).organization)[0]).to.equal(404);
  });

  it('knows which kinds there are', () => {
    expect([call().hasKind('house/Lamp'), call().hasKind('house/Door')]).to.deep.equal([true, false]);
    expect(call().kind('house/Lamp')).to.equal(LAMP);
    expect(() => call().kind('house/Door')).to.throw('house/Door');
  });

  it('counts the objects of a kind in all organizations', () => {
    expect([call().count('house/Lamp'), call({}, ATTIC).count('house/Lamp'), call().count('house/Door')]).to.deep.equal(
      [2, 2, 0],
    );
  });

  it('reads the objects of its organization, or of another one that it names', () => {
    expect(names(call().objects('house/Lamp').list())).to.deep.equal(['desk']);
    expect(names(call({}, ATTIC).objects('house/Lamp').list())).to.deep.equal(['roof']);
    expect(names(call().objects('house/Lamp', 'attic').list())).to.deep.equal(['roof']);
    expect(names(call().objects('house/Room').list())).to.deep.equal(['attic', 'hall']);
    // Kinds of the cluster need no organization.
    expect(names(call({}, { query: 'orgId=9' }).objects('house/Room').list())).to.deep.equal(['attic', 'hall']);
  });

  it('has only the permissions of the caller', () => {
    expect(failure(() => call({}, { user: ANN }).objects('house/Lamp').get('desk'))[0]).to.equal(403);
    served.permissions = [{ action: 'lamps:read', scope: 'lamps:uid:desk' }];
    expect(call({}, { user: ANN }).objects('house/Lamp').get('desk').metadata.name).to.equal('desk');
  });

  it('reads objects in the order of an index', () => {
    const everything = { words: [], rows: [], isDescending: false, excludes: () => false };
    expect([...call().ordered('house/Lamp', 'none').matching(everything)]).to.deep.equal([]);
  });

  it('finds no objects of other namespaces', () => {
    expect(call().objects<LeafSpec>('house/Leaf').get('green').spec).to.deep.equal({ tree: 'oak', size: 1 });
    expect(call().objects('house/Leaf', 'attic').find('green')).to.equal(undefined);
    expect(call({}, ATTIC).objects('house/Leaf').find('green')).to.equal(undefined);
  });

  it('writes under the name of its client', async () => {
    const headers = { 'user-agent': 'script/1.0' };
    const made = await call({}, { headers })
      .objects('house/Lamp')
      .create({ metadata: { name: 'own' }, spec: { watts: 1 } });
    expect(made.metadata.managedFields?.map(({ manager }) => manager)).to.deep.equal(['script']);
    await call().objects('house/Lamp').delete('own');
  });

  it('writes several objects in one commit, in its organization', async () => {
    const made = await call({}, ATTIC).transact((transaction) =>
      ['one', 'two'].map((name) => transaction.objects<LampSpec>('house/Lamp').put(name, () => ({ watts: 1 }))),
    );
    expect(names(made)).to.deep.equal(['one', 'two']);
    expect(names(call({}, ATTIC).objects('house/Lamp').list())).to.deep.equal(['one', 'roof', 'two']);
    const half = call({}, ATTIC).transact((transaction) => {
      transaction.objects('house/Lamp').delete('one');
      throw new Error('no');
    });
    expect(await half.catch(({ message }: Error) => message)).to.equal('no');
    await call().transact((transaction) => {
      for (const name of ['one', 'two']) transaction.objects('house/Lamp', 'attic').delete(name);
    });
    expect(names(call({}, ATTIC).objects('house/Lamp').list())).to.deep.equal(['roof']);
  });

  it('can do with the permissions of the server what a caller may do without a grant, as the caller or as another one', async () => {
    const own = call({}, { user: ANN });
    const change = (old: KubeObject<LampSpec>) => ({ ...old, spec: { watts: 9 } });
    const refused = await own
      .transact((transaction) => transaction.objects<LampSpec>('house/Lamp').update('desk', change))
      .catch((error: { code: number }) => error.code);
    expect(refused).to.equal(403);
    const changed = await own.transact((transaction) =>
      transaction.trusted().objects<LampSpec>('house/Lamp').update('desk', change),
    );
    expect(changed.spec).to.deep.equal({ watts: 9 });
    const by = async (work: Parameters<typeof own.transact<KubeObject>>[0]) => {
      const { metadata } = await own.transact(work);
      return Object.values(metadata.annotations ?? {});
    };
    const bob = { ...ANN, name: 'bob', uid: 'bobs' };
    const make = { metadata: { name: 'by' }, spec: { watts: 1 } };
    const authors = await by((transaction) => transaction.trusted(bob).objects('house/Lamp').create(make));
    expect(authors.join()).to.include('bob').and.not.include('ann');
  });
});
