import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { z } from 'zod';
import { type Election, startElection, unopposed } from './election.js';
import { defineKind, type Kind } from './kind.js';
import { until } from './testing/until.js';
import { inWorld, type World } from './testing/world.js';
import { NO_DELETE_OPTIONS } from './write/delete.js';

/** A period that does not end during a test. */
const LONG = 60_000;
const NAME = 'lease';
const OTHER = { holder: 'other', renewals: 5 };
/** Leases take the place of the library's writers. */
const LEASE = defineKind(
  { domain: 'svc.app' },
  {
    group: 'library',
    version: 'v1',
    kind: 'Writer',
    resource: 'writers',
    singular: 'writer',
    scope: 'Cluster',
    description: 'A lease of a test.',
    spec: z.strictObject({ holder: z.string(), renewals: z.int() }),
  },
);

interface Candidacy extends World {
  readonly lease: Kind;
  readonly errors: unknown[];
  start(period?: number): Election;
  held(): typeof OTHER | undefined;
}

function withLease(work: (world: Candidacy) => Promise<void>): () => Promise<void> {
  return inWorld(
    async (world) => {
      const lease = world.kinds.writer as Kind;
      const errors: unknown[] = [];
      const start = (period = LONG) =>
        startElection(world.registry, lease, { name: NAME, period, onError: (error) => void errors.push(error) });
      const held = () => world.get(lease, NAME)?.spec as typeof OTHER | undefined;
      await work(Object.assign(world, { lease, errors, start, held }));
      expect(errors).to.deep.equal([]);
    },
    { kinds: { writer: LEASE as unknown as Partial<Kind> } },
  );
}

const settled = async (): Promise<void> => {
  for (let i = 0; i < 30; i++) await turn();
};

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
});
