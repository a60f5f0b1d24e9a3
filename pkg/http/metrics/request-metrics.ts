import type { Metric, MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import type { RequestOperation } from '../operation.js';

/** The upper bounds of the buckets, in seconds: those of Kubernetes' API server, and smaller ones. */
export const BUCKETS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20,
  30, 45, 60,
];

/** What was counted of one operation. */
interface Counts {
  readonly byStatus: Map<number, number>;
  /** One more than BUCKETS: the last is for what took longer. */
  readonly buckets: Float64Array;
  seconds: number;
  measured: number;
}

export interface RequestMetrics {
  /** Counts a request. `seconds` is undefined if its duration says nothing. */
  observe(operation: RequestOperation, status: number, seconds: number | undefined): void;
  /** What was counted since the start, of all operations. */
  totals(): RequestTotals;
}

export interface RequestTotals {
  readonly requests: number;
  /** Answers of 4xx, and of 5xx. */
  readonly refused: number;
  readonly failed: number;
  readonly buckets: readonly number[];
}

/**
 * `apiserver_request_total` and `apiserver_request_duration_seconds`, with the labels of Kubernetes. Operations are few
 * and are compared by identity, so a request costs three additions. prom-client would join and hash the labels for
 * each.
 */
export function requestMetrics(registry: Registry): RequestMetrics {
  const known = new Map<RequestOperation, Counts>();
  add(registry, 'apiserver_request_total', 'counter', 'Requests by operation and status.', () => totals(known));
  add(
    registry,
    DURATION,
    'histogram',
    'Seconds from the first byte of a request to the end of its response. Watches are not counted.',
    () => durations(known),
  );
  return {
    observe: (operation, status, seconds) => {
      const counts = countsOf(known, operation);
      counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
      if (seconds === undefined) return;
      const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
      const index = bucket === -1 ? BUCKETS.length : bucket;
      counts.buckets[index] = (counts.buckets[index] ?? 0) + 1;
      counts.seconds += seconds;
      counts.measured++;
    },
    totals: () => totalsOf(known.values()),
  };
}

function totalsOf(all: Iterable<Counts>): RequestTotals {
  const sum = { requests: 0, refused: 0, failed: 0 };
  const buckets = Array.from({ length: BUCKETS.length + 1 }, () => 0);
  for (const counts of all) {
    for (const [status, count] of counts.byStatus) {
      sum.requests += count;
      if (status >= 500) sum.failed += count;
      else if (status >= 400) sum.refused += count;
    }
    for (const [index, count] of counts.buckets.entries()) buckets[index] = (buckets[index] ?? 0) + count;
  }
  return { ...sum, buckets };
}

const DURATION = 'apiserver_request_duration_seconds';

function countsOf(known: Map<RequestOperation, Counts>, operation: RequestOperation): Counts {
  let counts = known.get(operation);
  if (counts === undefined) {
    counts = { byStatus: new Map(), buckets: new Float64Array(BUCKETS.length + 1), seconds: 0, measured: 0 };
    known.set(operation, counts);
  }
  return counts;
}

type Value = MetricValue<string> & { readonly metricName?: string };

function* totals(known: ReadonlyMap<RequestOperation, Counts>): Iterable<Value> {
  for (const [operation, { byStatus }] of known) {
    for (const [code, value] of byStatus) yield { labels: { ...operation, code }, value };
  }
}

function* durations(known: ReadonlyMap<RequestOperation, Counts>): Iterable<Value> {
  for (const [operation, { buckets, measured, seconds }] of known) {
    if (measured === 0) continue;
    let sum = 0;
    for (const [index, bound] of [...BUCKETS, '+Inf'].entries()) {
      sum += buckets[index] ?? 0;
      yield { metricName: `${DURATION}_bucket`, labels: { ...operation, le: bound }, value: sum };
    }
    yield { metricName: `${DURATION}_sum`, labels: { ...operation }, value: seconds };
    yield { metricName: `${DURATION}_count`, labels: { ...operation }, value: measured };
  }
}

/**
 * Registers a metric whose values are made at each scrape. prom-client reads only the name of a metric and what `get`
 * answers.
 */
function add(registry: Registry, name: string, type: string, help: string, values: () => Iterable<Value>): void {
  const get = async (): Promise<MetricObjectWithValues<Value>> =>
    ({ name, help, type, aggregator: 'sum', values: [...values()] }) as unknown as MetricObjectWithValues<Value>;
  registry.registerMetric({ name, get, reset: () => undefined } as unknown as Metric<string>);
}
