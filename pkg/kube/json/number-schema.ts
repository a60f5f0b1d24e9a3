import { z } from 'zod';
import { isNumber } from './exact.js';

/** A whole number of 64 bits. `z.int()` refuses a bigint, and what is beyond 2^53. */
export const Int64 = z
  .unknown()
  .check(({ value, issues }) => {
    if (!isNumber(value)) issues.push({ code: 'invalid_type', expected: 'number', input: value });
    else if (!isInteger(value)) issues.push({ code: 'invalid_type', expected: 'int', input: value });
  })
  .meta({ type: 'integer' }) as z.ZodType<number | bigint>;

/** Any number of JSON: a double, or a whole number of 64 bits. `z.number()` refuses a bigint. */
export const JsonNumber = z
  .unknown()
  .check(({ value, issues }) => {
    if (!isNumber(value)) issues.push({ code: 'invalid_type', expected: 'number', input: value });
  })
  .meta({ type: 'number' }) as z.ZodType<number | bigint>;

function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) < 2 ** 63);
}
