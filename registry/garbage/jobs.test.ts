import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { Job } from '../background/background.js';
import type { Kind } from '../kinds/kind.js';
import { GOES_ON } from '../testing/jobs.js';
import type { World } from '../testing/world.js';
import { blocking, type Collecting, owners, owning, withCollector } from './testing/collecting.js';

const SECOND = 1000;
const jobOf = ({ jobs }: Collecting, { qualified }: Kind): Job => {
  const found = jobs.find(({ wokenBy }) => wokenBy === qualified);
  if (found === undefined) throw new Error(`there is no job of ${qualified}`);
  return found;
};

/** Counts the searches for dependents among slips, and the looks at all of them, from now on. */
function readsOf({ registry, kinds }: World): { readonly owner: number; readonly looks: number } {
  const { reader } = registry;
  const [walk, counts] = [reader.walk.bind(reader), { owner: 0, looks: 0 }];
  reader.walk = (resource, index, prefix) => {
    if (resource === kinds.slip.qualified && index === 'owner') counts[prefix.length > 0 ? 'owner' : 'looks']++;
    return walk(resource, index, prefix);
  };
  return counts;
}

/** Books whose title is `stays` cannot be deleted, for a reason that may change. */
const rule = { reason: 'Forbidden' as 'Forbidden' | 'Conflict' | 'NotFound', code: 403, isOn: true };
const KEPT = {
  kinds: {
    book: {
      strategy: {
        validateDelete: ({ spec }: { readonly spec?: unknown }) => {
          const { title } = spec as { readonly title?: string };
          if (!rule.isOn || title !== 'stays') return;
          const { code, reason } = rule;
          throw new ApiError({ code, reason, message: 'it stays' });
        },
      },
    },
  },
};

describe('a deletion that a rule refuses to the garbage collector', () => {
  beforeEach(() => Object.assign(rule, { reason: 'Forbidden', code: 403, isOn: true }));
  const gone = { apiVersion: 'library.svc.app/v1', kind: 'Writer', name: 'w', uid: 'w' };

  it(
    'keeps no other from being collected, is told once, and is tried again after half a minute',
    withCollector(
      async (world) => {
        const { kinds, put, collect, names, errors, clock, jobs } = world;
        await put(kinds.book, 'a', { title: 'stays' }, owners(gone));
        await put(kinds.book, 'b', {}, owners(gone));
        await collect();
        expect([await names(kinds.book), errors.length]).to.deep.equal([['a'], 1]);
        expect(String(errors[0])).to.include('it stays');
        clock.time += 31 * SECOND;
        await collect();
        expect([await names(kinds.book), errors.length]).to.deep.equal([['a'], 1]);
        rule.isOn = false;
        clock.time += 29 * SECOND;
        for (const job of jobs) await job.run(GOES_ON);
        expect(await names(kinds.book)).to.deep.equal(['a']);
        clock.time += SECOND;
        await collect();
        expect(await names(kinds.book)).to.deep.equal([]);
      },
      true,
      KEPT,
    ),
  );

  it(
    'is nothing to tell if the object has changed or is gone',
    withCollector(
      async ({ kinds, put, collect, names, errors, clock }) => {
        Object.assign(rule, { reason: 'Conflict', code: 409 });
        await put(kinds.book, 'a', { title: 'stays' }, owners(gone));
        await collect();
        expect([await names(kinds.book), errors]).to.deep.equal([['a'], []]);
        rule.isOn = false;
        clock.time += 30 * SECOND;
        await collect();
        expect(await names(kinds.book)).to.deep.equal([]);
        Object.assign(rule, { reason: 'NotFound', code: 404, isOn: true });
        await put(kinds.book, 'b', { title: 'stays' }, owners(gone));
        await collect();
        rule.isOn = false;
        clock.time += 30 * SECOND;
        await collect();
        expect([await names(kinds.book), errors]).to.deep.equal([['b'], []]);
      },
      true,
      KEPT,
    ),
  );

  it(
    'fails the run if the server is at fault, or is overloaded, so that all is looked at again',
    withCollector(
      async (world) => {
        const { kinds, put, jobs, names } = world;
        await put(kinds.book, 'a', { title: 'stays' }, owners(gone));
        const books = jobOf(world, kinds.book);
        for (const code of [500, 503, 429]) {
          rule.code = code;
          const error = await books.run(GOES_ON).catch((thrown: unknown) => thrown);
          expect(error, String(code)).to.include({ code });
        }
        rule.isOn = false;
        for (const job of jobs) await job.run(GOES_ON);
        expect(await names(kinds.book)).to.deep.equal([]);
      },
      true,
      KEPT,
    ),
  );

  it(
    'is not tried again if the object is gone meanwhile',
    withCollector(
      async ({ kinds, put, collect, admin, clock, errors, names }) => {
        await put(kinds.book, 'a', { title: 'stays' }, owners(gone));
        await collect();
        rule.isOn = false;
        await admin.delete(kinds.book, 'default', 'a');
        clock.time += 30 * SECOND;
        await collect();
        expect([await names(kinds.book), errors.length]).to.deep.equal([[], 1]);
      },
      true,
      KEPT,
    ),
  );
});

