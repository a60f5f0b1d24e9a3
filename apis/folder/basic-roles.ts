import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../pkg/kube/status/status.js';
import type { Column } from '../../registry/kinds/kind.js';
import { withAnnotation } from '../../registry/kinds/with-annotation.js';
import { folderOf } from './placement.js';

/**
 * The annotation, without the domain, that says what the basic roles Viewer and Editor have on a folder or a dashboard
 * by what they have above it, or in the whole organization: `none`, or, if it is absent, the same.
 */
export const BASIC_ROLES_KEY = 'basic-roles';
/** The only value of the annotation. */
export const NO_BASIC_ROLES = 'none';

/** The annotation with the domain: `svc.app/basic-roles`. */
export function basicRolesAnnotation(domain: string): string {
  return `${domain}/${BASIC_ROLES_KEY}`;
}

/**
 * Returns a function that tells whether the basic roles have nothing on an object by themselves. The key is made once,
 * because the function runs for each object that is loaded.
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

/** The column of wide tables that shows the annotation. Without it, an object in a folder has what the folder has. */
export function basicRolesColumn(domain: string): Column {
  const key = basicRolesAnnotation(domain);
  const description = 'What Viewers and Editors have on it by their role; inherited: what they have on its folder';
  const cell = (object: KubeObject): string =>
    object.metadata.annotations?.[key] ?? (folderOf(object, domain) === undefined ? 'default' : 'inherited');
  return { name: 'Basic Roles', type: 'string', description, priority: 1, cell };
}
