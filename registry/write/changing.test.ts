import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Strategy } from '../kinds/strategy.js';
import { WRITERS } from '../testing/library.js';
import { inWorld, refusal } from '../testing/world.js';
import type { ObjectChange, WriteResult } from './write.js';

const STATUS = { name: 'status', verb: 'update' };
const parsed = ({ value }: WriteResult) => JSON.parse(Buffer.from(value).toString());
const toSpec =
  (spec: object): ObjectChange =>
  (old) => ({ ...old, spec });

describe('an update', () => {
  it(
    'stores the change as the next version, and answers with what is stored',
    inWorld(async ({ kinds: { book }, put, admin, get }) => {
      const old = await put(book, 'a', { title: 'A' });
      const written = await admin.update(book, 'default', 'a', toSpec({ title: 'B' }));
      expect(parsed(written)).to.deep.equal(written.object);
      expect(get(book, 'a')).to.deep.equal(written.object);
      expect([written.isGone, written.isSame, written.warnings]).to.deep.equal([false, undefined, undefined]);
      expect(written.object.metadata).to.include({ uid: old.metadata.uid, generation: 2 });
      expect(Number(written.object.metadata.resourceVersion)).to.be.greaterThan(Number(old.metadata.resourceVersion));
    }),
  );

  it(
    'writes nothing if nothing differs, and says so',
    inWorld(async ({ kinds: { book }, put, admin, registry }) => {
      const old = await put(book, 'a', { title: 'A' });
      const written = await admin.update(book, 'default', 'a', toSpec({ title: 'A' }));
      expect([written.isSame, written.isGone, written.object, parsed(written)]).to.deep.equal([true, false, old, old]);
      expect(registry.reader.revision).to.equal(Number(old.metadata.resourceVersion));
    }),
  );

  it(
    'stores nothing in a dry run, whose answer has the stored version',
    inWorld(async (world) => {
      const { book } = world.kinds;
      const old = await world.put(book, 'a', { title: 'A' });
      const dry = world.with({ isDryRun: true });
      const written = await dry.update(book, 'default', 'a', toSpec({ title: 'B', by: 'none' }));
      expect(parsed(written)).to.deep.equal(written.object);
      expect(written.object.metadata.resourceVersion).to.equal(old.metadata.resourceVersion);
      expect([written.object.spec, world.get(book, 'a')]).to.deep.equal([{ title: 'B', by: 'none' }, old]);
      expect(written.warnings).to.have.length(1);
      const held = await world.put(book, 'held', {}, { finalizers: ['x/y'] });
      await world.admin.delete(book, 'default', 'held');
      const removed = await dry.update(book, 'default', 'held', (one) => ({
        ...one,
        metadata: { ...one.metadata, finalizers: [] },
      }));
      const stored = world.get(book, 'held');
      expect([removed.isGone, removed.object.metadata.resourceVersion]).to.deep.equal([
        true,
        stored?.metadata.resourceVersion,
      ]);
      expect(parsed(removed)).to.deep.equal(removed.object);
      expect(stored?.metadata.uid).to.equal(held.metadata.uid);
    }),
  );

  it(
    'demands that the object exists, and that the caller may change it, there and where it goes',
    inWorld(async ({ kinds: { book, shelf }, put, admin, as, get }) => {
      expect(await refusal(admin.update(book, 'default', 'none', (old) => old))).to.match(/^404 NotFound .*"none"/);
      for (const name of ['from', 'to']) await put(shelf, name);
      await put(book, 'a', { on: 'from' });
      const move = (...permissions: readonly string[]) =>
        refusal(as(...permissions).update(book, 'default', 'a', toSpec({ on: 'to' })));
      expect(await move('books:read *')).to.match(/^403 Forbidden .*books:write/);
      expect(await move('books:write books:uid:a')).to.match(/^403/);
      expect(get(book, 'a')?.spec).to.deep.equal({ on: 'from' });
      expect(
        await move('books:write books:uid:a', 'books:create shelves:uid:to', 'books:write shelves:uid:to'),
      ).to.equal('');
    }),
  );

  it(
    'of an object that belongs to another one finds it only as long as that exists',
    inWorld(async ({ kinds: { book, slip }, put, admin, as, with: like }) => {
      const { metadata } = await put(book, 'b');
      await put(slip, 's', { of: 'b', uid: metadata.uid });
      await put(slip, 'lost', { of: 'b', uid: 'another' });
      const change: ObjectChange = (old) => ({ ...old, metadata: { ...old.metadata, labels: { x: 'y' } } });
      expect(await refusal(admin.update(slip, 'default', 's', change))).to.equal('');
      for (const client of [admin, as('slips:* *')])
        expect(await refusal(client.update(slip, 'default', 'lost', change))).to.match(/^404/);
      expect(await refusal(like({ isTrusted: true }).delete(slip, 'default', 'lost'))).to.equal('');
    }),
  );

  it(
    'keeps the version before, if the spec has changed',
    inWorld(async ({ kinds: { book, retained }, put, change, all }) => {
      const first = await put(book, 'a', { title: 'A' });
      await change(book, 'a', { title: 'A' }, { labels: { x: 'y' } });
      expect(await all(retained)).to.deep.equal([]);
      await change(book, 'a', { title: 'B' });
      const kept = (await all<{ readonly object: KubeObject }>(retained)).map(({ spec }) => spec?.object.metadata);
      expect(kept.map((one) => [one?.uid, one?.generation, one?.labels])).to.deep.equal([
        [first.metadata.uid, 1, { x: 'y' }],
      ]);
    }),
  );
});

