import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { ApiError } from '../../pkg/kube/status/status.js';
import { StorageError } from '../../storage/errors.js';
import type { Job } from '../background/background.js';
import { GOES_ON, settle } from '../testing/jobs.js';
import { inWorld, refusal, type World } from '../testing/world.js';
import { NO_DELETE_OPTIONS } from '../write/delete.js';
import { purgeJobs, startPurge } from './purge.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The jobs by the resource that wakes them. */
const jobsOf = ({ registry, kinds }: World) => {
  const jobs = purgeJobs(registry);
  const wokenBy = (resource: string): Job => {
    const found = jobs.find((job) => job.wokenBy === resource);
    if (found === undefined) throw new Error(`no job is woken by ${resource}`);
    return found;
  };
  return { jobs, orphans: wokenBy(kinds.book.qualified), expired: wokenBy(kinds.slip.qualified) };
};
const slip = async ({ put, kinds }: World, name: string, spec: object, more = {}) => put(kinds.slip, name, spec, more);

/** How often all owners are looked at, from now on. */
function looksOf({ registry }: World): { count: number } {
  const looks = { count: 0 };
  const { reader } = registry;
  const counts = reader.counts.bind(reader);
  reader.counts = (...args) => {
    looks.count++;
    return counts(...args);
  };
  return looks;
}

