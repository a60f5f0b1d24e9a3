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

/** What a verb comes to; `undefined` for one that no grant allows. */
export function deedOf(verb: string): keyof Actions | undefined {
  return Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
}

/** Of all there are, what the caller may view. */
export function readsMany({ verb, name }: { readonly verb: string; readonly name: string }): boolean {
  return name === '' && (verb === 'list' || verb === 'watch');
}

/** The actions that a deed takes on an object, or in general. */
export function actionsOf(
  { permissions }: Kind,
  deed: keyof Actions,
  subresource: string,
  object: KubeObject | undefined,
): readonly string[] {
  if (permissions === undefined) return [];
  const actions = (object && permissions.actionsOf?.(object)) ?? permissions;
  if (subresource === '') return actions[deed];
  const { subresources = {} } = permissions;
  const own = Object.hasOwn(subresources, subresource) ? subresources[subresource] : undefined;
  return own ?? actions[deed === 'get' ? 'get' : 'update'];
}

/** Whether these scopes of an action cover every object of a kind, those to come too. */
export function coversKind(container: Kind | undefined, kind: Kind, action: string, scopes: Scopes): boolean {
  if (scopes.everything) return true;
  if (scopes.prefixes.length === 0) return false;
  if (scopes.prefixes.includes(widestPrefix(action))) return true;
  const read = container?.permissions?.get[0];
  return kind.containment?.root !== undefined && read !== undefined && scopes.prefixes.includes(widestPrefix(read));
}
