import { AggregatorRegistry, type MetricObject } from 'prom-client';

/**
 * Joins what several processes have measured: most values are added up. Undefined is the answer of a process that did
 * not answer.
 */
export function sumMetrics(answers: readonly unknown[]): Promise<string> {
  const known = answers.filter((answer): answer is MetricObject[] => Array.isArray(answer));
  return AggregatorRegistry.aggregate(known).metrics();
}
