import type { Handler } from '../../pkg/http/handler.js';

/** Handlers by exact path. Which paths there are may change while the server runs. */
export interface ExactRoutes {
  readonly find: (path: string) => Handler | undefined;
  /** The paths of now. */
  readonly paths: () => readonly string[];
}

/** Whether both lists have the same objects in the same order. */
export function areSame<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
