import type { Backend, Commit } from '../../storage/backend.js';
import { StorageError } from '../../storage/errors.js';
import type { Random } from './random.js';

export interface ChaosOptions {
  /** The most milliseconds that an answer of the store takes longer. */
  readonly delay: number;
  /** How often an append fails: before it is stored, or after it, so that nobody knows. */
  readonly failures: number;
}

/** A store that is slow at random, that tells other servers late, and whose appends fail at times. All of this is within the contract of a backend. */
export function chaotic(
  backend: Backend,
  random: Random,
  { delay, failures }: ChaosOptions,
  isOn: () => boolean,
): Backend {
  const late = (most = delay): Promise<void> => random.pause(most);
  async function* tail(after: number, signal: AbortSignal): AsyncGenerator<Commit, void, undefined> {
    for await (const commit of backend.tail(after, signal)) {
      if (backend.shared) await late(4 * delay);
      yield commit;
    }
  }
  const changed: Partial<Backend> = {
    tail,
    end: async (signal) => {
      const end = await backend.end(signal);
      await late();
      return end;
    },
    append: async (after, batch) => {
      await late();
      const fate = isOn() ? random.next() : 1;
      if (fate < failures / 2) throw new StorageError('unavailable', 'the test refuses this append');
      await backend.append(after, batch);
      if (fate < failures) throw new StorageError('unknown', 'the test lost the answer of this append');
      await late();
    },
    get: async (keys) => {
      const found = await backend.get(keys);
      // Sometimes for so long that others write meanwhile what was read.
      await late(random.chance(0.3) ? 10 * delay : delay);
      return found;
    },
  };
  return new Proxy(backend, {
    get: (target, property) => {
      const own: unknown = Reflect.get(changed, property);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
