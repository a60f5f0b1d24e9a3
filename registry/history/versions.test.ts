import { expect } from 'chai';
import { inWorld, refusal, type World } from '../testing/world.js';
import { ObjectHistory, type VersionPage } from './history.js';
import { restore } from './restore.js';
import { RetainedReader } from './versions.js';

const MINUTE = 60_000;
const pageOf = ({ versions }: VersionPage) =>
  versions.map(
    ({ version, isCurrent, message }) =>
      `${version}${isCurrent ? '*' : ''}${message === undefined ? '' : ` ${message}`}`,
  );
const titles = ({ versions }: VersionPage) => versions.map(({ object }) => (object.spec as { title?: string }).title);

function historyOf(world: World, ...permissions: readonly string[]): ObjectHistory {
  const { user } = permissions.length === 0 ? world.admin.options : world.as(...permissions).options;
  return new ObjectHistory(world.registry, user, world.kinds.book, 'default');
}

/** Makes a book with so many versions, one a minute. */
async function versions(world: World, count: number): Promise<void> {
  await world.put(world.kinds.book, 'a', { title: '1' });
  for (let i = 2; i <= count; i++) {
    world.clock.time += MINUTE;
    await world.change(world.kinds.book, 'a', { title: String(i) });
  }
}

describe('the history of an object', () => {
  it(
    'has its versions, the newest first, with author and time, in pages',
    inWorld(async (world) => {
      await versions(world, 4);
      const history = historyOf(world);
      const all = history.page('a', { limit: 10 });
      expect([pageOf(all), titles(all), all.below]).to.deep.equal([
        ['4*', '3', '2', '1'],
        ['4', '3', '2', '1'],
        undefined,
      ]);
      expect(all.versions.map(({ time }) => time.slice(14, 19))).to.deep.equal(['03:00', '02:00', '01:00', '00:00']);
      expect(all.versions[1]).to.include({ author: 'user:admins', isCurrent: false });
      expect(all.versions[1]).to.not.have.any.keys('message', 'deleted');
      const first = history.page('a', { limit: 2 });
      expect([pageOf(first), first.below]).to.deep.equal([['4*', '3'], 3]);
      const second = history.page('a', { limit: 2, below: 3 });
      expect([pageOf(second), second.below]).to.deep.equal([['2', '1'], undefined]);
      expect(pageOf(history.page('a', { limit: 2, below: 1 }))).to.deep.equal([]);
      expect(pageOf(history.page('a', { limit: 2, below: 4 }))).to.deep.equal(['3', '2']);
      const one = history.page('a', { limit: 1 });
      expect([pageOf(one), one.below]).to.deep.equal([['4*'], 4]);
      expect(pageOf(history.page('a', { limit: 4 }))).to.have.length(4);
    }),
  );

  it(
    'has all pages, also if the trash has not kept the object that was deleted',
    inWorld(async (world) => {
      await versions(world, 4);
      await world.admin.delete(world.kinds.book, 'default', 'a');
      const history = historyOf(world);
      const first = history.page('a', { limit: 2 });
      expect([pageOf(first), first.below]).to.deep.equal([['3', '2'], 2]);
      const second = history.page('a', { limit: 2, below: 2 });
      expect([pageOf(second), second.below]).to.deep.equal([['1'], undefined]);
    }),
  );

  it(
    'has each version by its number',
    inWorld(async (world) => {
      await versions(world, 2);
      const history = historyOf(world);
      expect(history.version('a', 2).isCurrent).to.equal(true);
      expect(history.version('a', 1).object.spec).to.deep.equal({ title: '1' });
      for (const none of [0, 3])
        expect(await refusal(async () => history.version('a', none))).to.match(/^404 NotFound .*a, version/);
    }),
  );

  it(
    'is for callers who may view the object, and 404 only for those who may learn that it does not exist',
    inWorld(async (world) => {
      await versions(world, 2);
      const ask = (name: string, ...permissions: readonly string[]) =>
        refusal(async () => historyOf(world, ...permissions).page(name, { limit: 1 }));
      expect(await ask('a', 'books:read books:uid:a')).to.equal('');
      expect(await ask('a', 'books:read books:uid:b')).to.match(/^403/);
      expect(await ask('b', 'books:read books:uid:a')).to.match(/^403/);
      expect(await ask('b', 'books:read *')).to.match(/^404 NotFound books\.library\.svc\.app "b" not found/);
      expect(await ask('b')).to.match(/^404/);
    }),
  );

  it(
    'tells what the authors wrote about the versions',
    inWorld(async (world) => {
      const note = (text: string) => ({ annotations: { 'svc.app/message': text } });
      await world.put(world.kinds.book, 'a', { title: '1' }, note('first'));
      await world.change(world.kinds.book, 'a', { title: '2' });
      await world.change(world.kinds.book, 'a', { title: '3' }, note('third'));
      expect(pageOf(historyOf(world).page('a', { limit: 9 }))).to.deep.equal(['3* third', '2', '1 first']);
    }),
  );

  it(
    'of a deleted object ends with its deletion, as long as that can be taken back',
    inWorld(
      async (world) => {
        const { kinds, admin, clock } = world;
        await versions(world, 2);
        clock.time += MINUTE;
        await admin.delete(kinds.book, 'default', 'a');
        const history = historyOf(world);
        const page = history.page('a', { limit: 9 });
        expect(pageOf(page)).to.deep.equal(['2', '1']);
        expect(page.versions[0]?.deleted).to.deep.equal({ by: 'user:admins', at: '2026-01-01T00:02:00Z' });
        expect(page.versions[1]).to.not.have.property('deleted');
        expect(history.version('a', 2).object.spec).to.deep.equal({ title: '2' });
        expect(await refusal(async () => historyOf(world, 'books:read books:uid:a').page('a', { limit: 1 }))).to.equal(
          '',
        );
        expect(await refusal(async () => historyOf(world, 'books:read books:uid:b').page('a', { limit: 1 }))).to.match(
          /^403/,
        );
        clock.time += 10 * MINUTE - 1;
        expect(await refusal(async () => history.page('a', { limit: 1 }))).to.equal('');
        clock.time += 1;
        expect(await refusal(async () => history.page('a', { limit: 1 }))).to.match(/^404/);
      },
      { retention: { trash: 10 * MINUTE }, kinds: { book: { trash: true } } },
    ),
  );

  it(
    'begins anew with a new object of the same name',
    inWorld(async (world) => {
      await versions(world, 3);
      await world.admin.delete(world.kinds.book, 'default', 'a');
      await versions(world, 2);
      expect(pageOf(historyOf(world).page('a', { limit: 9 }))).to.deep.equal(['2*', '1']);
    }),
  );

  it(
    'is the object alone if nothing is retained',
    inWorld(
      async (world) => {
        await versions(world, 3);
        expect(await world.all(world.kinds.retained)).to.deep.equal([]);
        expect(pageOf(historyOf(world).page('a', { limit: 9 }))).to.deep.equal(['3*']);
        await world.admin.delete(world.kinds.book, 'default', 'a');
        expect(await refusal(async () => historyOf(world).page('a', { limit: 9 }))).to.match(/^404/);
      },
      { retention: { versions: 0, trash: 0 } },
    ),
  );

  it(
    'is read of the namespace and the kind of the object',
    inWorld(async (world) => {
      const { kinds, registry } = world;
      await versions(world, 3);
      const origin = (await world.all(kinds.book))[0]?.metadata.uid ?? '';
      const read = (namespace: string) => new RetainedReader(registry, kinds.book, namespace);
      const generations = async (namespace: string, below: number, limit: number) =>
        (await read(namespace).versions(origin, below, limit)).map(({ spec }) => spec?.generation);
      expect(await generations('default', 9, 9)).to.deep.equal([2, 1]);
      expect(await generations('default', 2, 9)).to.deep.equal([1]);
      expect(await generations('default', 9, 1)).to.deep.equal([2]);
      expect(await generations('other', 9, 9)).to.deep.equal([]);
      expect(read('default').version(origin, 2)?.spec?.generation).to.equal(2);
      expect(read('default').version(origin, 3)).to.equal(undefined);
      const without = new RetainedReader({ ...registry, retained: undefined }, kinds.book, 'default');
      expect([without.versions(origin, 9, 9), without.deletedTogether('x')]).to.deep.equal([[], []]);
    }),
  );
});

