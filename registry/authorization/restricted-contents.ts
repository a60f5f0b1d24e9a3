import type { Grants } from '../../pkg/identity/authz/grants.js';
import type { ApiError } from '../../pkg/kube/status/status.js';
import { entryAttributes, type ObjectAttributes, type RequestAttributes } from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import { restrictedObjects } from '../kinds/restriction.js';
import type { Entry, Reader } from '../read/reader.js';
import { isCovered, isCoveredWholly } from './covered.js';
import { neededPermissions, permissionDenied } from './denied.js';
import { LONGEST_CHAIN } from './restricted-containers.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';

/** A kind is needed only for its name. */
type Named = Pick<Kind, 'qualified'>;

/**
 * The restricted objects of these kinds that lie in a container, at any depth. It looks at every restricted object, and
 * at each container once.
 */
export function* restrictedIn(
  kinds: readonly Named[],
  container: Named,
  name: string,
  namespace: string,
  reader: Reader,
): Generator<Entry, void, undefined> {
  const known = new Map<string, boolean>();
  const liesIn = (first: string | undefined): boolean => {
    const names: string[] = [];
    let verdict = false;
    for (let at = first; at !== undefined && names.length < LONGEST_CHAIN; ) {
      verdict = at === name || known.get(at) === true;
      if (verdict || known.has(at)) break;
      names.push(at);
      at = reader.entry(container.qualified, namespace, at)?.attributes.container;
    }
    for (const name of names) known.set(name, verdict);
    return verdict;
  };
  for (const kind of kinds)
    for (const entry of restrictedObjects(kind, namespace, reader)) if (liesIn(entry.attributes.container)) yield entry;
}

/** Whether there is a restricted object in a container. */
export function hasRestrictedIn(...where: Parameters<typeof restrictedIn>): boolean {
  return restrictedIn(...where).next().done !== true;
}

interface Request {
  readonly attributes: RequestAttributes;
  readonly grants: Grants;
  readonly hierarchy: ScopeHierarchy;
  readonly reader: Reader;
}

/**
 * The actions that the caller has on a container, but not on all that is restricted in it. What is done to a container
 * is done to its contents: a caller who may not see a private folder can neither delete nor move it with the folder
 * around it.
 */
export function lackingInside(
  { attributes: { namespace, name }, grants, hierarchy, reader }: Request,
  container: ObjectAttributes,
  actions: readonly string[],
): readonly string[] {
  const { kind, contents } = hierarchy;
  if (contents.length === 0) return [];
  const place = { hierarchy, namespace, reader };
  return actions.filter((action) => {
    const scopes = grants.scopesOf(action);
    if (scopes?.basic === undefined || isCoveredWholly(scopes, container, place)) return false;
    for (const entry of restrictedIn(contents, kind, name, namespace, reader))
      if (!isCovered(scopes, entryAttributes(entry), place)) return true;
    return false;
  });
}

/** 403 that does not name what lies in the container, because the caller may not know. */
export function insideDenied(attributes: RequestAttributes, actions: readonly string[]): ApiError {
  const detail = `something private lies in it, and ${neededPermissions(actions)} on that, too`;
  return permissionDenied(attributes, actions, detail);
}