describe('a transaction', () => {
  it(
    'writes all or nothing, and each of its writes sees those before',
    inWorld(async ({ kinds: { book, writer }, admin, put, get, names }) => {
      await put(book, 'a');
      await admin.transact((transaction) => {
        transaction.create(writer, '', {
          apiVersion: writer.apiVersion,
          kind: 'Writer',
          metadata: { name: 'w' },
          spec: {},
        });
        transaction.update(book, 'default', 'a', toSpec({ by: 'w' }));
      });
      expect(get(book, 'a')?.spec).to.deep.equal({ by: 'w' });
      const refused = admin.transact((transaction) => {
        transaction.delete(writer, '', 'w');
        transaction.update(book, 'default', 'a', toSpec({}));
      });
      expect(await refusal(refused)).to.match(/^404 NotFound .*"a"/);
      expect([await names(writer), await names(book)]).to.deep.equal([['w'], ['a']]);
    }),
  );
});

describe('the status of an object', () => {
  it(
    'changes alone, with the permission of the subresource',
    inWorld(async ({ kinds: { book }, put, admin, as, get, change }) => {
      await put(book, 'a', { title: 'A' });
      const both: ObjectChange = (old) => ({ ...old, spec: { title: 'B' }, status: { read: 'yes' } });
      expect(await refusal(as('books:read *').update(book, 'default', 'a', both, STATUS))).to.match(/^403/);
      await admin.update(book, 'default', 'a', both, STATUS);
      expect(get(book, 'a')).to.deep.include({ spec: { title: 'A' }, status: { read: 'yes' } });
      await change(book, 'a', { title: 'C' });
      expect(get(book, 'a')).to.deep.include({ spec: { title: 'C' }, status: { read: 'yes' } });
    }),
  );
});

