/** `EFFORT=10 npm test` tries ten times as many random cases as usual. */
const EFFORT = Number(process.env['EFFORT'] ?? 1);

/**
 * How many random cases a test tries. A few find most mistakes, and each run of CI waits for all of them, so the usual
 * number is small. Somebody who changes what a test is about asks for more.
 */
export function runs(usual: number): number {
  return Math.max(1, Math.round(usual * EFFORT));
}
