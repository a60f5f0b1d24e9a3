import { type Scopes, widestPrefix } from '../../pkg/authz/grants.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { Actions, Kind } from '../kind.js';

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

/** The verb that permissions are declared for; `undefined` for a verb that no grant allows. */
export function normalizedVerb(verb: string): keyof Actions | undefined {
  return Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
}

/** Whether the answer holds only those objects that the caller may view. */
export function readsMany({ verb, name }: { readonly verb: string; readonly name: string }): boolean {
  return name === '' && (verb === 'list' || verb === 'watch');
}

/** The actions that a normalized verb needs on an object; without an object, in general. */
export function actionsOf(
  { permissions }: Kind,
  verb: keyof Actions,
  subresource: string,
  object: KubeObject | undefined,
): readonly string[] {
  if (permissions === undefined) return [];
  const actions = (object && permissions.actionsOf?.(object)) ?? permissions;
  if (subresource === '') return actions[verb];
  const { subresources = {} } = permissions;
  const own = Object.hasOwn(subresources, subresource) ? subresources[subresource] : undefined;
  return own ?? actions[verb === 'get' ? 'get' : 'update'];
}

/** Whether these scopes of an action cover every object of a kind, also those created later. */
export function coversKind(container: Kind | undefined, kind: Kind, action: string, scopes: Scopes): boolean {
  if (scopes.everything) return true;
  if (scopes.prefixes.length === 0) return false;
  if (scopes.prefixes.includes(widestPrefix(action))) return true;
  const read = container?.permissions?.get[0];
  return kind.containment?.root !== undefined && read !== undefined && scopes.prefixes.includes(widestPrefix(read));
}
