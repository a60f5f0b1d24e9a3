import type { Manifest } from './manifests.js';

const PLACE = /spec\.objects\[(\d+)\]/g;
const FIELD = /(?:^|[\s"`])\.?((?:spec|metadata|data)(?:\.[\w-]+|\[[^\]]*\])+)/;

/**
 * A message of the server with the places in the text: the object, and the line of the field if it names one field of
 * one object.
 */
export function placedWords(text: string, manifests: readonly Manifest[], field = ''): string {
  const found = [...text.matchAll(PLACE)];
  const [, named = field.replace(/^\./, '')] = FIELD.exec(text.replace(PLACE, '')) ?? [];
  return text.replace(PLACE, (all, index) => {
    const one = manifests[Number(index)];
    if (one === undefined) return all;
    const at = named === '' || found.length > 1 ? undefined : `line ${one.lineOf(named)}`;
    if (at === undefined) return one.origin;
    return / \(line \d+\)/.test(one.origin) ? one.origin.replace(/line \d+/, at) : `${one.origin} (${at})`;
  });
}
