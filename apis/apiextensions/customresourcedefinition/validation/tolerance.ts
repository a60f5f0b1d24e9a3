/** What old data may still have. New data may have none of it. */
export interface Tolerance {
  readonly requiresValidTypes: boolean;
  readonly requiresAtomicSets: boolean;
  readonly requiresListKeys: boolean;
}
