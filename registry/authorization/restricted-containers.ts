import type { Attributes } from '../../storage/state/resource.js';
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
 * Whether a container with this name or one above it is restricted, `undefined` if one on the way to the top does not exist. The verdicts are shared by
 * all requests until a container changes, because lists ask for thousands of containers.
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
    if (verdicts.size >= MOST_REMEMBERED) verdicts.clear();
    return restrictionAbove(container, name, namespace, reader, verdicts);
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

/**
 * Whether one of the containers from this name upwards is restricted. `undefined` if none of them is, but one does not exist. The verdicts of all
 * containers on the way are added to `verdicts`, and those in it are used.
 */
export function restrictionAbove(
  container: Kind,
  first: string | undefined,
  namespace: string,
  reader: Reader,
  verdicts?: Verdicts,
): boolean | undefined {
  const names: string[] = [];
  let verdict: boolean | undefined = false;
  for (let name = first; name !== undefined && names.length < LONGEST_CHAIN; ) {
    const known = verdicts?.get(name);
    if (known !== undefined) {
      verdict = known;
      break;
    }
    names.push(name);
    const attributes: Attributes | undefined = reader.entry(container.qualified, namespace, name)?.attributes;
    verdict = attributes && attributes.isRestricted === true;
    if (verdict !== false) break;
    name = attributes?.container;
  }
  if (verdicts !== undefined) for (const name of names) verdicts.set(name, verdict);
  return verdict;
}
