import type { KubeObject } from '../../pkg/meta/types.js';

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

/** Returns a function that tells whether the basic roles have nothing on an object by themselves. The key is made once, because each object is asked when it is loaded. */
export function withoutBasicRoles(domain: string): (object: KubeObject) => boolean {
  const key = basicRolesAnnotation(domain);
  return ({ metadata }) => metadata.annotations?.[key] === NO_BASIC_ROLES;
}
