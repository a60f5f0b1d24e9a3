import { expired } from '../../pkg/status/errors.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import type { Event } from '../../storage/cacher/event.js';
import { type Key, partsOf } from '../../storage/key.js';
import type { AccessView, Entry, GrantSource, Question, WatchVisibility } from '../access.js';
import { apiErrorOf } from '../storage-errors.js';
import { isMaster } from './masters.js';
import type { Places } from './places.js';
import { pastView, stateView, viewOf } from './views.js';
import { EVERYTHING, type Sight, sightOf } from './visibility.js';

const CHANGED = 'what you may see has changed: list again, and watch from there';

/** What a watch shows of a kind, for as long as the caller's grants and the places of containers leave that as it was. */
export function watchVisibility(
  question: Question,
  places: Places,
  source: GrantSource,
  cacher: Cacher,
  after: number,
): WatchVisibility {
  let state = cacher.state;
  const standing = source.standingOf(question.user, stateView(state));
  if (after < state.revision && !heldAt(after)) throw expired(CHANGED);
  // What a commit removed along with its containers is judged by where those were.
  const gone = new Map<Key, Entry>();
  const view: AccessView = {
    ...viewOf({ resource: (resource) => cacher.state.resource(resource) }),
    get: (key) => stateView(cacher.state).get(key) ?? gone.get(key),
  };
  const sight = isMaster(question.user) ? EVERYTHING : sightOf(question, places, standing, view);
  const follow = sight.all ? () => undefined : followContainers(question, places, sight, cacher, after, gone);

  function heldAt(revision: number): boolean {
    try {
      return standing.holds(pastView(cacher, revision));
    } catch (error) {
      throw apiErrorOf(error);
    }
  }
  const check = (): void => {
    if (cacher.state === state) return;
    state = cacher.state;
    if (!standing.holds(stateView(state))) throw expired(CHANGED);
    follow();
  };
  follow();
  const sees = (entry: Entry): boolean => {
    check();
    return sight.sees(entry);
  };
  return { all: sight.all, sees, check };
}

/** Reads on in the changes of the containers; throws 410 when one has moved into or out of the caller's sight. */
function followContainers(
  { namespace }: Question,
  { container }: Places,
  { coverages }: Sight,
  cacher: Cacher,
  after: number,
  gone: Map<Key, Entry>,
): () => void {
  if (container === undefined) return () => undefined;
  const ring = cacher.ring(container.qualified);
  let position = ring.position(after);
  const isHere = ({ key }: Event): boolean => namespace === '' || partsOf(key).namespace === namespace;
  const judge = ({ key, previous, current }: Event): void => {
    const { name } = partsOf(key);
    const [before, now] = [previous?.attributes.container, current?.attributes.container];
    if (coverages === undefined) {
      if (previous !== undefined && current !== undefined && before !== now) throw expired(CHANGED);
      return;
    }
    for (const coverage of coverages) {
      const was = previous === undefined ? coverage.within(name) : coverage.wouldHold(name, before);
      const is = current === undefined ? was : coverage.wouldHold(name, now);
      if (was !== is) throw expired(CHANGED);
      coverage.within(name);
    }
  };
  return () => {
    const events: Event[] = [];
    for (let event = ring.at(position); event !== undefined; event = ring.at(++position)) events.push(event);
    const here = events.filter(isHere);
    for (const { key, previous, current } of here) {
      if (current === undefined && previous !== undefined) gone.set(key, previous);
    }
    for (const event of here) judge(event);
    gone.clear();
  };
}
