import { type DeleteOptions, NO_DELETE_OPTIONS } from '../delete.js';

export const HELD = { finalizers: ['x/y'] };
export const options = (more: Partial<DeleteOptions>): DeleteOptions => ({ ...NO_DELETE_OPTIONS, ...more });

export function withoutFinalizers<T extends { readonly metadata: object }>(object: T): T {
  return { ...object, metadata: { ...object.metadata, finalizers: [] } };
}
