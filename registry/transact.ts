import type { KubeObject } from '../pkg/meta/types.js';
import type { Bytes } from '../storage/backend.js';
import { encodeText, textOf, withRevision } from '../storage/codec.js';
import type { Key } from '../storage/key.js';
import type { Entry } from '../storage/state.js';
import type { Applied, Outcome, View, Write } from '../storage/transaction.js';
import { Overlay } from './overlay.js';
import type { Registry } from './registry.js';
import { apiErrorOf } from './storage-errors.js';

/** An object after a write, as bytes ready to send. A dry run of a create has no resourceVersion. */
export interface Written {
  readonly value: Bytes;
  /** The object is not kept any more, or would not be. */
  readonly isGone: boolean;
}

/** What evaluating a write gave: the object to answer with, the stored one it started from, and what to do. */
export interface Planned {
  readonly key: Key;
  readonly object: KubeObject;
  readonly old?: Entry;
  readonly writes: readonly Write[];
}

/** One write of a transaction under the rules of its kind (`Store.planCreate` and its like). Pure: it may be evaluated again. */
export type Plan = (view: View) => Planned;

export interface TransactOptions {
  /** Everything is checked, nothing is kept. */
  readonly dryRun: boolean;
  readonly signal?: AbortSignal;
}

/** All the writes or none, in one commit; each is evaluated on the state that those before it leave. Throws what the first to refuse throws. */
export async function transact(
  registry: Registry,
  plans: readonly Plan[],
  options: TransactOptions,
): Promise<readonly Written[]> {
  let last: readonly Planned[] = [];
  const run = (view: View): readonly Write[] => {
    last = evaluateAll(registry, plans, view);
    return options.dryRun ? [] : last.flatMap(({ writes }) => writes);
  };
  try {
    const outcome = await registry.writer.transact({ run }, options.signal);
    return answersOf(last, outcome);
  } catch (error) {
    throw apiErrorOf(error);
  }
}

function evaluateAll(registry: Registry, plans: readonly Plan[], view: View): readonly Planned[] {
  const [only] = plans;
  if (plans.length === 1 && only !== undefined) return [only(view)];
  const overlay = new Overlay(registry.cacher.definitions, view);
  return plans.map((plan) => {
    const planned = plan(overlay);
    for (const write of planned.writes) overlay.apply(write);
    return planned;
  });
}

/** Several may write one object: each is answered with how it left it. What is applied is in the order of the writes. */
function answersOf(all: readonly Planned[], { applied }: Outcome): readonly Written[] {
  let done = 0;
  return all.map((planned) => {
    done += planned.writes.length;
    return { value: answerOf(planned, applied.slice(0, done)), isGone: isGone(planned) };
  });
}

function isGone({ key, writes }: Planned): boolean {
  const own = writes.findLast((write) => write.key === key);
  return own !== undefined && own.object === undefined;
}

/** The bytes to answer with: what was stored, the last state of what was removed with the revision of that, or what a dry run would have stored. */
function answerOf({ key, object, old }: Planned, applied: readonly Applied[]): Bytes {
  const own = applied.findLast((one) => one.key === key);
  if (own?.entry !== undefined) return own.entry.value;
  if (old === undefined) return Buffer.from(textOf(object));
  const revision = own?.revision ?? old.revision;
  const isStored = object.metadata.resourceVersion !== undefined;
  return isStored ? withRevision(old.value, revision) : encodeText(textOf(object), revision);
}