describe('an earlier version', () => {
  const request = (world: World, version?: number, more: object = {}) => ({
    kind: world.kinds.book,
    namespace: 'default',
    name: 'a',
    version,
    ...more,
  });

  it(
    'comes back as the next one, with a message, and the labels of now',
    inWorld(async (world) => {
      await versions(world, 3);
      await world.change(world.kinds.book, 'a', { title: '3' }, { labels: { x: 'y' } });
      const restored = await restore(world.admin, request(world, 1));
      expect([restored.version, restored.written.length, restored.leftOut]).to.deep.equal([1, 1, []]);
      expect(restored.object).to.deep.equal(world.get(world.kinds.book, 'a'));
      expect([
        restored.object.spec,
        restored.object.metadata.generation,
        restored.object.metadata.labels,
      ]).to.deep.equal([{ title: '1' }, 4, { x: 'y' }]);
      expect(pageOf(historyOf(world).page('a', { limit: 9 }))[0]).to.equal('4* Restored from version 1');
    }),
  );

  it(
    'that is the same as now changes nothing',
    inWorld(async (world) => {
      await versions(world, 2);
      const { revision } = world.registry.reader;
      await restore(world.admin, request(world, 2));
      expect(world.registry.reader.revision).to.equal(revision);
    }),
  );

  it(
    'comes back without its annotations: they may say where the object lies, and who may see it',
    inWorld(
      async (world) => {
        const { book } = world.kinds;
        const placed = (place: string) => ({ annotations: { 'svc.app/place': place, 'svc.app/closed': place } });
        await world.put(book, 'a', { title: '1' }, placed('here'));
        await world.change(book, 'a', { title: '2' }, placed('there'));
        await restore(world.admin, request(world, 1));
        expect(world.get(book, 'a')?.spec).to.deep.equal({ title: '1' });
        expect(world.get(book, 'a')?.metadata.annotations).to.include(placed('there').annotations);
      },
      { kinds: { book: { ownKeys: ['place', 'closed'] } } },
    ),
  );

  it(
    'comes back with its place if the caller asks for it, and with nothing else of its annotations',
    inWorld(
      async (world) => {
        const { book } = world.kinds;
        const placed = (place: string) => ({ annotations: { 'svc.app/place': place, 'svc.app/closed': place } });
        await world.put(book, 'a', { title: '1' }, placed('here'));
        await world.change(book, 'a', { title: '2' }, placed('there'));
        await restore(world.admin, request(world, 1, { formerPlace: true }));
        const annotations = { 'svc.app/place': 'here', 'svc.app/closed': 'there' };
        expect(world.get(book, 'a')?.metadata.annotations).to.include(annotations);
        await world.put(book, 'c', { title: 'c' });
        await world.change(book, 'c', { title: 'd' }, placed('there'));
        await restore(world.admin, request(world, 1, { name: 'c', formerPlace: true }));
        expect(world.get(book, 'c')?.metadata.annotations).not.to.have.property('svc.app/place');
      },
      {
        kinds: {
          book: {
            ownKeys: ['place', 'closed'],
            containment: {
              resource: 'shelves.library.svc.app',
              container: () => undefined,
              field: '',
              annotation: 'svc.app/place',
            },
          },
        },
      },
    ),
  );

  it(
    'must be named, must exist, and must be of the expected object',
    inWorld(async (world) => {
      await versions(world, 2);
      expect(await refusal(restore(world.admin, request(world)))).to.match(
        /^422 Invalid .*spec\.version.*name the version/,
      );
      expect(await refusal(restore(world.admin, request(world, 9)))).to.match(/^404/);
      expect(await refusal(restore(world.admin, request(world, 1, { name: 'none' })))).to.match(/^404/);
      expect(await refusal(restore(world.admin, request(world, 1, { preconditions: { uid: 'x' } })))).to.match(/^409/);
      expect(world.get(world.kinds.book, 'a')?.spec).to.deep.equal({ title: '2' });
    }),
  );

  it(
    'takes the permission to change the object',
    inWorld(async (world) => {
      await versions(world, 2);
      expect(await refusal(restore(world.as('books:read *'), request(world, 1)))).to.match(/^403/);
      expect(await refusal(restore(world.as('books:read *', 'books:write books:uid:a'), request(world, 1)))).to.equal(
        '',
      );
    }),
  );
});
