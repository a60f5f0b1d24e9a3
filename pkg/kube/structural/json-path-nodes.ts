/** A step of a path. It makes values of the values that the steps before it found. */
export type PathNode =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' | 'recursive' | 'unknown' }
  | { readonly type: 'array'; readonly start: Bound; readonly end: Bound; readonly step: Bound }
  | { readonly type: 'union'; readonly paths: readonly Path[] }
  | { readonly type: 'filter'; readonly left: Path; readonly operator: string; readonly right: Path }
  /** `isFloat` tells 1.0 from 1, which are never equal. */
  | { readonly type: 'literal'; readonly value: string | number | bigint | boolean; readonly isFloat?: boolean };

export type Path = readonly PathNode[];

/** A number between the colons of `[start:end:step]`. */
export interface Bound {
  readonly value: number | undefined;
  /** There was no end, so that it follows from the start. */
  readonly isDerived?: boolean;
}

/** A text that is no path. */
export class JsonPathError extends Error {}
