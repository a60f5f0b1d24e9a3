import { expect } from 'chai';
import { Cacher } from '../../storage/cacher/cacher.js';
import { Engine } from '../../storage/engine/engine.js';
import { Client } from '../client/client.js';
import { resourceDefinitions } from '../kinds/registry.js';
import { Reader } from '../read/reader.js';
import { inWorld, refusal, type World } from '../testing/world.js';
import { applyAll, planOf, reads, type Sent, setStatus } from './testing/sets.js';

/** Before the next commit of this server, another server does this. */
async function meanwhile(world: World, work: (other: Client) => Promise<unknown>): Promise<void> {
  const { backend, registry } = world;
  const cacher = await Cacher.open({ ...backend }, { definitions: resourceDefinitions(registry.kinds) });
  const { append } = backend;
  const writer = new Engine({ ...backend }, cacher);
  const other = new Client({ ...registry, cacher, writer, reader: new Reader(cacher) }, world.admin.options);
  backend.append = async (after, batch) => {
    backend.append = append;
    await work(other);
    await writer.close();
    await cacher.close();
    return append(after, batch);
  };
}

describe('a set that is applied while another server writes', () => {
  it(
    'is judged again on what is stored now, and what did not change is not merged again',
    inWorld(async (world) => {
      const { book, writer } = world.kinds;
      await world.put(book, 'a', { x: '1' });
      await world.put(book, 'b', { x: '1' });
      const objects: readonly Sent[] = [
        [book, 'a', { title: 'A' }],
        [book, 'b', { title: 'B' }],
        [writer, 'w'],
      ];
      await meanwhile(world, (other) => other.update(book, 'default', 'b', (old) => ({ ...old, spec: { x: '2' } })));
      reads.length = 0;
      const result = await applyAll(world, objects);
      expect(planOf(result)).to.deep.equal(['configured Book a', 'configured Book b', 'created Writer w']);
      expect([world.get(book, 'a')?.spec, world.get(book, 'b')?.spec]).to.deep.equal([
        { x: '1', title: 'A' },
        { x: '2', title: 'B' },
      ]);
      const merged = (name: string) => reads.filter((one) => one === name).length;
      expect(merged('b'), 'it is merged twice').to.be.greaterThan(merged('a'));
    }),
  );

  it(
    'is authorized again',
    inWorld(async (world) => {
      const { book } = world.kinds;
      for (const name of ['a', 'b']) await world.put(book, name);
      let isValid = true;
      const { options } = world.as('applysets:* *', 'books:* *');
      const client = world.with({ user: { ...options.user, stillValid: () => isValid }, fieldManager: 'me' });
      for (const touched of ['a', 'b']) {
        await meanwhile(world, async (other) => {
          isValid = false;
          await other.update(book, 'default', touched, (old) => ({ ...old, spec: { x: '2' } }));
        });
        expect(await refusal(applyAll(world, [[book, 'a', { title: 'A' }]], { client })), touched).to.match(/^401/);
        isValid = true;
      }
      expect(world.get(book, 'a')?.spec).to.deep.equal({ x: '2' });
    }),
  );

  it(
    'takes no more than the permission to create for what is still not there',
    inWorld(async (world) => {
      const { book, writer } = world.kinds;
      await world.put(writer, 'w');
      const { options } = world.as('applysets:* *', 'books:create *');
      await meanwhile(world, (other) => other.delete(writer, '', 'w'));
      const result = await applyAll(world, [[book, 'a']], { client: world.with({ ...options, fieldManager: 'me' }) });
      expect(planOf(result)).to.deep.equal(['created Book a']);
    }),
  );
});

describe('an object of a request', () => {
  it(
    'that another one has brought with it is merged with what is there now',
    inWorld(
      async (world) => {
        const { book, shelf } = world.kinds;
        const result = await applyAll(world, [
          [book, 'a', { on: 's', title: 'A' }],
          [shelf, 's'],
        ]);
        expect(planOf(result)).to.deep.equal(['configured Book a', 'created Shelf s']);
        expect(world.get(book, 'a')?.spec).to.deep.equal({ made: 'with s', on: 's', title: 'A' });
      },
      {
        kinds: {
          shelf: {
            strategy: { alsoWrite: () => [{ resource: 'books.library.svc.app', name: 'a', spec: { made: 'with s' } }] },
          },
        },
      },
    ),
  );

  it(
    'is noted for the audit log if it changes',
    inWorld(async (world) => {
      const { book, writer } = world.kinds;
      const noted: string[] = [];
      const audit = {
        changed: (all: readonly { verb: string; metadata: { name: string } }[]) =>
          void noted.push(...all.map(({ verb, metadata }) => `${verb} ${metadata.name}`)),
      };
      const client = world.with({ fieldManager: 'me', audit });
      await applyAll(
        world,
        [
          [book, 'a'],
          [writer, 'w'],
        ],
        { client },
      );
      expect(noted.splice(0).toSorted()).to.deep.equal(['create a', 'create fleet', 'create w']);
      await world.change(writer, 'w', {}).catch(() => undefined);
      await applyAll(
        world,
        [
          [book, 'a', { x: '1' }],
          [writer, 'w'],
        ],
        { client, prune: true },
      );
      expect(noted.splice(0)).to.deep.equal(['update a']);
      await applyAll(world, [[book, 'a', { x: '1' }]], { client, prune: true });
      expect(noted).to.deep.equal(['delete w']);
    }),
  );
});

describe('a set', () => {
  it(
    'tells who last changed something by it, and when',
    inWorld(async (world) => {
      const { book } = world.kinds;
      await applyAll(world, [[book, 'a', { title: 'A' }]]);
      world.clock.time += 60_000;
      const client = world.with({ user: { ...world.admin.options.user, name: 'eve' }, fieldManager: 'me' });
      await applyAll(world, [[book, 'a', { title: 'B' }]], { client });
      const last = { by: 'eve', fieldManager: 'me', time: '2026-01-01T00:01:00Z' };
      expect(setStatus(world)?.lastApplied).to.deep.equal(last);
      world.clock.time += 60_000;
      await applyAll(world, [[book, 'a', { title: 'B' }]]);
      expect(setStatus(world)?.lastApplied).to.deep.equal(last);
    }),
  );

  it(
    'has at most 10,000 members',
    inWorld(async (world) => {
      const { book, records, set } = world.kinds;
      await applyAll(world, []);
      const member = { revision: 1, leaves: {} };
      const members = Object.fromEntries(
        Array.from({ length: 9999 }, (_, i) => [`${book.qualified}/default/n${i}`, member]),
      );
      await world.put(records, 'fleet.0', { set: 'fleet', members });
      await applyAll(world, [[book, 'last']]);
      expect(setStatus(world)?.members).to.equal(10_000);
      const refused = await refusal(applyAll(world, [[book, 'more']]));
      expect(refused).to.match(/^422 Invalid .*spec\.objects: Too many: the set would have more than 10000 members/);
      expect([world.get(book, 'more'), await world.names(set)]).to.deep.equal([undefined, ['fleet']]);
      // It is said before the objects are read, because other writes wait for the work.
      const broken = await refusal(applyAll(world, [[book, 'more', { title: 7 }]]));
      expect(broken).to.equal(refused);
      await applyAll(world, [[book, 'more']], { prune: true });
      expect(setStatus(world)?.members).to.equal(1);
    }),
  );
});
