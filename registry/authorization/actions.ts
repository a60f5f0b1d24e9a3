import { type Scopes, widestPrefix } from '../../pkg/identity/authz/grants.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Actions, Kind, Permissions } from '../kinds/kind.js';

const VERBS: Readonly<Record<string, keyof Actions>> = {
  get: 'get',
  list: 'get',
  watch: 'get',
  create: 'create',
  update: 'update',
  patch: 'update',
  delete: 'delete',
  deletecollection: 'delete',
};

/** The verb that permissions are declared for. `undefined` for a verb that no grant allows. */
export function normalizedVerb(verb: string): keyof Actions | undefined {
  return Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
}

/** Whether the answer contains many objects, and leaves out those that the caller may not view. */
export function readsMany({ verb, name }: { readonly verb: string; readonly name: string }): boolean {
  return name === '' && (verb === 'list' || verb === 'watch');
}

/** The actions that a normalized verb needs on an object or on its subresource. Without an object: in general. */
export function actionsOf(
  { permissions }: Kind,
  verb: keyof Actions,
  subresource: string,
  object: KubeObject | undefined,
): readonly string[] {
  if (permissions === undefined) return [];
  const actions = (object && permissions.actionsOf?.(object)) ?? permissions;
  if (subresource === '') return actions[verb];
  return subresourceActions(permissions, verb, subresource) ?? actions[readOrUpdate(verb)];
}

/**
 * The verb to call `allowSelf` with. `undefined` for a subresource with actions of its own: every caller needs these
 * actions.
 */
export function selfVerb({ permissions }: Kind, verb: keyof Actions, subresource: string): keyof Actions | undefined {
  if (subresource === '' || permissions === undefined) return verb;
  return subresourceActions(permissions, verb, subresource) === undefined ? readOrUpdate(verb) : undefined;
}

function subresourceActions(
  { subresources = {} }: Permissions,
  verb: keyof Actions,
  subresource: string,
): readonly string[] | undefined {
  return Object.hasOwn(subresources, subresource) ? subresources[subresource]?.[verb] : undefined;
}

function readOrUpdate(verb: keyof Actions): keyof Actions {
  return verb === 'get' ? 'get' : 'update';
}

/** Whether these scopes of an action cover every object of a kind, including objects that are created later. */
export function coversKind(container: Kind | undefined, kind: Kind, action: string, scopes: Scopes): boolean {
  if (scopes.everything) return true;
  if (scopes.prefixes.length === 0) return false;
  if (scopes.prefixes.includes(widestPrefix(action))) return true;
  const read = container?.permissions?.get[0];
  return kind.containment?.root !== undefined && read !== undefined && scopes.prefixes.includes(widestPrefix(read));
}
