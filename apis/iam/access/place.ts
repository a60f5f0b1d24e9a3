import { type Permission, widestPrefix } from '../../../pkg/identity/authz/grants.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { Reader } from '../../../registry/read/reader.js';
import type { AccessEnvironment } from '../../environment.js';

/** What a role binding can be on. */
export interface ObjectTarget {
  readonly kind: 'Folder' | 'Dashboard' | 'ServiceAccount';
  readonly name: string;
}

/** What access is about. A role binding without a scope is about the whole organization. */
export type AccessTarget = ObjectTarget | { readonly kind: 'Organization'; readonly name: string };

/** Where access is looked at: one organization at one state. */
export interface AccessContext {
  readonly reader: Reader;
  readonly namespace: string;
  readonly environment: AccessEnvironment;
}

/** Where an object lies, and whether it is private itself. */
export interface Position {
  readonly container: string | undefined;
  readonly isPrivate: boolean;
}

/** One object on the way from a target up to the root. */
interface Step {
  readonly scope: string;
  readonly isPrivate: boolean;
  /** The name of the folder. The target itself may be no folder. */
  readonly folder?: string;
}

/** A target with everything that it lies in, which together decide who has access to it. */
export interface Place {
  readonly target: AccessTarget;
  /** The target first. The whole organization has none. */
  readonly steps: readonly Step[];
}

const PLURALS = { Folder: 'folders', Dashboard: 'dashboards', ServiceAccount: 'serviceaccounts' } as const;
/** The scope of dashboards that lie in no folder. */
const ROOT_SCOPE = 'folders:uid:general';
/** The most folders above each other. More would be a cycle. */
const DEEPEST = 100;

/** The place of a target as it is stored. */
export function placeOf(target: AccessTarget, { reader, namespace, environment }: AccessContext): Place {
  const entry =
    target.kind === 'Folder' || target.kind === 'Dashboard'
      ? reader.entry(
          resourceName(`${target.kind.toLowerCase()}/${PLURALS[target.kind]}`, environment.domain),
          namespace,
          target.name,
        )
      : undefined;
  const { container, isRestricted: isPrivate = false } = entry?.attributes ?? {};
  return placeAt(target, { container, isPrivate }, { reader, namespace, environment });
}

/** The place that a target has at another position. */
export function placeAt(
  target: AccessTarget,
  { container, isPrivate }: Position,
  { reader, namespace, environment }: AccessContext,
): Place {
  if (target.kind === 'Organization') return { target, steps: [] };
  const folders = resourceName('folder/folders', environment.domain);
  const folder = target.kind === 'Folder' ? { folder: target.name } : {};
  const steps: Step[] = [{ scope: `${PLURALS[target.kind]}:uid:${target.name}`, isPrivate, ...folder }];
  if (container === undefined && target.kind === 'Dashboard') steps.push({ scope: ROOT_SCOPE, isPrivate: false });
  for (let above = container; above !== undefined && steps.length < DEEPEST; ) {
    const attributes = reader.entry(folders, namespace, above)?.attributes;
    if (attributes === undefined) break;
    steps.push({ scope: `folders:uid:${above}`, isPrivate: attributes.isRestricted === true, folder: above });
    above = attributes.container;
  }
  return { target, steps };
}

/** Whether two places give the same. */
export function isSamePlace(one: Place, other: Place): boolean {
  return (
    one.steps.length === other.steps.length &&
    one.steps.every(({ scope, isPrivate }, at) => {
      const same = other.steps[at];
      return scope === same?.scope && isPrivate === same.isPrivate;
    })
  );
}

/**
 * Whether a permission holds at a place, or for all of a kind that lies in it. One of the basic roles ends at the first
 * private object below what its scope names (docs/adr/0045).
 */
export function appliesAt({ action, scope, isBasic }: Permission, { steps }: Place): boolean {
  if (scope !== '' && !scope.endsWith('*')) return reachesFrom(scope, steps, isBasic === true);
  const prefix = scope.slice(0, -1);
  const isWide = prefix === widestPrefix(action) || steps.some((step) => step.scope.startsWith(prefix));
  return isWide && !(isBasic === true && steps.some(({ isPrivate }) => isPrivate));
}

function reachesFrom(scope: string, steps: readonly Step[], isBasic: boolean): boolean {
  for (const step of steps) {
    if (step.scope === scope) return true;
    if (isBasic && step.isPrivate) return false;
  }
  return false;
}

/** The prefixes of the actions on the target itself: `folders:` and `folders.`. */
export function ownPrefixes({ kind }: ObjectTarget): readonly string[] {
  return [`${PLURALS[kind]}:`, `${PLURALS[kind]}.`];
}
