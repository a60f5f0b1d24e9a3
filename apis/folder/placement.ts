import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { type Containment, groupName } from '../../registry/kinds/kind.js';
import { withAnnotation } from '../../registry/kinds/with-annotation.js';
import { folderAnnotation } from './folder/schema.js';

/** The name of the root folder, which is not an object. */
export const ROOT = 'general';

/** The cause that distinguishes the refusal to delete an element that dashboards use from missing permissions. */
export const IN_USE = 'LibraryElementInUse';

/** The folder that an object lies in. `undefined` at the root. */
export function folderOf(object: KubeObject, domain: string): string | undefined {
  return placeIn(object, folderAnnotation(domain));
}

function placeIn({ metadata }: KubeObject, key: string): string | undefined {
  return metadata.annotations?.[key] || undefined;
}

/** The containment of objects that lie in folders. */
export function inFolders(domain: string): Containment & { readonly root: string } {
  // Made once, because `container` runs for each object that is loaded.
  const key = folderAnnotation(domain);
  return {
    resource: `folders.${groupName('folder', domain)}`,
    container: (object) => placeIn(object, key),
    field: `metadata.annotations[${key}]`,
    annotation: key,
    root: ROOT,
  };
}

/** Removes an annotation that names the root (`general`, or empty). The root is never stored. */
export function withoutRoot<Spec>(object: KubeObject<Spec>, domain: string): KubeObject<Spec> {
  const key = folderAnnotation(domain);
  const folder = object.metadata.annotations?.[key];
  return folder === '' || folder === ROOT ? withAnnotation(object, key, undefined) : object;
}
