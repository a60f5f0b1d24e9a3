import { expect } from 'chai';
import { conflict, serviceUnavailable } from '../../pkg/kube/status/errors.js';
import type { ApiError } from '../../pkg/kube/status/status.js';
import { GOES_ON } from '../testing/jobs.js';
import { inWorld, type World, type WorldOptions } from '../testing/world.js';
import type { Job } from './background.js';
import { namespaceCollectorJobs } from './namespace-collector.js';

describe('the collector of namespaces, after a failure', () => {
  /** What a rule of books says to the deletion of one. */
  type Rule = (namespace: string) => ApiError | undefined;

  const withRule = (rule: { current: Rule }): WorldOptions => ({
    withNamespaces: true,
    kinds: {
      book: {
        strategy: {
          validateDelete: ({ metadata }) => {
            const error = rule.current(metadata.namespace ?? '');
            if (error !== undefined) throw error;
          },
        },
      },
    },
  });
  const lent: Rule = (namespace) =>
    namespace === 'hall' ? conflict({ group: '', resource: 'books' }, 'kept', 'it is lent') : undefined;
  const away: Rule = () => serviceUnavailable('the store is away');

  /** Namespaces with a book in each, which are being deleted. */
  async function deleted({ kinds, put, admin }: World, ...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await put(kinds.namespace, name);
      await put(kinds.book, 'kept', {}, { namespace: name });
      await admin.delete(kinds.namespace, '', name);
    }
  }

  function jobOf({ registry }: World): { readonly job: Job; readonly errors: unknown[] } {
    const errors: unknown[] = [];
    const [job] = namespaceCollectorJobs(registry, { onError: (error) => errors.push(error) });
    if (job === undefined) throw new Error('there are no namespaces');
    return { job, errors };
  }

  const failureOf = (work: Promise<void>) => work.catch((error: unknown) => String(error));

  const rule: { current: Rule } = { current: lent };
  beforeEach(() => {
    rule.current = lent;
  });

  it(
    'tries one namespace again after pauses that double, and others at once',
    inWorld(async (world) => {
      const { kinds, clock, get } = world;
      const { job, errors } = jobOf(world);
      await deleted(world, 'hall');
      for (const [before, seconds] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
        await job.run(GOES_ON);
        clock.time += 1000 * seconds - 1;
        await deleted(world, 'attic');
        await job.run(GOES_ON);
        expect([errors.length, get(kinds.namespace, 'attic')], `${seconds} s`).to.deep.equal([before + 1, undefined]);
        clock.time += 1;
      }
      rule.current = () => undefined;
      await job.run(GOES_ON);
      expect(get(kinds.namespace, 'hall')).to.equal(undefined);
    }, withRule(rule)),
  );

  it(
    'tries a namespace at once that is made and deleted anew',
    inWorld(async (world) => {
      const { kinds, admin, get } = world;
      const { job } = jobOf(world);
      await deleted(world, 'hall');
      await job.run(GOES_ON);
      rule.current = () => undefined;
      await admin.delete(kinds.book, 'hall', 'kept');
      await admin.delete(kinds.namespace, '', 'hall');
      await deleted(world, 'hall');
      await job.run(GOES_ON);
      expect(get(kinds.namespace, 'hall')).to.equal(undefined);
    }, withRule(rule)),
  );

  it(
    'fails once for all namespaces if the store is away, so that all of them wait longer and longer',
    inWorld(async (world) => {
      const { job, errors } = jobOf(world);
      await deleted(world, 'attic', 'hall');
      rule.current = away;
      expect(await failureOf(job.run(GOES_ON))).to.match(/the store is away/);
      expect(errors).to.deep.equal([]);
    }, withRule(rule)),
  );

  it(
    'has tried all namespaces when it fails',
    inWorld(async (world) => {
      const { kinds, get } = world;
      const { job } = jobOf(world);
      await deleted(world, 'attic', 'hall');
      rule.current = (namespace) => (namespace === 'attic' ? away(namespace) : undefined);
      expect(await failureOf(job.run(GOES_ON))).to.match(/the store is away/);
      expect(get(kinds.namespace, 'hall')).to.equal(undefined);
    }, withRule(rule)),
  );

  it(
    'tries all namespaces at once when this server is elected again',
    inWorld(async (world) => {
      const { job, errors } = jobOf(world);
      await deleted(world, 'hall');
      await job.run(GOES_ON);
      job.restart();
      await job.run(GOES_ON);
      expect(errors).to.have.length(2);
    }, withRule(rule)),
  );
});
