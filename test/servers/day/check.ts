import type { Seen, Stretch } from './follower.js';
import type { Write } from './writers.js';

export type Folders = ReadonlyMap<string, string>;

/** The changes of the folders from one state of the database on. */
export interface Log {
  /** The revision of the first state, and its folders. */
  readonly from: number;
  readonly folders: Folders;
  readonly events: readonly Seen[];
}

/** The folders at a revision. */
export function at({ folders, events }: Log, revision: number): Folders {
  const state = new Map(folders);
  for (const event of events) {
    if (event.revision > revision) break;
    if (event.type === 'DELETED') state.delete(event.name);
    else state.set(event.name, event.title);
  }
  return state;
}

/** Each stretch has the state of its list, and then every change of the log, once and in order, up to its end. */
export function checkStretches(log: Log, stretches: readonly Stretch[]): readonly string[] {
  return stretches.flatMap(({ from, folders, events }, i) => {
    const found: string[] = [];
    if (textOf(folders) !== textOf(at(log, from))) found.push(`list ${i} is not the state at ${from}`);
    const end = events.at(-1)?.revision ?? from;
    const expected = log.events.filter(({ revision }) => revision > from && revision <= end);
    for (let n = 0; n < Math.max(expected.length, events.length); n++) {
      const [want, got] = [JSON.stringify(expected[n]), JSON.stringify(events[n])];
      if (want === got) continue;
      found.push(`event ${n} of watch ${i} is ${got}, and in the log it is ${want}`);
      break;
    }
    return found;
  });
}

/** Every acknowledged write is in the log, at its revision. */
export function checkWrites({ events }: Log, writes: readonly Write[]): readonly string[] {
  const byRevision = new Map(events.map((event) => [event.revision, event]));
  return writes.flatMap(({ name, title, revision }) => {
    const event = byRevision.get(revision);
    const stored = event?.type === 'DELETED' ? undefined : event?.title;
    return event?.name === name && stored === title
      ? []
      : [`${name} ${title} was acknowledged at ${revision}, where the log has ${JSON.stringify(event)}`];
  });
}

/** What was refused is nowhere. */
export function checkRefused({ events }: Log, refused: ReadonlySet<string>): readonly string[] {
  return events
    .filter(({ type, title }) => type !== 'DELETED' && refused.has(title))
    .map((event) => JSON.stringify(event));
}

function textOf(folders: Folders): string {
  return JSON.stringify([...folders].sort());
}
