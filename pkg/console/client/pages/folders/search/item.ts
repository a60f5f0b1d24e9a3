import type { Item } from '../model/elements.js';
import type { Hit } from '../model/find.js';

export function itemOf({ resource, name, title, tags, folder = '', private: isPrivate = false, inPrivate }: Hit): Item {
  return { kind: resource, name, title, tags, folder, isPrivate, isInPrivate: inPrivate === true };
}
