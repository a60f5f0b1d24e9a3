/** The disk of a store, in bytes. */
export interface Space {
  /** What everybody may still write to it. */
  readonly free: number;
  /** What files of the store hold that no data needs any more. The store uses it again, but not for everything. */
  readonly reusable: number;
  readonly total: number;
}
