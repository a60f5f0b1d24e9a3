import { existsSync, readFileSync } from 'node:fs';
import { lazy } from '../system/object/lazy.js';

export { MARK } from './mark.js';

/** The build puts the file beside the code. */
const PLACES = ['tokens.css', 'client/style/tokens.css'];

/** The style sheet with the colours and sizes of all pages, for those that are not part of the console. */
export const designTokens = lazy((): string => {
  const existing = PLACES.map((path) => new URL(path, import.meta.url)).find((file) => existsSync(file));
  if (existing === undefined) throw new Error('There is no file tokens.css.');
  return readFileSync(existing, 'utf8');
});
