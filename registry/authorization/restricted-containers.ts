import type { Kind } from '../kinds/kind.js';
import type { Reader } from '../read/reader.js';

/** A longer chain of containers must be a cycle. */
export const LONGEST_CHAIN = 1000;
/** The containers that are remembered for one state and namespace. The first one beyond them begins anew. */
const MOST_REMEMBERED = 50_000;

type Verdicts = Map<string, boolean | undefined>;
/** By the version of all containers, then by namespace. */
const remembered = new WeakMap<object, Map<string, Verdicts>>();

/**
 * Whether the topmost container above a name is restricted, `undefined` if one of them does not exist. The verdicts are shared by all requests
 * until a container changes, because lists ask for thousands of containers.
 */
export function restrictedContainers(
  container: Kind,
  namespace: string,
  reader: Reader,
): (name: string) => boolean | undefined {
  let version: object | undefined;
  let verdicts: Verdicts = new Map();
  return (name) => {
    const current = reader.version(container.qualified);
    if (current !== version) {
      version = current;
      verdicts = verdictsOf(current, namespace);
    }
    const known = verdicts.get(name);
    if (known !== undefined) return known;
    const verdict = restrictionAbove(container, name, namespace, reader);
    if (verdicts.size >= MOST_REMEMBERED) verdicts.clear();
    verdicts.set(name, verdict);
    return verdict;
  };
}

function verdictsOf(version: object, namespace: string): Verdicts {
  let byNamespace = remembered.get(version);
  if (byNamespace === undefined) {
    byNamespace = new Map();
    remembered.set(version, byNamespace);
  }
  let verdicts = byNamespace.get(namespace);
  if (verdicts === undefined) {
    verdicts = new Map();
    byNamespace.set(namespace, verdicts);
  }
  return verdicts;
}

/** The restriction of the topmost container. `undefined` if one on the way does not exist. */
export function restrictionAbove(
  container: Kind,
  first: string | undefined,
  namespace: string,
  reader: Reader,
): boolean | undefined {
  let found: boolean | undefined;
  let name = first;
  for (let depth = 0; name !== undefined && depth < LONGEST_CHAIN; depth++) {
    const attributes = reader.entry(container.qualified, namespace, name)?.attributes;
    if (attributes === undefined) return undefined;
    found = attributes.isRestricted === true;
    name = attributes.container;
  }
  return found;
}
