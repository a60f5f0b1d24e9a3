import { isInt64 } from './go-text.js';

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const EPSILON = 1e-9;

/** The type that a JSON value has in a schema. */
export function typeOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return isInt64(value) ? 'integer' : 'number';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Whether Kubernetes takes a float64 for an integer: with a small error, and up to 2^53. */
export function isNearlyInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > MAX_SAFE) return false;
  const rounded = Math.round(value);
  return value === rounded || (rounded !== 0 && Math.abs(value - rounded) < EPSILON * Math.abs(rounded));
}
