import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { ObjectReader } from '../../../../registry/client/object-reader.js';
import type { KindName } from '../../../../registry/kinds/compiled.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { ErrorRule } from '../../../../registry/legacy/errors.js';
import type { BindingSubject, RoleBindingSpec } from '../schema.js';

/** What answers have of a permission, and callers send back. */
export const PERMISSION_ANSWERED: readonly string[] = [
  'id',
  'uid',
  'created',
  'updated',
  'userId',
  'userUid',
  'userLogin',
  'userEmail',
  'userAvatarUrl',
  'teamId',
  'teamUid',
  'team',
  'teamEmail',
  'teamAvatarUrl',
  'role',
  'permission',
  'permissionName',
  'folderId',
  'folderUid',
  'title',
  'slug',
  'isFolder',
  'url',
  'inherited',
  'dashboardId',
  'dashboardUid',
  'roleName',
  'isManaged',
  'isInherited',
  'isServiceAccount',
  'actions',
  'builtInRole',
];

/** The permissions on a folder or a dashboard. Each includes the ones before it. A service account has no `View`. */
export const LEVELS: readonly string[] = ['View', 'Edit', 'Admin'];

/**
 * A kind of object on which permissions can be given one by one. A permission is a RoleBinding whose scope is the
 * object.
 */
export interface BindingTarget {
  readonly kind: KindName;
  /** The plural in actions and paths: `folders` for `folders.permissions:read` and `/access-control/folders`. */
  readonly plural: string;
  /** The index of role bindings by the name of the object. */
  readonly index: string;
  /** The actions of each level, from the lowest one upwards. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
  /** The errors of the object: 404 in the words of its kind. */
  readonly errors: readonly ErrorRule[];
  readonly fallback: string;
  /**
   * The name of the binding of a subject. It depends only on the two names, so that all writers create the same
   * binding.
   */
  bindingName(name: string, subject: BindingSubject): string;
  scope(name: string): RoleBindingSpec['scope'];
  /**
   * The object with this uid, or this integer id, whether or not the caller may view it. Absent: only a uid, and only
   * what the caller may view.
   */
  find?(call: LegacyCall, text: string): KubeObject | undefined;
  /** The fields of an object in the items of a list of permissions. */
  fields?(call: LegacyCall, object: KubeObject): Readonly<Record<string, unknown>>;
  /** What the basic roles have on an object without bindings on it. Absent: nothing. */
  readonly basicRoles?: BasicRoles;
  /** The object that it lies in, whose permissions hold here, too. */
  above(source: TargetSource, object: KubeObject): Located | undefined;
}

/** Objects at one state: those of a call, or of its transaction. */
export interface TargetSource {
  objects<Spec>(kind: KindName): ObjectReader<Spec>;
}

export interface BasicRoles {
  /** Whether the object lies in no other. Then it starts with permissions of the basic roles. */
  isAtRoot(object: KubeObject): boolean;
  /**
   * Whether a whole list of an object that lies in another one decides about the basic roles, too. Otherwise it is
   * added to what is inherited.
   */
  readonly listsDecideInside: boolean;
  /** Whether what the basic roles have above the object, or everywhere, ends at it. */
  readonly privacy: {
    of(object: KubeObject): boolean;
    with<Spec>(object: KubeObject<Spec>, isPrivate: boolean): KubeObject<Spec>;
  };
}

/** A place whose permissions are also one list, with numbers for the levels. */
export interface ListedPlace extends BindingTarget {
  /** The path of the list: `/folders/:uid/permissions`. */
  readonly path: `/${string}`;
  /** The answer to a change of the whole list. */
  updated(call: LegacyCall, object: KubeObject): { readonly message: string; readonly [more: string]: unknown };
}

export interface Located {
  readonly place: BindingTarget;
  readonly object: KubeObject;
}

export function bindingSpec(
  place: BindingTarget,
  name: string,
  subject: BindingSubject,
  level: string,
): RoleBindingSpec {
  return { subject, roleRef: { kind: 'BuiltIn', name: level }, scope: place.scope(name) };
}