describe('the purge', () => {
  it(
    'has jobs for kinds whose objects belong to others, expire, or are versions',
    inWorld(async (world) => {
      const { kinds, registry } = world;
      expect(purgeJobs(registry).map(({ wokenBy }) => wokenBy)).to.deep.equal([
        kinds.book.qualified,
        kinds.slip.qualified,
        kinds.retained.qualified,
      ]);
    }),
  );

  it(
    'removes what belongs to objects that are gone: first it looks at all, then it follows their deletions',
    inWorld(async (world) => {
      const { kinds, put, names, admin } = world;
      const { orphans, jobs } = jobsOf(world);
      const looks = looksOf(world);
      const b = await put(kinds.book, 'b');
      await slip(world, 'of-b', { of: 'b', uid: b.metadata.uid });
      await slip(world, 'of-none', { of: 'none', uid: 'none' });
      await slip(world, 'of-former', { of: 'b', uid: 'former' });
      await slip(world, 'far', { of: 'b', uid: b.metadata.uid }, { namespace: 'other' });
      await slip(world, 'free', {});
      await orphans.run(GOES_ON);
      expect([await names(kinds.slip), looks.count]).to.deep.equal([['free', 'of-b'], 1]);
      await orphans.run(GOES_ON);
      expect(looks.count).to.equal(1);
      await slip(world, 'of-b-2', { of: 'b', uid: b.metadata.uid });
      await put(kinds.book, 'c');
      await admin.delete(kinds.book, 'default', 'b');
      await settle(world, jobs);
      expect([await names(kinds.slip), looks.count]).to.deep.equal([['free'], 1]);
    }),
  );

  it(
    'looks at all again after an hour, when it is told to, and when the ring has lost deletions',
    inWorld(async (world) => {
      const { kinds, put, names, admin, clock, registry } = world;
      const { orphans } = jobsOf(world);
      const looks = looksOf(world);
      const run = async () => {
        await orphans.run(GOES_ON);
        return looks.count;
      };
      expect([await run(), await run()]).to.deep.equal([1, 1]);
      clock.time += HOUR - 1;
      expect(await run()).to.equal(1);
      clock.time += 1;
      expect([await run(), await run()]).to.deep.equal([2, 2]);
      orphans.restart();
      expect([await run(), await run()]).to.deep.equal([3, 3]);
      const { metadata } = await put(kinds.book, 'b');
      await slip(world, 's', { of: 'b', uid: metadata.uid });
      await admin.delete(kinds.book, 'default', 'b');
      const ring = registry.cacher.ring(kinds.book.qualified);
      while (ring.start < ring.end) ring.drop();
      expect([await run(), await names(kinds.slip)]).to.deep.equal([4, []]);
    }),
  );

  it(
    'keeps what it could not do for the next time, and what is left if it is stopped',
    inWorld(async (world) => {
      const { kinds, put, names, admin, registry } = world;
      const { orphans } = jobsOf(world);
      await orphans.run(GOES_ON);
      const { metadata } = await put(kinds.book, 'b');
      await slip(world, 's', { of: 'b', uid: metadata.uid });
      await admin.delete(kinds.book, 'default', 'b');
      await orphans.run(AbortSignal.abort());
      expect(await names(kinds.slip)).to.deep.equal(['s']);
      const { writer } = registry;
      const transact = writer.transact.bind(writer);
      writer.transact = () => Promise.reject(new StorageError('unavailable', 'no'));
      expect(await refusal(orphans.run(GOES_ON))).to.match(/^503/);
      writer.transact = transact;
      await orphans.run(GOES_ON);
      expect(await names(kinds.slip)).to.deep.equal([]);
    }),
  );

  it(
    'follows deletions only: not what is made or changed, nor what comes back under another uid',
    inWorld(async (world) => {
      const { kinds, put, change, names, admin } = world;
      const { orphans } = jobsOf(world);
      await orphans.run(GOES_ON);
      const first = await put(kinds.book, 'a');
      const second = await put(kinds.book, 'b');
      await slip(world, 'of-a', { of: 'a', uid: first.metadata.uid });
      await slip(world, 'of-b', { of: 'b', uid: second.metadata.uid });
      await change(kinds.book, 'a', { x: '1' });
      await orphans.run(GOES_ON);
      expect(await names(kinds.slip)).to.deep.equal(['of-a', 'of-b']);
      await admin.delete(kinds.book, 'default', 'b');
      const third = await put(kinds.book, 'b');
      await slip(world, 'of-new-b', { of: 'b', uid: third.metadata.uid });
      await orphans.run(GOES_ON);
      expect(await names(kinds.slip)).to.deep.equal(['of-a', 'of-new-b']);
    }),
  );

  it(
    'removes what has expired, once a minute, or when it is told to',
    inWorld(async (world) => {
      const { kinds, names, clock } = world;
      const { expired } = jobsOf(world);
      const { time } = clock;
      await slip(world, 'old', { at: String(time - 1001) });
      await slip(world, 'young', { at: String(time - 1000) });
      await slip(world, 'without', {});
      await expired.run(GOES_ON);
      expect(await names(kinds.slip)).to.deep.equal(['without', 'young']);
      clock.time += MINUTE - 1;
      await expired.run(GOES_ON);
      expect(await names(kinds.slip)).to.deep.equal(['without', 'young']);
      clock.time += 1;
      await expired.run(GOES_ON);
      expect(await names(kinds.slip)).to.deep.equal(['without']);
      await slip(world, 'late', { at: '1' });
      await expired.run(GOES_ON);
      expect(await names(kinds.slip)).to.include('late');
      expired.restart();
      await expired.run(GOES_ON);
      expect(await names(kinds.slip)).to.deep.equal(['without']);
    }),
  );

  it(
    'removes thousands in chunks, and leaves what is terminating, or was changed meanwhile',
    inWorld(async (world) => {
      const { kinds, names, admin, registry } = world;
      const { expired } = jobsOf(world);
      for (let i = 0; i < 450; i++) await slip(world, `s${i}`, { at: String(i) });
      await slip(world, 'held', { at: '5' }, { finalizers: ['x/y'] });
      await admin.delete(kinds.slip, 'default', 'held', NO_DELETE_OPTIONS);
      const held = (await world.all(kinds.slip)).find(({ metadata }) => metadata.name === 'held');
      const { writer } = registry;
      const transact = writer.transact.bind(writer);
      // Somebody edits one of them, and another is deleted.
      const edit = async (): Promise<void> => {
        writer.transact = transact;
        await admin.update(kinds.slip, 'default', 's3', (old) => ({ ...old, spec: { at: '3', x: 'y' } }));
        await admin.delete(kinds.slip, 'default', 's4');
      };
      let edited: Promise<void> | undefined;
      writer.transact = async (...all) => {
        edited ??= Promise.resolve().then(edit);
        await edited;
        return transact(...all);
      };
      await expired.run(GOES_ON);
      expect(await names(kinds.slip)).to.deep.equal(['held', 's3']);
      expect((await world.all(kinds.slip)).find(({ metadata }) => metadata.name === 'held')).to.deep.equal(held);
    }),
  );

  it(
    'of a server works until it is stopped',
    inWorld(async (world) => {
      await slip(world, 'a', { of: 'none', uid: 'none' });
      const stop = startPurge(world.registry, { onError: () => undefined });
      for (let i = 0; i < 1000 && (await world.names(world.kinds.slip)).length > 0; i++) await turn();
      await stop();
      expect(await world.names(world.kinds.slip)).to.deep.equal([]);
    }),
  );

  it(
    'fails if a rule refuses a deletion, so that all is looked at again',
    inWorld(
      async (world) => {
        const { expired } = jobsOf(world);
        await slip(world, 'old', { at: '1' });
        expect(await refusal(expired.run(GOES_ON))).to.equal('403 Forbidden no');
      },
      {
        kinds: {
          slip: {
            strategy: {
              validateDelete: () => {
                throw new ApiError({ code: 403, reason: 'Forbidden', message: 'no' });
              },
            },
          },
        },
      },
    ),
  );

  it(
    'fails if a deletion fails for another reason, so that all is looked at again',
    inWorld(
      async (world) => {
        const { expired } = jobsOf(world);
        await slip(world, 'old', { at: '1' });
        expect(await expired.run(GOES_ON).catch((error: Error) => error.message)).to.equal('no');
      },
      {
        kinds: {
          slip: {
            strategy: {
              validateDelete: () => {
                throw new Error('no');
              },
            },
          },
        },
      },
    ),
  );
});
