import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { isStorageError } from '../../storage/errors.js';
import type { Kind } from '../kinds/kind.js';
import { inWorld, type World } from '../testing/world.js';
import type { Migration } from './migration.js';
import type { StoreSchemaSpec } from './schema.js';
import { type UpgradeOptions, upgrade } from './upgrade.js';

type Spec = Readonly<Record<string, string>>;
const specOf = ({ spec }: KubeObject): Spec => (spec ?? {}) as Spec;

/** Adds the version to the spec of each object that does not have it. */
function migration(to: number, ...kinds: readonly Kind[]): Migration {
  const change = (object: KubeObject) =>
    specOf(object)['is'] === String(to) ? undefined : { ...object, spec: { ...specOf(object), is: String(to) } };
  return { to, reads: to - 1, resources: kinds.map(({ qualified }) => qualified), change };
}

const run = (world: World, migrations: readonly Migration[], more: Partial<UpgradeOptions> = {}) =>
  upgrade({ registry: world.registry, migrations, report: () => undefined, ...more });

const schema = async ({ all, kinds }: World) => (await all<StoreSchemaSpec>(kinds.schema)).map(({ spec }) => spec)[0];
const versions = async (world: World, kind: Kind) => (await world.all(kind)).map((one) => specOf(one)['is']);

