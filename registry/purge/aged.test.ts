import { expect } from 'chai';
import { restore } from '../history/restore.js';
import { GOES_ON } from '../testing/jobs.js';
import { inWorld, type World } from '../testing/world.js';
import { purgeJobs } from './purge.js';

const MINUTE = 60_000;
const jobOf = ({ registry, kinds }: World) => {
  const job = purgeJobs(registry).find(({ wokenBy }) => wokenBy === kinds.retained.qualified);
  if (job === undefined) throw new Error('there is no job');
  return job;
};

/** What is retained, as `a 1`, or `a 2 deleted`. */
const retained = async ({ all, kinds }: World) =>
  (await all<{ name: string; generation: number; deletion?: object }>(kinds.retained))
    .map(({ spec }) => `${spec?.name} ${spec?.generation}${spec?.deletion === undefined ? '' : ' deleted'}`)
    .toSorted();

/** Writes versions of an object up to this one. */
async function write({ kinds, get, put, change, clock }: World, name: string, upTo: number): Promise<void> {
  for (let i = (get(kinds.book, name)?.metadata.generation ?? 0) + 1; i <= upTo; i++) {
    clock.time += 1;
    if (i === 1) await put(kinds.book, name, { x: '1' });
    else await change(kinds.book, name, { x: String(i) });
  }
}

const TRASH = { kinds: { book: { trash: true } }, retention: { trash: 10 * MINUTE } };

describe('versions that are too old', () => {
  it(
    'are those beyond the number that is kept, of each object that has changed',
    inWorld(async (world) => {
      const job = jobOf(world);
      await job.run(GOES_ON);
      await write(world, 'a', 4);
      await write(world, 'b', 3);
      await job.run(GOES_ON);
      expect(await retained(world)).to.deep.equal(['a 1', 'a 2', 'a 3', 'b 1', 'b 2']);
      await write(world, 'a', 5);
      await job.run(GOES_ON);
      expect(await retained(world)).to.deep.equal(['a 2', 'a 3', 'a 4', 'b 1', 'b 2']);
      await write(world, 'a', 9);
      await write(world, 'b', 6);
      await job.run(GOES_ON);
      expect(await retained(world)).to.deep.equal(['a 6', 'a 7', 'a 8', 'b 3', 'b 4', 'b 5']);
    }),
  );

  it(
    'are at most as many as the setting says, also if the kind would keep more',
    inWorld(
      async (world) => {
        const job = jobOf(world);
        await job.run(GOES_ON);
        await write(world, 'a', 6);
        await job.run(GOES_ON);
        expect(await retained(world)).to.deep.equal(['a 4', 'a 5']);
      },
      { retention: { versions: 2 } },
    ),
  );

  it(
    'are removed with the next version if the ring has lost some, and nothing fails',
    inWorld(async (world) => {
      const job = jobOf(world);
      await job.run(GOES_ON);
      await write(world, 'a', 6);
      const ring = world.registry.cacher.ring(world.kinds.retained.qualified);
      while (ring.start < ring.end) ring.drop();
      await job.run(GOES_ON);
      expect(await retained(world)).to.have.length(5);
      await write(world, 'a', 7);
      await job.run(GOES_ON);
      expect(await retained(world)).to.deep.equal(['a 4', 'a 5', 'a 6']);
    }),
  );

  it(
    'before a deletion are kept as many, and the deletion with them',
    inWorld(async (world) => {
      const job = jobOf(world);
      await job.run(GOES_ON);
      await write(world, 'a', 6);
      await world.admin.delete(world.kinds.book, 'default', 'a');
      await job.run(GOES_ON);
      expect(await retained(world)).to.deep.equal(['a 3', 'a 4', 'a 5', 'a 6 deleted']);
    }, TRASH),
  );
});

