import { serviceUnavailable } from '../../pkg/status/errors.js';

/** The results that a request waited for are kept until this is called. */
export type Release = () => void;

/**
 * Code that cannot wait throws this when it needs a result that takes time to make. A caller that can wait awaits `work`, and begins again. The
 * result is then there, and stays until it is released.
 */
export class Suspended extends Error {
  readonly work: () => Promise<Release>;

  constructor(work: () => Promise<Release>) {
    super('a result that takes time is not there yet');
    this.work = work;
  }
}

/** How often something begins again. An update needs a few results one after the other, and more if others change the object meanwhile. */
const ATTEMPTS = 24;

/** Begins again after each result that was not there. `first` is what the first attempt threw. Rejects with the error of the work. */
export async function resumed<Result>(first: Suspended, attempt: () => Result | Promise<Result>): Promise<Result> {
  const releases: Release[] = [];
  try {
    let { work } = first;
    for (let i = 0; i < ATTEMPTS; i++) {
      releases.push(await work());
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof Suspended)) throw error;
        work = error.work;
      }
    }
    throw serviceUnavailable('the object changes faster than it can be converted; please try again', undefined, 1);
  } finally {
    for (const release of releases) release();
  }
}
