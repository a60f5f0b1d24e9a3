import { expect } from 'chai';
import { z } from 'zod';
import type { ApiError } from '../../pkg/kube/status/status.js';
import { StorageError } from '../../storage/errors.js';
import { defineKind, type Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import { settled, type TestTime, withTestTime } from '../testing/timers.js';
import { until } from '../testing/until.js';
import { inWorld, type World } from '../testing/world.js';
import { NO_DELETE_OPTIONS } from '../write/delete.js';
import { type Election, startElection, unopposed } from './election.js';

/** A period that does not end during a test. */
const LONG = 60_000;
const NAME = 'lease';
const OTHER = { holder: 'other', renewals: 5 };
/** Leases take the place of the library's writers. */
const LEASE = defineKind(
  { domain: 'svc.app' },
  {
    identity: {
      group: 'library',
      version: 'v1',
      kind: 'Writer',
      resource: 'writers',
      singular: 'writer',
      scope: 'Cluster',
      description: 'A lease of a test.',
      spec: z.strictObject({ holder: z.string(), renewals: z.int() }),
    },
  },
);

interface Candidacy extends World {
  readonly lease: Kind;
  readonly errors: unknown[];
  start(period?: number, registry?: Registry): Election;
  held(): typeof OTHER | undefined;
}

function withLease(work: (world: Candidacy) => Promise<void>): () => Promise<void> {
  return inWorld(
    async (world) => {
      const lease = world.kinds.writer as Kind;
      const errors: unknown[] = [];
      const start = (period = LONG, registry = world.registry) =>
        startElection(registry, lease, { name: NAME, period, onError: (error) => void errors.push(error) });
      const held = () => world.get(lease, NAME)?.spec as typeof OTHER | undefined;
      await work(Object.assign(world, { lease, errors, start, held }));
      expect(errors).to.deep.equal([]);
    },
    { kinds: { writer: LEASE as unknown as Partial<Kind> } },
  );
}

/** The same, where only the test lets time pass. */
function withLeaseAndTime(work: (world: Candidacy, time: TestTime) => Promise<void>): () => Promise<void> {
  return withLease((world) => withTestTime((time) => work(world, time)));
}

type Writer = Registry['writer'];

/** The registry with other writes than those of the store. */
const writingBy = ({ registry }: World, transact: Writer['transact']): Registry => ({
  ...registry,
  writer: { ...registry.writer, transact },
});

describe('a server that is a candidate for a lease', () => {
  it('is elected at once if it shares its store with no other', async () => {
    expect(unopposed.isElected()).to.equal(true);
    await unopposed.close();
    expect(unopposed.isElected()).to.equal(true);
  });

  it(
    'takes a lease that nobody has, and gives it back when it stops',
    withLease(async ({ start, held }) => {
      const election = start();
      await until(async () => election.isElected());
      expect(held()).to.include({ renewals: 0 });
      expect(held()?.holder).to.not.equal('');
      await election.close();
      expect([election.isElected(), held()]).to.deep.equal([false, { holder: '', renewals: 1 }]);
      const next = start();
      await until(async () => next.isElected());
      await next.close();
    }),
  );

  it(
    'gives back a lease that it takes while it stops',
    withLease(async (world) => {
      const { registry, start, held } = world;
      let go = (): void => undefined;
      const mayWrite = new Promise<void>((resolve) => (go = resolve));
      const transact: Writer['transact'] = async (...all) => {
        await mayWrite;
        return registry.writer.transact(...all);
      };
      const election = start(LONG, writingBy(world, transact));
      await settled();
      const closed = election.close();
      go();
      await closed;
      expect([election.isElected(), held()]).to.deep.equal([false, { holder: '', renewals: 1 }]);
    }),
  );

  it(
    'renews the lease as long as it has it',
    withLease(async ({ start, held }) => {
      const election = start(2);
      await until(async () => held() !== undefined);
      const { holder } = held() ?? OTHER;
      await until(async () => (held()?.renewals ?? 0) > 3);
      expect(held()?.holder).to.equal(holder);
      await election.close();
    }),
  );

  it(
    'leaves the lease to another server, until that has not renewed it for three periods',
    withLease(async ({ lease, put, start, held }) => {
      await put(lease, NAME, OTHER);
      const period = 20;
      const began = performance.now();
      const election = start(period);
      await until(async () => held()?.holder !== 'other');
      // A timer may end a millisecond early.
      expect(performance.now() - began).to.be.least(3 * (period - 1));
      expect(held()?.renewals).to.be.least(6);
      await election.close();
    }),
  );

  it(
    'does not give back a lease that it has not, or that another server has taken',
    withLease(async ({ lease, admin, start, held }) => {
      const election = start();
      await until(async () => election.isElected());
      await admin.update(lease, '', NAME, (old) => ({ ...old, spec: OTHER }));
      await election.close();
      expect(held()).to.deep.equal(OTHER);
      const waiting = start();
      await settled();
      expect([waiting.isElected(), held()]).to.deep.equal([false, OTHER]);
      await admin.delete(lease, '', NAME, NO_DELETE_OPTIONS);
      await waiting.close();
      expect(held()).to.equal(undefined);
    }),
  );

  it(
    'renews the lease in each period, and is elected for three periods after that',
    withLeaseAndTime(async ({ start, held }, { pass }) => {
      const election = start();
      await settled();
      for (const renewals of [0, 1, 2, 3]) {
        expect([held()?.renewals, election.isElected()]).to.deep.equal([renewals, true]);
        await pass(LONG);
      }
      await election.close();
    }),
  );

  it(
    'is not elected any more when it could not renew the lease for three periods',
    withLeaseAndTime(async (world, { pass }) => {
      const { start, errors, registry } = world;
      let isBroken = false;
      const transact: Writer['transact'] = (...all) =>
        isBroken ? Promise.reject(new Error('no store')) : registry.writer.transact(...all);
      const election = start(LONG, writingBy(world, transact));
      await settled();
      isBroken = true;
      await pass(LONG);
      await pass(LONG);
      await pass(LONG - 1);
      expect([election.isElected(), errors.map(String)]).to.deep.equal([true, ['Error: no store', 'Error: no store']]);
      await pass(1);
      expect(election.isElected()).to.equal(false);
      isBroken = false;
      await pass(LONG);
      expect(election.isElected()).to.equal(true);
      await election.close();
      errors.splice(0);
    }),
  );

  it(
    'takes a lease that was not renewed in three periods, and not one that is renewed in each',
    withLeaseAndTime(async ({ lease, admin, put, start, held }, { pass }) => {
      await put(lease, NAME, OTHER);
      const election = start();
      await settled();
      for (let renewals = 6; renewals < 12; renewals++) {
        await admin.update(lease, '', NAME, (old) => ({ ...old, spec: { ...OTHER, renewals } }));
        await pass(LONG);
      }
      expect([held(), election.isElected()]).to.deep.equal([{ ...OTHER, renewals: 11 }, false]);
      await pass(LONG);
      await pass(LONG);
      expect(held()?.holder).to.equal('other');
      await pass(LONG);
      expect([held()?.renewals, election.isElected()]).to.deep.equal([12, true]);
      await election.close();
    }),
  );

  for (const before of [undefined, { holder: '', renewals: 4 }]) {
    it(
      `is not elected if another server is faster to ${before === undefined ? 'make the lease' : 'take it'}`,
      withLease(async (world) => {
        const { lease, admin, put, registry, start, held } = world;
        if (before !== undefined) await put(lease, NAME, before);
        let isFirst = true;
        const transact: Writer['transact'] = async (...all) => {
          if (isFirst) {
            isFirst = false;
            if (before === undefined) await put(lease, NAME, OTHER);
            else await admin.update(lease, '', NAME, (old) => ({ ...old, spec: OTHER }));
          }
          return registry.writer.transact(...all);
        };
        const election = start(LONG, writingBy(world, transact));
        await settled();
        expect([isFirst, election.isElected(), held()]).to.deep.equal([false, false, OTHER]);
        await election.close();
      }),
    );
  }

  it(
    'tells the operator what fails, and is not elected, but not what fails because it stops',
    withLease(async (world) => {
      const { start, errors } = world;
      const failing = start(
        LONG,
        writingBy(world, () => Promise.reject(new Error('no store'))),
      );
      await settled();
      expect([failing.isElected(), errors.splice(0).map(String)]).to.deep.equal([false, ['Error: no store']]);
      await failing.close();
      const refused = start(
        LONG,
        writingBy(world, () => Promise.reject(new StorageError('unavailable', 'no primary'))),
      );
      await settled();
      expect([refused.isElected(), errors.splice(0).map((error) => (error as ApiError).code)]).to.deep.equal([
        false,
        [503],
      ]);
      await refused.close();
      let refuse = (_: Error): void => undefined;
      const pending = start(
        LONG,
        writingBy(world, () => new Promise((_, reject) => (refuse = reject))),
      );
      const closed = pending.close();
      refuse(new Error('it stops'));
      await closed;
    }),
  );
});