describe('what a kind adds to the change of an object', () => {
  const strategy: Strategy = {
    alsoDelete: (_object, old) => [{ resource: WRITERS, name: textOf(old, 'by') }],
    alsoWrite: (object, _sent, old) =>
      old === undefined
        ? []
        : [{ resource: WRITERS, name: 'w2', spec: { was: textOf(old, 'x'), is: textOf(object, 'x') } }],
  };
  const textOf = ({ spec }: KubeObject, name: string) => (spec as Record<string, string>)[name] ?? '';

  it(
    'is deleted and written with the rights of the server, but not with the status, nor if nothing changes',
    inWorld(
      async ({ kinds: { book, writer }, put, as, names, get }) => {
        await put(writer, 'w1');
        await put(book, 'a', { by: 'w1', x: '1' });
        const client = as('books:write *');
        await client.update(book, 'default', 'a', toSpec({ by: 'w1', x: '1' }));
        expect(await names(writer)).to.deep.equal(['w1']);
        await client.update(book, 'default', 'a', toSpec({ x: '2', by: 'w1' }));
        expect(await names(writer)).to.deep.equal(['w2']);
        expect(get(writer, 'w2')?.spec).to.deep.equal({ was: '1', is: '2' });
      },
      { kinds: { book: { strategy, references: () => [] } } },
    ),
  );

  it(
    'is not written with the status',
    inWorld(
      async ({ kinds: { book, writer }, put, admin, names }) => {
        await put(book, 'a', { x: '1' });
        await admin.update(book, 'default', 'a', (old) => ({ ...old, status: { a: 'b' } }), STATUS);
        expect(await names(writer)).to.deep.equal([]);
      },
      { kinds: { book: { strategy: { ...strategy, alsoDelete: () => [] } } } },
    ),
  );

  it(
    'gives an object that exists the spec, and keeps it if it has it already',
    inWorld(
      async ({ kinds: { book, writer }, put, change, get }) => {
        await put(writer, 'w2', {}, { labels: { a: 'b' } });
        await put(book, 'a', { x: '1' });
        await change(book, 'a', { x: '2' });
        const first = get(writer, 'w2');
        expect([first?.spec, first?.metadata.labels, first?.metadata.generation]).to.deep.equal([
          { was: '1', is: '2' },
          { a: 'b' },
          2,
        ]);
        await change(book, 'a', { x: '2' }, { labels: { c: 'd' } });
        expect(get(writer, 'w2')?.spec).to.deep.equal({ was: '2', is: '2' });
        const before = get(writer, 'w2');
        await change(book, 'a', { x: '2' }, { labels: { e: 'f' } });
        expect(get(writer, 'w2')).to.equal(before);
      },
      { kinds: { book: { strategy: { ...strategy, alsoDelete: () => [] } } } },
    ),
  );
});

describe('what a rule may see', () => {
  it(
    'is what the caller may view, and all of it if the server writes',
    inWorld(
      async ({ kinds: { book, shelf }, put, as, admin, with: like }) => {
        await put(shelf, 'seen');
        await put(shelf, 'hidden');
        await put(book, 'a');
        const user = as('books:* *', 'shelves:read shelves:uid:seen').options.user;
        const seenBy = async (client: typeof admin) =>
          (
            (await client.update(book, 'default', 'a', toSpec({ at: Math.random().toString() }))).object.spec as Record<
              string,
              string
            >
          )['seen'];
        expect(await seenBy(admin)).to.equal('seen,hidden, grants: no');
        expect(await seenBy(like({ user }))).to.equal('seen, grants: yes');
        expect(await seenBy(like({ user, isTrusted: true }))).to.equal('seen,hidden, grants: no');
      },
      { kinds: { book: { strategy: { prepareForUpdate: (object, _old, ctx) => withSeen(object, ctx) } } } },
    ),
  );

  it(
    'is only of kinds that the server has',
    inWorld(
      async ({ kinds: { book }, put }) => {
        const error = await put(book, 'a').catch((thrown: unknown) => thrown);
        expect(String(error)).to.match(/a hook names objects of none.svc.app/);
      },
      {
        kinds: {
          book: { strategy: { prepareForCreate: (object, ctx) => ctx.visible('none.svc.app', '', 'x') ?? object } },
        },
      },
    ),
  );
});

type Prepare = NonNullable<Strategy['prepareForUpdate']>;

function withSeen(object: Parameters<Prepare>[0], ctx: Parameters<Prepare>[2]): KubeObject {
  const seen = ['seen', 'hidden', 'none'].filter((name) => ctx.visible('shelves.library.svc.app', 'default', name));
  const grants = ctx.grants() === undefined ? 'no' : 'yes';
  return { ...object, spec: { ...(object.spec as object), seen: `${seen.join()}, grants: ${grants}` } };
}