describe('deletions that can no longer be taken back', () => {
  it(
    'are removed with all versions, at the next look after their time',
    inWorld(async (world) => {
      const { kinds, admin, clock } = world;
      const job = jobOf(world);
      await write(world, 'living', 2);
      await write(world, 'a', 3);
      await write(world, 'once', 1);
      for (const name of ['a', 'once']) await admin.delete(kinds.book, 'default', name);
      clock.time += 10 * MINUTE - 1;
      await job.run(GOES_ON);
      expect(await retained(world)).to.deep.equal(['a 1', 'a 2', 'a 3 deleted', 'living 1', 'once 1 deleted']);
      clock.time += MINUTE;
      await job.run(GOES_ON);
      expect(await retained(world)).to.deep.equal(['living 1']);
    }, TRASH),
  );

  it(
    'are looked for once a minute, or when the job is told to',
    inWorld(
      async (world) => {
        const { kinds, admin, clock } = world;
        const job = jobOf(world);
        const left = async () => {
          await job.run(GOES_ON);
          return (await retained(world)).length;
        };
        await write(world, 'a', 1);
        await admin.delete(kinds.book, 'default', 'a');
        expect(await left()).to.equal(1);
        clock.time += MINUTE - 1;
        expect(await left()).to.equal(1);
        clock.time += 1;
        expect(await left()).to.equal(0);
        await write(world, 'b', 1);
        await admin.delete(kinds.book, 'default', 'b');
        clock.time += MINUTE / 2;
        expect(await left()).to.equal(1);
        job.restart();
        expect(await left()).to.equal(0);
      },
      { ...TRASH, retention: { trash: MINUTE / 2 } },
    ),
  );

  it(
    'keep the versions of an object that has come back, or was deleted again',
    inWorld(async (world) => {
      const { kinds, admin, clock } = world;
      const job = jobOf(world);
      await write(world, 'back', 2);
      await admin.delete(kinds.book, 'default', 'back');
      await restore(admin, { kind: kinds.book, namespace: 'default', name: 'back' });
      await write(world, 'again', 2);
      await admin.delete(kinds.book, 'default', 'again');
      clock.time += MINUTE;
      await restore(admin, { kind: kinds.book, namespace: 'default', name: 'again' });
      await admin.delete(kinds.book, 'default', 'again');
      clock.time += 9 * MINUTE;
      await job.run(GOES_ON);
      expect(await retained(world)).to.deep.equal(['again 1', 'again 3 deleted', 'back 1']);
      clock.time += MINUTE;
      await job.run(GOES_ON);
      expect(await retained(world)).to.deep.equal(['back 1']);
    }, TRASH),
  );

  it(
    'do not keep the versions if only a namesake lives',
    inWorld(async (world) => {
      const { kinds, admin, clock } = world;
      const job = jobOf(world);
      await write(world, 'a', 2);
      await admin.delete(kinds.book, 'default', 'a');
      await write(world, 'a', 1);
      clock.time += 10 * MINUTE;
      await job.run(GOES_ON);
      expect(await retained(world)).to.deep.equal([]);
    }, TRASH),
  );

  it(
    'are removed whole, however many objects went together, and also if only their names were kept',
    inWorld(
      async (world) => {
        const { kinds, put, admin, clock, change } = world;
        const job = jobOf(world);
        await put(kinds.shelf, 's');
        for (let i = 0; i < 5; i++) await put(kinds.shelf, `s${i}`, { on: 's' });
        await change(kinds.shelf, 's3', { on: 's', x: '1' });
        await admin.delete(kinds.shelf, 'default', 's');
        await put(kinds.shelf, 'large', { x: 'x'.repeat(9000) });
        await change(kinds.shelf, 'large', { x: 'x'.repeat(9001) });
        await admin.delete(kinds.shelf, 'default', 'large');
        expect(await retained(world)).to.deep.equal([
          'large 1',
          'large 2 deleted',
          's 1 deleted',
          ...['s0 1', 's1 1', 's2 1'].map((one) => `${one} deleted`),
          's3 1',
          's3 2 deleted',
          's4 1 deleted',
        ]);
        clock.time += 10 * MINUTE;
        await job.run(GOES_ON);
        expect(await retained(world)).to.deep.equal([]);
      },
      { retention: { trash: 10 * MINUTE, maxBytes: 5000 } },
    ),
  );

  it(
    'are removed whole, also if the object by which they are found has come back and got many versions',
    inWorld(
      async (world) => {
        const { kinds, put, change, admin, clock } = world;
        const job = jobOf(world);
        await job.run(GOES_ON);
        await put(kinds.shelf, 's');
        await put(kinds.shelf, 'on-s', { on: 's' });
        await admin.delete(kinds.shelf, 'default', 's');
        await restore(admin, { kind: kinds.shelf, namespace: 'default', name: 's' });
        for (let i = 0; i < 5; i++) await change(kinds.shelf, 's', { x: String(i) });
        await job.run(GOES_ON);
        clock.time += 10 * MINUTE;
        await job.run(GOES_ON);
        expect(await retained(world)).to.deep.equal(['s 5', 's 6']);
      },
      { retention: { trash: 10 * MINUTE, versions: 2 } },
    ),
  );

  it(
    'are removed with what has no trash, and went with it',
    inWorld(
      async (world) => {
        const { kinds, put, change, admin, clock } = world;
        await put(kinds.shelf, 's');
        await change(kinds.shelf, 's', { x: '1' });
        for (const name of ['a', 'b']) await put(kinds.book, name, { on: 's' });
        await admin.delete(kinds.shelf, 'default', 's');
        expect(await retained(world)).to.deep.equal(['a 1 deleted', 'b 1 deleted', 's 1', 's 2 deleted']);
        clock.time += 10 * MINUTE;
        await jobOf(world).run(GOES_ON);
        expect(await retained(world)).to.deep.equal([]);
      },
      { ...TRASH, kinds: { book: { trash: true }, shelf: { trash: false } } },
    ),
  );

  it(
    'are removed at one go, however many there are',
    inWorld(async (world) => {
      const { kinds, admin, clock } = world;
      const job = jobOf(world);
      for (let i = 0; i < 203; i++) {
        await write(world, `a${i}`, 1);
        await admin.delete(kinds.book, 'default', `a${i}`);
      }
      clock.time += 10 * MINUTE;
      await job.run(GOES_ON);
      expect(await retained(world)).to.deep.equal([]);
    }, TRASH),
  );
});