describe('an upgrade of stored data', () => {
  it(
    'changes the objects of each migration in turn, and notes the version',
    inWorld(async (world) => {
      const { kinds, put, get } = world;
      const before = await put(kinds.book, 'a', { x: '1' });
      await put(kinds.writer, 'w');
      await put(kinds.slip, 's');
      await put(kinds.shelf, 'untouched');
      const reports: string[] = [];
      const report = ({ to }: Migration, done: number) => void reports.push(`${to}: ${done}`);
      await run(world, [migration(2, kinds.book, kinds.writer), migration(3, kinds.slip, kinds.book)], { report });
      expect(get(kinds.book, 'a')?.spec).to.deep.equal({ x: '1', is: '3' });
      expect(get(kinds.book, 'a')?.metadata).to.deep.include({ uid: before.metadata.uid, generation: 1 });
      expect([get(kinds.writer, 'w')?.spec, get(kinds.shelf, 'untouched')?.spec]).to.deep.equal([{ is: '2' }, {}]);
      expect(await versions(world, kinds.slip)).to.deep.equal(['3']);
      expect(await schema(world)).to.deep.equal({ version: 3, reads: 2 });
      expect(reports).to.deep.equal(['2: 1', '2: 2', '3: 1', '3: 2']);
    }),
  );

  it(
    'is done once, and writes nothing if there is nothing to do',
    inWorld(async (world) => {
      const { kinds, put, registry } = world;
      await put(kinds.book, 'a');
      const { revision } = registry.reader;
      await run(world, []);
      expect([registry.reader.revision, await schema(world)]).to.deep.equal([revision, undefined]);
      const all = [migration(2, kinds.book)];
      await run(world, all);
      await put(kinds.book, 'later');
      const after = registry.reader.revision;
      await run(world, all);
      expect([registry.reader.revision, await versions(world, kinds.book)]).to.deep.equal([after, ['2', undefined]]);
    }),
  );

  it(
    'leaves objects alone that have the new form',
    inWorld(async (world) => {
      const { kinds, put, get } = world;
      const { metadata } = await put(kinds.book, 'new', { is: '2' });
      await run(world, [migration(2, kinds.book)]);
      expect(get(kinds.book, 'new')?.metadata.resourceVersion).to.equal(metadata.resourceVersion);
    }),
  );

  it(
    'goes in steps, between which it can be stopped and continued, and others may write',
    inWorld(async (world) => {
      const { kinds, put, admin } = world;
      await admin.transact((transaction) => {
        for (let i = 0; i < 450; i++) {
          const metadata = { name: `b${String(i).padStart(3, '0')}`, namespace: 'default' };
          transaction.create(kinds.book, 'default', {
            apiVersion: kinds.book.apiVersion,
            kind: 'Book',
            metadata,
            spec: {},
          });
        }
      });
      await put(kinds.writer, 'w');
      const all = [migration(2, kinds.book, kinds.writer)];
      const stop = new AbortController();
      const done: number[] = [];
      const report = (_: Migration, count: number) => {
        done.push(count);
        if (done.length === 1) stop.abort();
      };
      await run(world, all, { report, signal: stop.signal });
      expect(await schema(world)).to.deep.equal({
        version: 1,
        reads: 1,
        migration: {
          to: 2,
          resource: kinds.book.qualified,
          position: `${kinds.book.qualified}/default/b199`,
          done: 200,
        },
      });
      expect((await versions(world, kinds.book)).filter((one) => one === '2')).to.have.length(200);
      await put(kinds.book, 'b0');
      await run(world, all, { report });
      expect(done).to.deep.equal([200, 400, 450, 451]);
      expect((await versions(world, kinds.book)).filter((one) => one !== '2')).to.deep.equal([undefined]);
      expect([await versions(world, kinds.writer), await schema(world)]).to.deep.equal([
        ['2'],
        { version: 2, reads: 1 },
      ]);
    }),
  );

  it(
    'notes after each kind where the next one begins',
    inWorld(async (world) => {
      const { kinds, put } = world;
      await put(kinds.book, 'a');
      const stop = new AbortController();
      const report = () => stop.abort();
      await run(world, [migration(2, kinds.book, kinds.writer)], { report, signal: stop.signal });
      expect(await schema(world)).to.deep.equal({
        version: 1,
        reads: 1,
        migration: { to: 2, resource: kinds.writer.qualified, position: '', done: 1 },
      });
    }),
  );

  it(
    'is refused if a later version has written what this one cannot read, and is not if it can',
    inWorld(async (world) => {
      const { kinds } = world;
      const [second, third] = [migration(2, kinds.book), migration(3, kinds.book)];
      await run(world, [second, third]);
      await run(world, [second]);
      const error = await run(world, []).catch((thrown: unknown) => thrown);
      expect(isStorageError(error, 'refused')).to.equal(true);
      expect((error as Error).message).to.match(
        /it has version 3, and this server knows versions up to 1\. Start the later/,
      );
    }),
  );

  it(
    'is done once by several servers at the same time',
    inWorld(async (world) => {
      const { kinds, put, get } = world;
      await put(kinds.book, 'a', { n: '' });
      const all = [
        {
          ...migration(2, kinds.book),
          change: (object: KubeObject) => ({ ...object, spec: { n: `${specOf(object)['n']}x` } }),
        },
      ];
      await Promise.all([run(world, all), run(world, all), run(world, all)]);
      expect([get(kinds.book, 'a')?.spec, await schema(world)]).to.deep.equal([{ n: 'x' }, { version: 2, reads: 1 }]);
    }),
  );

  it(
    'leaves out objects that are deleted meanwhile',
    inWorld(async (world) => {
      const { kinds, put, admin, registry } = world;
      await put(kinds.book, 'a');
      await put(kinds.book, 'b');
      const { writer } = registry;
      const transact = writer.transact.bind(writer);
      writer.transact = async (...all) => {
        writer.transact = transact;
        await admin.delete(kinds.book, 'default', 'a');
        return transact(...all);
      };
      await run(world, [migration(2, kinds.book)]);
      expect([await world.names(kinds.book), await versions(world, kinds.book)]).to.deep.equal([['b'], ['2']]);
    }),
  );

  it(
    'begins the history of the data with the time of the first step',
    inWorld(async (world) => {
      world.clock.time += 1;
      await run(world, [migration(2, world.kinds.book)]);
      const [stored] = await world.all(world.kinds.schema);
      expect(stored?.metadata).to.deep.include({
        name: 'data',
        generation: 1,
        creationTimestamp: '2026-01-01T00:00:00Z',
      });
      expect(stored?.metadata.uid).to.be.a('string');
    }),
  );
});
