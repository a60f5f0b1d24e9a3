import { lifetime } from '../../pkg/system/time/lifetime.js';
import { Caller } from './caller.js';
import type { Door } from './door.js';
import type { History, Intent, Stream } from './history.js';
import { objectFor, pathOf, RESOURCES, type Written } from './objects.js';
import type { Random } from './random.js';
import { watchOnce } from './watcher.js';

/** The object that only the visitor writes. */
const NAME = 'visited';

/**
 * A client that lists and watches in one request, for a short time. It writes as soon as it has all objects, because no
 * change may get lost between the objects and the events.
 */
export async function visitor(
  history: History,
  doors: readonly Door[],
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const caller = new Caller('visitor', history, doors);
  for (let round = 0; !signal.aborted; round++) {
    const [resource, server] = [random.pick(RESOURCES), random.below(doors.length)];
    const wish = { client: caller.name, resource, isSelective: random.chance(0.3), server };
    const [count, other] = [1 + random.below(20), random.below(doors.length)];
    let writing: Promise<unknown> | undefined;
    const isEnough = ({ from, events }: Stream): boolean => {
      if (from === undefined) return false;
      writing ??= resource === 'rolebindings' ? Promise.resolve() : write(caller, other, resource, round);
      return events.length >= count;
    };
    const short = lifetime(signal, 400);
    await watchOnce(history, doors, wish, { signal: short.signal, isEnough });
    short.end();
    await writing;
    await random.pause(60);
  }
}

async function write(caller: Caller, server: number, resource: Written, round: number): Promise<void> {
  const labels = { round: String(round) };
  const intent: Intent = { kind: 'set', label: 'round', value: String(round) };
  await caller.one({ verb: 'apply', resource, name: NAME, intent }, server, (op) => ({
    method: 'PATCH',
    path: `${pathOf(resource, NAME)}?fieldManager=${caller.name}&force=true`,
    type: 'application/apply-patch+yaml',
    body: objectFor(resource, { name: NAME, title: NAME, labels, op }),
  }));
}
