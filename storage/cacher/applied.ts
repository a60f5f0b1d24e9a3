import type { Change } from '../backend.js';
import { resourceOf } from '../key.js';
import type { Definitions } from '../state/definitions.js';
import type { Draft } from '../state/state.js';
import { type Event, eventOf } from './event.js';

/** Applies a change of the log to a draft. Returns its event. A resource that only a newer server knows is skipped. */
export function applyChange(change: Change, draft: Draft, definitions: Definitions): readonly Event[] {
  const resource = resourceOf(change.key);
  const definition = definitions.find(resource, draft);
  if (definition === undefined) return [];
  const event = eventOf(definition, change, draft.resource(resource).get(change.key));
  if (event.current === undefined) draft.delete(resource, change.key);
  else draft.put(resource, event.current);
  return [event];
}

/** The same event on top of a draft, whose entries are in other files. */
export function applyEvent(event: Event, draft: Draft): Event {
  const { key, current } = event;
  const resource = resourceOf(key);
  const previous = current === undefined ? draft.delete(resource, key) : draft.put(resource, current);
  return { ...event, previous };
}
