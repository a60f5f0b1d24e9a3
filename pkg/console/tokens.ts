import { existsSync, readFileSync } from 'node:fs';
import { lazy } from '../system/object/lazy.js';

/** The build puts the file beside the code. */
const PLACES = ['tokens.css', 'client/style/tokens.css'];

/** The style sheet with the colours and sizes of all pages, for those that are not part of the console. */
export const designTokens = lazy((): string => {
  const existing = PLACES.map((path) => new URL(path, import.meta.url)).find((file) => existsSync(file));
  if (existing === undefined) throw new Error('There is no file tokens.css.');
  return readFileSync(existing, 'utf8');
});

/** The mark of the product: the panels of a dashboard, as the inner elements of an SVG of 24 by 24. */
export const MARK =
  '<rect x="2" y="2" width="9" height="12" rx="2"/><rect x="13" y="2" width="9" height="6" rx="2" opacity=".55"/><rect x="2" y="16" width="9" height="6" rx="2" opacity=".55"/><rect x="13" y="10" width="9" height="12" rx="2"/>';
