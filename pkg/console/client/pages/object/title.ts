import type { KubeObject } from '../../lib/object.js';

/** The most characters of a title that are shown. */
const LONGEST = 500;

/** The title of an object, if its kind has titles. */
export function titleOf(object: Pick<KubeObject, 'spec'> | undefined): string | undefined {
  const { title, name } = object?.spec ?? {};
  const found = [title, name].find((text) => typeof text === 'string' && text !== '');
  return (found as string | undefined)?.slice(0, LONGEST);
}
