import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { inWorld, refusal } from '../testing/world.js';
import { SET_ID } from './names.js';
import type { AppliedSpec } from './record.js';
import { applyAll, errorOf, labelOf, planOf, reads, remembered, SET, setStatus } from './testing/sets.js';

const textOf = ({ spec }: KubeObject, name: string) => (spec as Record<string, string>)[name] ?? '';
const UNIQUE_TITLES = {
  kinds: {
    book: {
      indexers: { byTitle: (object: KubeObject) => [[textOf(object, 'title')]] },
      uniques: { byTitle: { field: 'spec.title', message: 'taken' } },
    },
  },
};

describe('a set of objects that are applied together', () => {
  it(
    'is stored in one commit, in the order that the objects need, and planned in that of the request',
    inWorld(async (world) => {
      const { book, shelf, writer, set } = world.kinds;
      const result = await applyAll(world, [
        [book, 'b', { on: 'low', by: 'w', title: 'B' }],
        [shelf, 'low', { on: 'top' }],
        [shelf, 'top'],
        [writer, 'w'],
      ]);
      expect(planOf(result)).to.deep.equal([
        'created Book b',
        'created Shelf low',
        'created Shelf top',
        'created Writer w',
      ]);
      expect([result.isCreated, result.plan.summary]).to.deep.equal([
        true,
        { created: 4, configured: 0, unchanged: 0, pruned: 0, conflicts: 0 },
      ]);
      expect(result.plan.objects[0]).to.deep.include({ apiVersion: book.apiVersion, namespace: 'default' });
      expect(result.plan.objects[3]).to.not.have.property('namespace');
      expect(await world.names(shelf)).to.deep.equal(['low', 'top']);
      expect(world.get(book, 'b')?.metadata.labels).to.deep.equal({ 'applyset.kubernetes.io/part-of': labelOf(world) });
      expect(world.get(book, 'b')?.metadata.managedFields?.map(({ manager }) => manager)).to.deep.equal(['me']);
      expect(result.revision).to.equal(world.registry.reader.revision);
      expect(world.get(set, SET)?.metadata.labels).to.deep.equal({ [SET_ID]: labelOf(world) });
    }),
  );

  it(
    'shows what differs in each object, and nothing of what stays',
    inWorld(async (world) => {
      const { book, writer } = world.kinds;
      await applyAll(world, [
        [book, 'b', { title: 'B', tone: 'low' }],
        [writer, 'w', { name: 'W' }],
      ]);
      const result = await applyAll(world, [
        [book, 'b', { title: 'C', 'a b': 'x' }, { labels: { 'x.y/z': '1' } }],
        [writer, 'w', { name: 'W' }],
      ]);
      expect(planOf(result)).to.deep.equal(['configured Book b', 'unchanged Writer w']);
      expect(result.isCreated).to.equal(false);
      expect(result.plan.objects[0]?.diff).to.have.deep.members([
        { path: 'metadata.labels[x.y/z]', to: '1' },
        { path: 'spec.title', from: 'B', to: 'C' },
        { path: 'spec.tone', from: 'low' },
        { path: 'spec[a b]', to: 'x' },
      ]);
      expect(result.plan.objects[1]).to.not.have.property('diff');
      expect(result.plan.summary).to.include({ created: 0, configured: 1, unchanged: 1 });
    }),
  );

  it(
    'writes nothing if nothing differs, however often it is applied, and sees what others have changed',
    inWorld(async (world) => {
      const { book, writer } = world.kinds;
      const objects = [
        [book, 'b', { title: 'B' }],
        [writer, 'w'],
      ] as const;
      await applyAll(world, objects);
      const { revision } = world.registry.reader;
      for (let i = 0; i < 2; i++) {
        world.clock.time += 60_000;
        const result = await applyAll(world, objects);
        expect([planOf(result), result.isCreated, result.plan.isChanged]).to.deep.equal([
          ['unchanged Book b', 'unchanged Writer w'],
          false,
          false,
        ]);
      }
      expect(world.registry.reader.revision).to.equal(revision);
      expect((await applyAll(world, objects)).plan.summary).to.include({ unchanged: 2 });
      const before = setStatus(world)?.lastApplied?.time;
      expect(before).to.equal('2026-01-01T00:00:00Z');
      reads.length = 0;
      await applyAll(world, objects);
      expect(reads, 'what was applied before is not read').to.deep.equal([]);
      await world.change(book, 'b', { title: 'B', pages: '9' });
      expect(planOf(await applyAll(world, objects))).to.deep.equal(['unchanged Book b', 'unchanged Writer w']);
      expect(setStatus(world)?.lastApplied?.time, 'it changed nothing').to.equal(before);
      await world.change(book, 'b', { title: 'X' }, { labels: world.get(book, 'b')?.metadata.labels ?? {} });
      const forced = await applyAll(world, objects, { force: true });
      expect(setStatus(world)?.lastApplied?.time).to.equal('2026-01-01T00:02:00Z');
      expect([planOf(forced), world.get(book, 'b')?.spec]).to.deep.equal([
        ['configured Book b', 'unchanged Writer w'],
        { title: 'B' },
      ]);
      await world.admin.delete(book, 'default', 'b');
      const again = await applyAll(world, objects);
      expect([planOf(again), again.isCreated]).to.deep.equal([['created Book b', 'unchanged Writer w'], true]);
    }),
  );

  it(
    'changes nothing if one of its objects is refused, and names it',
    inWorld(async (world) => {
      const { book, writer, set } = world.kinds;
      const refused = refusal(
        applyAll(world, [
          [writer, 'w'],
          [book, 'b', { by: 'none' }],
        ]),
      );
      expect(await refused).to.match(/^422 Invalid spec\.objects\[1\] \(Book "b"\): .*spec\.by/);
      expect([await world.names(writer), await world.names(set)]).to.deep.equal([[], []]);
    }),
  );

  it(
    'has each of its objects authorized as its own apply, and the set by its subresource',
    inWorld(async (world) => {
      const { book, writer } = world.kinds;
      const objects = [
        [writer, 'w'],
        [book, 'b', { title: 'B' }],
      ] as const;
      const by = (...permissions: readonly string[]) =>
        refusal(
          applyAll(world, objects, { client: world.with({ ...world.as(...permissions).options, fieldManager: 'me' }) }),
        );
      expect(await by('writers:* *', 'books:* *')).to.match(/^403 .*applysets/);
      expect(await by('applysets:* *', 'writers:* *')).to.match(
        /^403 Forbidden spec\.objects\[1\] \(Book "b"\): .*books:create/,
      );
      expect(await by('applysets:* *', 'writers:* *', 'books:* *')).to.equal('');
      expect(await by('applysets:* *', 'writers:* *', 'books:read *'), 'nothing differs').to.match(
        /^403 .*Book.*books:write/,
      );
      expect(await by('applysets:* *', 'writers:* *', 'books:x *'), 'it may not be seen').to.match(
        /^403 .*books:create/,
      );
      await world.change(book, 'b', { title: 'B' }, { labels: {} });
      expect(await by('applysets:* *', 'writers:* *', 'books:read *'), 'it differs').to.match(
        /^403 .*Book.*books:write/,
      );
    }),
  );

  it(
    'tells of all conflicts with other managers at once, and changes nothing',
    inWorld(async (world) => {
      const { book, writer } = world.kinds;
      for (const name of ['a', 'b']) await world.put(book, name, { title: name, tone: 'low' });
      const objects = [
        [writer, 'w'],
        [book, 'a', { title: 'A', tone: 'high' }],
        [book, 'b', { title: 'B' }],
      ] as const;
      const error = await errorOf(applyAll(world, objects));
      expect([error.code, error.reason, await world.names(writer)]).to.deep.equal([409, 'Conflict', []]);
      expect(error.message).to.match(
        /other managers own fields of 2 objects.*First: spec\.objects\[1\] \(Book "a"\): .*: \.spec\.t/,
      );
      const places = error.details?.causes?.map(({ message, field }) => `${message.split(' (')[0]} ${field}`);
      expect(places).to.have.members([
        'spec.objects[1] .spec.title',
        'spec.objects[1] .spec.tone',
        'spec.objects[2] .spec.title',
      ]);
      const one = await errorOf(applyAll(world, objects.slice(2)));
      expect(one.message).to.include('other managers own fields of 1 object.');
      expect((await applyAll(world, objects, { force: true })).plan.summary).to.include({ created: 1, configured: 2 });
    }),
  );

  it(
    'is only planned in a dry run, with its conflicts',
    inWorld(async (world) => {
      const { book, writer, set } = world.kinds;
      await world.put(book, 'a', { title: 'a' });
      const { revision } = world.registry.reader;
      const client = world.with({ fieldManager: 'me', isDryRun: true });
      const objects = [
        [writer, 'w'],
        [book, 'a', { title: 'A' }],
      ] as const;
      const result = await applyAll(world, objects, { client });
      expect(result.plan.summary).to.deep.equal({ created: 1, configured: 0, unchanged: 0, pruned: 0, conflicts: 1 });
      expect(planOf(result)[1]).to.match(/^conflict Book a \(Apply failed with 1 conflict/);
      expect([world.registry.reader.revision, await world.names(set)]).to.deep.equal([revision, []]);
      const bad = refusal(applyAll(world, [[book, 'b', { by: 'none' }]], { client }));
      expect(await bad).to.match(/^422/);
    }),
  );

  it(
    'may have objects that refer to each other, and checks at the end what is unique',
    inWorld(async (world) => {
      const { book } = world.kinds;
      await applyAll(world, [
        [book, 'a', { title: 'one' }],
        [book, 'b', { title: 'two' }],
      ]);
      const swapped = await applyAll(world, [
        [book, 'a', { title: 'two' }],
        [book, 'b', { title: 'one' }],
      ]);
      expect(planOf(swapped)).to.deep.equal(['configured Book a', 'configured Book b']);
      const twice = [
        [book, 'a', { title: 'x' }],
        [book, 'b', { title: 'x' }],
      ] as const;
      expect(await refusal(applyAll(world, twice))).to.match(
        /^422 Invalid spec\.objects\[[01]\] \(Book "[ab]"\): .*taken/,
      );
    }, UNIQUE_TITLES),
  );

  it(
    'remembers what it applied, and tells the members by kind and namespace',
    inWorld(async (world) => {
      const { book, shelf, writer } = world.kinds;
      await applyAll(world, [
        [book, 'a', {}, { namespace: 'other' }],
        [book, 'b'],
        [book, 'c'],
        [shelf, 's'],
        [writer, 'w'],
      ]);
      expect(await remembered(world)).to.deep.equal(['a', 'b', 'c', 's', 'w']);
      const { inventory, ...status } = setStatus(world) ?? { inventory: [] };
      const group = 'library.svc.app';
      expect(inventory).to.deep.equal([
        { group, kind: 'Book', namespace: 'default', count: 2 },
        { group, kind: 'Book', namespace: 'other', count: 1 },
        { group, kind: 'Shelf', namespace: 'default', count: 1 },
        { group, kind: 'Writer', count: 1 },
      ]);
      expect(status).to.deep.include({
        members: 5,
        drifted: 0,
        lastApplied: { by: 'admin', fieldManager: 'me', time: '2026-01-01T00:00:00Z' },
      });
    }),
  );

  it(
    'of no objects is a set without members',
    inWorld(async (world) => {
      const result = await applyAll(world, []);
      expect([result.isCreated, setStatus(world)?.members, setStatus(world)?.inventory]).to.deep.equal([true, 0, []]);
      const again = await applyAll(world, []);
      expect([again.isCreated, again.revision]).to.deep.equal([false, result.revision]);
    }),
  );

  it(
    'applies again what a kind keeps apart from its object, because equal configurations may have other results',
    inWorld(
      async (world) => {
        const { book, writer } = world.kinds;
        await applyAll(world, [[book, 'a', { x: '1' }]]);
        expect(await world.names(writer)).to.deep.equal(['of-a']);
        const [record] = await world.all<AppliedSpec>(world.kinds.records);
        const digests = Object.values(record?.spec?.members ?? {}).map(({ digest }) => digest);
        expect(digests).to.deep.equal([undefined]);
        reads.length = 0;
        const again = await applyAll(world, [[book, 'a', { x: '1' }]]);
        expect([planOf(again), reads.length > 0, record?.metadata.resourceVersion]).to.deep.equal([
          ['unchanged Book a'],
          true,
          (await world.all(world.kinds.records))[0]?.metadata.resourceVersion,
        ]);
      },
      {
        kinds: {
          book: { strategy: { alsoWrite: () => [{ resource: 'writers.library.svc.app', name: 'of-a', spec: {} }] } },
        },
      },
    ),
  );
});