describe('a job of the garbage collector', () => {
  it(
    'looks at everything first, then each hour, and when it is told to',
    withCollector(async (world) => {
      const { kinds, clock } = world;
      const slips = jobOf(world, kinds.slip);
      const reads = readsOf(world);
      const looks = async (): Promise<number> => {
        const before = reads.looks;
        await slips.run(GOES_ON);
        return reads.looks - before;
      };
      expect([await looks(), await looks(), await looks()]).to.deep.equal([1, 0, 0]);
      clock.time += 3_600_000 - 1;
      expect(await looks()).to.equal(0);
      clock.time += 1;
      expect([await looks(), await looks()]).to.deep.equal([1, 0]);
      slips.restart();
      expect([await looks(), await looks()]).to.deep.equal([1, 0]);
    }, false),
  );

  it(
    'handles all changes of a burst in one run',
    withCollector(async (world) => {
      const { kinds, put, names } = world;
      const w = await put(kinds.writer, 'w');
      const books = jobOf(world, kinds.book);
      await books.run(GOES_ON);
      for (let i = 0; i < 250; i++) await put(kinds.book, `b${i}`, {}, owners(owning(w, { uid: 'other' })));
      await books.run(GOES_ON);
      expect(await names(kinds.book)).to.deep.equal([]);
    }, false),
  );

  it(
    'finds what it missed when the ring has lost changes',
    withCollector(async (world) => {
      const { kinds, put, names, registry, collect } = world;
      await put(kinds.book, 'b', {}, owners({ apiVersion: 'library.svc.app/v1', kind: 'Writer', name: 'w', uid: 'w' }));
      const ring = registry.cacher.ring(kinds.book.qualified);
      while (ring.start < ring.end) ring.drop();
      await collect();
      expect(await names(kinds.book)).to.deep.equal([]);
    }, true),
  );

  it(
    'does not delete an object that was changed meanwhile, before it has seen the change',
    withCollector(async (world) => {
      const { kinds, put, remove, collect, names, jobs, admin, registry } = world;
      const [w, v] = [await put(kinds.writer, 'w'), await put(kinds.writer, 'v')];
      await put(kinds.slip, 'p', {}, owners(w));
      await remove(w);
      const { writer } = registry;
      const transact = writer.transact.bind(writer);
      writer.transact = async (...args) => {
        writer.transact = transact;
        const change = (old: KubeObject): KubeObject => ({ ...old, metadata: { ...old.metadata, ...owners(v) } });
        await admin.update(kinds.slip, 'default', 'p', change);
        return transact(...args);
      };
      for (const job of jobs) await job.run(GOES_ON);
      expect(await names(kinds.slip)).to.deep.equal(['p']);
      await collect();
      expect(await names(kinds.slip)).to.deep.equal(['p']);
    }, false),
  );

  for (const isFollowing of [false, true])
    it(
      `finds what an owner has owned for long, after ${isFollowing ? 'it has seen how that began' : 'a look'}`,
      withCollector(async (world) => {
        const { kinds, put, remove, collect, names } = world;
        const [w, v] = [await put(kinds.writer, 'w'), await put(kinds.writer, 'v')];
        await put(kinds.slip, 'p', {}, owners(w));
        await collect();
        await remove(w);
        await collect();
        expect(await names(kinds.slip)).to.deep.equal([]);
        await put(kinds.book, 'b', {}, blocking(v));
        await collect();
        await remove(v, 'Foreground');
        await collect();
        expect([await names(kinds.book), await names(kinds.writer)]).to.deep.equal([[], []]);
      }, isFollowing),
    );

  it(
    'is none for a kind whose objects are stored as those of another',
    withCollector(
      async ({ jobs, kinds }) => {
        expect(jobs.map(({ wokenBy }) => wokenBy)).to.not.include(kinds.lock.qualified);
      },
      false,
      { kinds: { lock: { conversion: { storageKind: 'locks.library.svc.app', convert: (one) => one } } } },
    ),
  );

  it(
    'ends when it is stopped, and does the rest when it runs again',
    withCollector(async (world) => {
      const { kinds, put, names, jobs } = world;
      const w = await put(kinds.writer, 'w');
      await put(kinds.book, 'b', {}, owners(owning(w, { uid: 'other' })));
      const stopped = AbortSignal.abort();
      const books = jobOf(world, kinds.book);
      // Nothing fails either: what it does not begin cannot be interrupted.
      await books.run(stopped);
      expect(await names(kinds.book)).to.deep.equal(['b']);
      for (const job of jobs) await job.run(GOES_ON);
      expect(await names(kinds.book)).to.deep.equal([]);
    }, false),
  );

  it(
    'begins with no other owner when it is stopped',
    withCollector(async (world) => {
      const { kinds, put, remove, collect } = world;
      await put(kinds.slip, 'p', {}, owners(await put(kinds.writer, 'living')));
      await collect();
      for (const name of ['a', 'b', 'c']) await remove(await put(kinds.writer, name));
      const reads = readsOf(world);
      const writers = jobOf(world, kinds.writer);
      // It is stopped while it reads what the first of them owned.
      const isStopped = { get: () => reads.owner > 0 };
      await writers.run(Object.defineProperty(new AbortController().signal, 'aborted', isStopped));
      expect(reads.owner).to.equal(1);
      await writers.run(GOES_ON);
      expect(reads.owner).to.equal(4);
    }, true),
  );

  it(
    'is made for each stored kind',
    withCollector(async ({ jobs, registry }) => {
      expect(jobs.map(({ wokenBy }) => wokenBy)).to.deep.equal(registry.kinds.map(({ qualified }) => qualified));
    }, false),
  );
});
