import type { Change } from '../../storage/backend.js';
import { keyOf, partsOf } from '../../storage/key.js';
import type { KindOfCaller } from './callers.js';
import { markersIn } from './markers.js';
import { type Known, Oracle } from './oracle.js';

/** A deleted object, as it was in the last state that had it. */
interface Gone {
  readonly object: Known;
  readonly in: Oracle;
}

/** A marker that is nowhere in the store must be in a Secret, because only the content of Secrets is encrypted. */
const SEALED = ['default', 'other'].map((namespace) => knownFrom(keyOf('secrets', namespace, ''), '{}'));

/** Follows the commits of a store, and remembers which objects have ever had each marker. */
export class Knowledge {
  readonly #states: Oracle[] = [new Oracle(new Map())];
  /** The objects by marker, as uid and key. */
  readonly #holders = new Map<string, Map<string, string>>();
  readonly #gone = new Map<string, Gone>();

  /** The number of the present state. */
  get now(): number {
    return this.#states.length - 1;
  }

  /** Applies the changes of a commit. */
  follow(changes: readonly Change[]): void {
    const before = this.#state(this.now);
    const objects = new Map(before.objects);
    for (const { key, value } of changes) {
      const old = objects.get(key);
      const known = value && knownFrom(key, Buffer.from(value).toString());
      if (old !== undefined && old.uid !== known?.uid) this.#gone.set(old.uid, { object: old, in: before });
      if (known === undefined) objects.delete(key);
      else objects.set(key, known);
      if (known && value) this.#note(known, Buffer.from(value).toString());
    }
    this.#states.push(new Oracle(objects));
  }

  /** The markers that the caller may not see in any state from the number `since` on. */
  hiddenFrom(caller: KindOfCaller, markers: Iterable<string>, since: number): readonly string[] {
    const states = this.#states.slice(since).reverse();
    return [...markers].filter((marker) => !states.some((state) => this.#shows(state, caller, marker)));
  }

  #shows(state: Oracle, caller: KindOfCaller, marker: string): boolean {
    const holders = this.#holders.get(marker);
    if (holders === undefined) return SEALED.some((secret) => state.maySee(caller, secret));
    return [...holders].some(([uid, key]) => {
      const object = state.objects.get(key);
      if (object?.uid === uid) return state.maySee(caller, object);
      // In the trash, it is visible to callers who could see it before, and to those who could see it now.
      const gone = this.#gone.get(uid);
      return gone !== undefined && (gone.in.maySee(caller, gone.object) || state.maySee(caller, gone.object));
    });
  }

  #note(known: Known, text: string): void {
    for (const marker of markersIn(text)) {
      const holders = this.#holders.get(marker) ?? new Map<string, string>();
      this.#holders.set(marker, holders.set(known.uid, keyOf(known.resource, known.namespace, known.name)));
    }
  }

  #state(number: number): Oracle {
    const state = this.#states[number];
    if (state === undefined) throw new Error(`there is no state ${number}`);
    return state;
  }
}

interface StoredObject {
  readonly metadata?: Partial<Known> & { readonly uid?: string; readonly deletionTimestamp?: string };
  readonly spec?: Known['spec'];
  readonly status?: { readonly conditions?: readonly { readonly type?: string; readonly status?: string }[] };
}

function knownFrom(key: Change['key'], text: string): Known {
  const { metadata = {}, spec = {}, status } = JSON.parse(text) as StoredObject;
  const { uid = key, labels = {}, annotations = {}, deletionTimestamp } = metadata;
  const isWaiting = status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'False') === true;
  return { ...partsOf(key), uid, labels, annotations, spec, isWaiting, isEnding: deletionTimestamp !== undefined };
}
