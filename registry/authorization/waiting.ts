import { type Grants, widestPrefix } from '../../pkg/identity/authz/grants.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Attributes } from '../../storage/state/resource.js';
import type { Kind } from '../kinds/kind.js';
import { hasWaiting } from '../kinds/waiting.js';
import { ofLayout } from '../read/of-layout.js';
import type { Reader } from '../read/reader.js';
import { actionsOf, coversKind } from './actions.js';
import { LONGEST_CHAIN } from './restricted-containers.js';

/**
 * Whether a container, or one above it, waits for its own container. Its contents are treated as waiting, too, because
 * the permissions there are not known yet. The function reads the state again only after a container has changed.
 */
export function waitingContainers(
  container: Kind,
  namespace: string,
  reader: Reader,
): (name: string | undefined) => boolean {
  const current = ofLayout(reader, container.qualified, () =>
    hasWaiting([container], namespace, reader) ? new Map<string, boolean>() : undefined,
  );
  return (name) => {
    const verdicts = current();
    if (verdicts === undefined || name === undefined) return false;
    const verdict = verdicts.get(name) ?? isWaitingAbove(container, name, namespace, reader);
    verdicts.set(name, verdict);
    return verdict;
  };
}

/** The kinds that a kind's objects lie in and are about. */
export interface Places {
  readonly container: Kind | undefined;
  readonly about: (Places & { readonly kind: Kind }) | undefined;
}

type Subject = Pick<Attributes, 'isWaiting' | 'container' | 'about'>;

/**
 * Returns a function that tells whether an object of a namespace waits: for an object that it names, because it lies in
 * an object that waits, or because it is about one.
 */
export function waits(places: Places, namespace: string, reader: Reader): (object: Subject) => boolean {
  const { container, about } = places;
  const isInWaiting = container && waitingContainers(container, namespace, reader);
  const subjectWaits = about && waits(about, namespace, reader);
  return (object) => {
    if (object.isWaiting === true || isInWaiting?.(object.container) === true) return true;
    if (about === undefined || object.about === undefined) return false;
    const subject = reader.entry(about.kind.qualified, namespace, object.about);
    return subject !== undefined && subjectWaits?.(subject.attributes) === true;
  };
}

/** Whether a container in the chain that begins with this name waits. */
function isWaitingAbove(container: Kind, first: string, namespace: string, reader: Reader): boolean {
  let name: string | undefined = first;
  for (let depth = 0; name !== undefined && depth < LONGEST_CHAIN; depth++) {
    const attributes: { readonly isWaiting?: boolean; readonly container?: string | undefined } | undefined =
      reader.entry(container.qualified, namespace, name)?.attributes;
    if (attributes?.isWaiting === true) return true;
    name = attributes?.container;
  }
  return false;
}

/** An object that waits, or any object of the kind. */
interface Waiting {
  readonly scopes: readonly string[];
  /** Read only if the actions of the kind depend on the content. */
  readonly object?: (() => KubeObject) | undefined;
}

/**
 * What the caller lacks to use these actions on an object that waits. These actions, and those of an update, must be
 * granted on every object of the kind. Permissions of the basic roles Viewer and Editor do not count, because the
 * folder that comes may be private, and they do not hold there.
 */
export function missingWhileWaiting(
  kind: Kind,
  container: Kind | undefined,
  grants: Grants,
  needed: readonly string[],
  { scopes: own, object }: Waiting,
): readonly string[] {
  const content = kind.permissions?.actionsOf === undefined ? undefined : object?.();
  const all = new Set([...needed, ...actionsOf(kind, 'update', '', content)]);
  return [...all].filter((action) => {
    const scopes = grants.scopesOf(action);
    if (scopes === undefined) return true;
    const isWidest = own.length > 0 && own.every((scope) => scopes.prefixes.includes(widestPrefix(scope)));
    return !isWidest && !coversKind(container, kind, action, scopes);
  });
}
