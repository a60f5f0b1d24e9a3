import type { KubeObject } from '../../lib/object.js';
import { withoutOverrides } from '../../lib/without-overrides.js';

/** The most characters of a title that are shown. */
const LONGEST = 500;

/** The title of an object, if its kind has titles. */
export function titleOf(object: Pick<KubeObject, 'spec'> | undefined): string | undefined {
  const { title, name, text } = object?.spec ?? {};
  const found = [title, name, text].find((text) => typeof text === 'string' && text !== '');
  return found === undefined ? undefined : withoutOverrides((found as string).slice(0, LONGEST));
}
