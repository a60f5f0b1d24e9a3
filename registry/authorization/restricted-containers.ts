import type { Attributes } from '../../storage/state/resource.js';
import type { Kind } from '../kinds/kind.js';
import { ofLayout } from '../read/of-layout.js';
import type { Reader } from '../read/reader.js';

/** A longer chain of containers must be a cycle. */
export const LONGEST_CHAIN = 1000;
/** The containers that are remembered for one state and namespace. The first one beyond them begins anew. */
const MOST_REMEMBERED = 50_000;

/** A container, and what follows from those above it. It holds as long as no container is moved or restricted. */
export interface ContainerVerdict {
  readonly name: string;
  readonly exists: boolean;
  /** Whether it is restricted itself. */
  readonly isRestricted: boolean;
  /** Whether it or one above it is restricted. `undefined` if none of them is, but one does not exist. */
  readonly verdict: boolean | undefined;
  /** The container that it lies in. Absent at the top. */
  readonly above: ContainerVerdict | undefined;
  /** Its own scopes, which who needs them remembers here. */
  scopes: readonly string[] | undefined;
}

/** Stands for a container that does not exist. */
export const NOWHERE: ContainerVerdict = {
  name: '',
  exists: false,
  isRestricted: false,
  verdict: undefined,
  above: undefined,
  scopes: undefined,
};

type Places = Map<string, ContainerVerdict>;
/** By the layout of all containers, then by namespace. */
const remembered = new WeakMap<object, Map<string, Places>>();

/**
 * Finds the place of a container by its name. Places are shared by all requests until a container is moved or
 * restricted, because lists ask for thousands of containers, once for each object in them.
 */
export function placesOf(container: Kind, namespace: string, reader: Reader): (name: string) => ContainerVerdict {
  const current = ofLayout(reader, container.qualified, (layout) => rememberedPlaces(layout, namespace));
  return (name) => {
    const places = current();
    return places.get(name) ?? placeOf(container, name, namespace, reader, places);
  };
}

function rememberedPlaces(layout: object, namespace: string): Places {
  let byNamespace = remembered.get(layout);
  if (byNamespace === undefined) {
    byNamespace = new Map();
    remembered.set(layout, byNamespace);
  }
  let places = byNamespace.get(namespace);
  if (places === undefined) {
    places = new Map();
    byNamespace.set(namespace, places);
  }
  return places;
}

/** Adds the place of a container, and those of all containers above it, to `places`. */
function placeOf(container: Kind, first: string, namespace: string, reader: Reader, places: Places): ContainerVerdict {
  if (places.size >= MOST_REMEMBERED) places.clear();
  const chain: { readonly name: string; readonly attributes: Attributes | undefined }[] = [];
  let name: string | undefined = first;
  let above: ContainerVerdict | undefined;
  while (name !== undefined && above === undefined && chain.length < LONGEST_CHAIN) {
    const attributes: Attributes | undefined = reader.entry(container.qualified, namespace, name)?.attributes;
    chain.push({ name, attributes });
    name = attributes?.container;
    above = name === undefined ? undefined : places.get(name);
  }
  // Containers that form a cycle lie nowhere. The store refuses cycles.
  if (name !== undefined) above ??= NOWHERE;
  let place = NOWHERE;
  for (const link of chain.reverse()) {
    place = joined(link.name, link.attributes, above);
    places.set(place.name, place);
    above = place;
  }
  return place;
}

function joined(
  name: string,
  attributes: Attributes | undefined,
  above: ContainerVerdict | undefined,
): ContainerVerdict {
  const isRestricted = attributes?.isRestricted === true;
  const exists = attributes !== undefined;
  const inherited = above === undefined ? false : above.verdict;
  const verdict = isRestricted || (exists ? inherited : undefined);
  return { name, exists, isRestricted, verdict, above, scopes: undefined };
}

/**
 * Whether one of the containers from this name upwards is restricted. `undefined` if none of them is, but one does not
 * exist.
 */
export function restrictionAbove(
  container: Kind,
  first: string | undefined,
  namespace: string,
  reader: Reader,
): boolean | undefined {
  let name = first;
  for (let depth = 0; name !== undefined && depth < LONGEST_CHAIN; depth++) {
    const attributes: Attributes | undefined = reader.entry(container.qualified, namespace, name)?.attributes;
    if (attributes === undefined) return undefined;
    if (attributes.isRestricted === true) return true;
    name = attributes.container;
  }
  return false;
}
