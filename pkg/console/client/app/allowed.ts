import { ownResource } from '../lib/discovery.js';
import { useLoad } from '../lib/load.js';
import { isAnonymous, may, mayRead, me, namespace } from '../lib/session.js';
import { places } from './places.js';

/** What a caller must be allowed so that a page has something for them. Other pages have something for everybody. */
const NEEDS: Readonly<Record<string, () => Promise<boolean>>> = {
  [places.sets()]: () => mayIn('apply', 'applysets', 'list'),
  [places.plan()]: () => mayIn('apply', 'applysets', 'create'),
  [places.mirrors()]: () => mayIn('mirror', 'mirrors', 'list'),
  [places.people()]: async () => !isAnonymous.peek(),
  [places.server()]: () => mayRead('/metrics'),
};

async function mayIn(group: string, plural: string, verb: string): Promise<boolean> {
  const resource = ownResource(group, plural);
  return resource !== undefined && (await may({ verb, resource, namespace: namespace.peek() })).allowed;
}

/** The pages that have nothing for the caller. */
export async function refusedPlaces(): Promise<ReadonlySet<string>> {
  const asked = Object.entries(NEEDS).map(async ([place, isAllowed]) => ((await isAllowed()) ? [] : [place]));
  return new Set((await Promise.all(asked)).flat());
}

/** The pages that have nothing for the caller. Until the server has answered, all that take a permission. */
export function useRefusedPlaces(): ReadonlySet<string> {
  const { state } = useLoad(refusedPlaces, [me.value, namespace.value]);
  return state.value.value ?? ALL;
}

const ALL: ReadonlySet<string> = new Set(Object.keys(NEEDS));
