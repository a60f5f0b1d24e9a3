import type { KubeObject } from '../../pkg/meta/types.js';
import type { StatusCause } from '../../pkg/status/status.js';
import type { Column } from '../../registry/kinds/kind.js';
import { folderOf, withAnnotation } from './placement.js';

/**
 * The annotation, without the domain, that says what the basic roles Viewer and Editor have on a folder or dashboard at the root: `none`, or,
 * if it is absent, what they have everywhere. Below a folder, the folder at the top decides.
 */
export const BASIC_ROLES_KEY = 'basic-roles';
/** The only value of the annotation. */
export const NO_BASIC_ROLES = 'none';

/** The annotation with the domain: `svc.app/basic-roles`. */
export function basicRolesAnnotation(domain: string): string {
  return `${domain}/${BASIC_ROLES_KEY}`;
}

/**
 * Returns a function that tells whether the basic roles have nothing on an object by themselves. The key is made once, because the function runs for
 * each object that is loaded.
 */
export function withoutBasicRoles(domain: string): (object: KubeObject) => boolean {
  const key = basicRolesAnnotation(domain);
  return ({ metadata }) => metadata.annotations?.[key] === NO_BASIC_ROLES;
}

/** Reads and sets whether the basic roles have nothing on an object. */
export interface Privacy {
  of(object: KubeObject): boolean;
  with<Spec>(object: KubeObject<Spec>, isPrivate: boolean): KubeObject<Spec>;
}

export function privacyIn(domain: string): Privacy {
  const key = basicRolesAnnotation(domain);
  return {
    of: withoutBasicRoles(domain),
    with: (object, isPrivate) => withAnnotation(object, key, isPrivate ? NO_BASIC_ROLES : undefined),
  };
}

/** Refuses another value of the annotation. */
export function basicRolesCauses({ metadata }: KubeObject, domain: string): readonly StatusCause[] {
  const key = basicRolesAnnotation(domain);
  const value = metadata.annotations?.[key];
  if (value === undefined || value === NO_BASIC_ROLES) return [];
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${JSON.stringify(NO_BASIC_ROLES)}`;
  return [{ reason: 'FieldValueNotSupported', message, field: `metadata.annotations[${key}]` }];
}

/** The column of wide tables that shows the annotation. It has no effect on what lies in a folder: the folder at the top decides. */
export function basicRolesColumn(domain: string): Column {
  const key = basicRolesAnnotation(domain);
  const description = 'What Viewers and Editors have on it by their role; inherited from the folder at the top';
  const cell = (object: KubeObject): string =>
    folderOf(object, domain) === undefined ? (object.metadata.annotations?.[key] ?? 'default') : 'inherited';
  return { name: 'Basic Roles', type: 'string', description, priority: 1, cell };
}
