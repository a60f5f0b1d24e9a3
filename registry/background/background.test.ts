import { expect } from 'chai';
import { Signal } from '../../storage/signal.js';
import type { Registry } from '../kinds/registry.js';
import { settled, withTestTime } from '../testing/timers.js';
import { type BackgroundOptions, type Job, startJobs } from './background.js';

const WORK = 'books.library.svc.app';

/** A job, and a store in which resources change when the test says so. */
class Workshop {
  readonly cacher = { closed: false, logId: 0, ring: (resource: string) => ({ changed: this.#changed(resource) }) };
  readonly errors: unknown[] = [];
  /** What was asked of the job. */
  readonly done: string[] = [];
  readonly #rings = new Map<string, Signal>();

  start(run: (signal: AbortSignal) => Promise<void>, options: Partial<BackgroundOptions> = {}): () => Promise<void> {
    const job: Job = {
      wokenBy: WORK,
      run: (signal) => {
        this.done.push('run');
        return run(signal);
      },
      restart: () => void this.done.push('restart'),
    };
    const onError = (error: unknown): void => void this.errors.push(error);
    return startJobs({ cacher: this.cacher } as unknown as Registry, [job], { onError, ...options });
  }

  async change(resource = WORK): Promise<void> {
    this.#changed(resource).notify();
    await settled();
  }

  readonly #changed = (resource: string): Signal => {
    const ring = this.#rings.get(resource) ?? new Signal();
    this.#rings.set(resource, ring);
    return ring;
  };
}

const succeed = async (): Promise<void> => undefined;
const fail = (): Promise<void> => Promise.reject(new Error('broken'));
const untilStopped = (signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('a job in the background', () => {
  it('runs at once, and after each change of its resource, until it is stopped', async () => {
    const workshop = new Workshop();
    const stop = workshop.start(succeed);
    await settled();
    expect(workshop.done).to.deep.equal(['run']);
    await workshop.change();
    expect(workshop.done).to.deep.equal(['run', 'run']);
    await workshop.change('shelves.library.svc.app');
    expect(workshop.done).to.have.length(2);
    await stop();
    await workshop.change();
    expect(workshop.done).to.have.length(2);
  });

  it('is told of changes that come while it runs', async () => {
    const workshop = new Workshop();
    let [isChanged, seen] = [false, false];
    const stop = workshop.start(async () => {
      seen = isChanged;
      if (isChanged) return;
      isChanged = true;
      await workshop.change();
    });
    await settled();
    await settled();
    expect(seen).to.equal(true);
    await stop();
  });

  it('starts afresh when this server is elected again', async () => {
    const workshop = new Workshop();
    let isElected = false;
    const stop = workshop.start(succeed, { isElected: () => isElected });
    await settled();
    expect(workshop.done).to.deep.equal(['restart']);
    isElected = true;
    await workshop.change();
    expect(workshop.done).to.deep.equal(['restart', 'run']);
    await stop();
  });

  it('waits for a minute after the database was set back, because a restore may go on, and then starts afresh', () =>
    withTestTime(async ({ pass }) => {
      const workshop = new Workshop();
      const stop = workshop.start(succeed);
      await settled();
      workshop.cacher.logId = 1;
      await workshop.change();
      await pass(59_999);
      await workshop.change();
      expect(workshop.done).to.deep.equal(['run', 'restart', 'restart']);
      await pass(1);
      await workshop.change();
      expect(workshop.done).to.deep.equal(['run', 'restart', 'restart', 'run']);
      await stop();
    }));

  it('that fails is reported, and tried again after pauses that double up to a minute', () =>
    withTestTime(async ({ pass }) => {
      const workshop = new Workshop();
      let fails = true;
      const stop = workshop.start(() => (fails ? fail() : succeed()));
      await settled();
      const attempts = (): number => workshop.done.filter((one) => one === 'run').length;
      for (const [before, seconds] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
        await workshop.change();
        await pass(1000 * seconds - 1);
        expect(attempts(), `${seconds} s`).to.equal(before + 1);
        await pass(1);
        expect(attempts(), `${seconds} s`).to.equal(before + 2);
      }
      expect(workshop.errors.map(String)).to.deep.equal(Array.from({ length: 9 }, () => 'Error: broken'));
      expect(workshop.done.slice(0, 4)).to.deep.equal(['run', 'restart', 'run', 'restart']);
      // After a success, the pauses begin anew.
      fails = false;
      await workshop.change();
      await pass(60_000);
      fails = true;
      await workshop.change();
      const tried = attempts();
      await workshop.change();
      await pass(1000);
      expect(attempts()).to.equal(tried + 1);
      await stop();
    }));

  it('stops at once, also in the pause after a failure', () =>
    withTestTime(async () => {
      const workshop = new Workshop();
      const stop = workshop.start(fail);
      await settled();
      await stop();
      expect(workshop.errors).to.have.length(1);
    }));

  it('says nothing of what fails because it is stopped, or because the store is closed', async () => {
    const stopped = new Workshop();
    const stop = stopped.start(untilStopped);
    await settled();
    await stop();
    const closed = new Workshop();
    const stopClosed = closed.start(async () => {
      closed.cacher.closed = true;
      return fail();
    });
    await settled();
    await closed.change();
    await stopClosed();
    expect([...stopped.errors, ...closed.errors]).to.deep.equal([]);
    expect(closed.done.filter((one) => one === 'run')).to.have.length(1);
  });
});
