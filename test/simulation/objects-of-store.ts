import type { Backend } from '../../storage/backend.js';
import type { State } from '../../storage/state/state.js';
import type { Random } from './random.js';

/** Carries the log of a store into its objects at random times, beside the clients and the server itself. Resolves when the signal aborts. */
export async function materializing(backend: Backend, random: Random, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await backend.materialize?.();
    await random.pause(random.pick([10, 400]));
  }
}

/** How the objects of a store differ from a state at the end of its log, after they have followed it. */
export async function objectsThatDiffer(backend: Backend, stateOf: () => State): Promise<readonly string[]> {
  await backend.materialize?.();
  const state = await atEnd(backend, stateOf);
  const complaints: string[] = [];
  for (const resource of state.resources) {
    const expected = state.resource(resource);
    let count = 0;
    for await (const chunk of backend.load(resource)) {
      count += chunk.length;
      for (const { key, revision } of chunk) {
        const known = expected.get(key)?.revision;
        if (known !== revision) complaints.push(`the store has ${key} of ${revision}, and the server of ${known}`);
      }
    }
    if (count !== expected.size)
      complaints.push(`the store has ${count} objects of ${resource}, and the server ${expected.size}`);
  }
  return complaints;
}

async function atEnd(backend: Backend, stateOf: () => State): Promise<State> {
  for (;;) {
    const end = await backend.end();
    if (stateOf().revision === end) return stateOf();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
