import type { Backend, Commit } from '../../storage/backend.js';
import { StorageError } from '../../storage/errors.js';
import type { Random } from './random.js';

export interface ChaosOptions {
  /** The most milliseconds by which an answer of the store is delayed. Some are delayed more. */
  readonly delay: number;
  /** The probability that an append fails. Half of the failures come after it was stored, with an unknown outcome. */
  readonly failures: number;
}

/**
 * A store that is slow at random, reports commits late, and fails some appends. The contract of a backend allows all of
 * this.
 */
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
      // The longer delay is for writes of others to the object that was read.
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
