/** Requirements that old definitions need not meet. New ones must meet all. */
export interface Tolerance {
  readonly requiresValidTypes: boolean;
  readonly requiresAtomicSets: boolean;
  readonly requiresListKeys: boolean;
}
