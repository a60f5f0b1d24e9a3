import type { Kind } from './kind.js';

/**
 * The annotations that say where an object lies, and whether the basic roles reach it there. Without them, it lies at
 * the root, and is not private: that is a statement, too.
 */
export function placeAnnotations({
  containment,
  permissions,
}: Pick<Kind, 'containment' | 'permissions'>): readonly string[] {
  return [containment?.annotation, permissions?.restriction?.annotation].filter(
    (annotation) => annotation !== undefined,
  );
}
