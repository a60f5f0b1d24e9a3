import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/**
 * Milliseconds between two runs of Node's timer that measures the delay of the event loop. A stall is measured with
 * this uncertainty.
 */
const RESOLUTION = 10;
/** Milliseconds. The figure covers the last one to two minutes, however often it is scraped. */
const WINDOW = 60_000;
const NANOSECONDS = 1e9;

/**
 * Shows how long one step of the program kept all others waiting. No request can be answered during a stall. Returns
 * what tells the figure, in seconds.
 */
export function stallMetrics(registry: Registry): () => number {
  // One for both windows, because its timer wakes an idle process a hundred times a second.
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  let before = 0;
  setInterval(() => {
    before = stallOf(histogram);
    histogram.reset();
  }, WINDOW).unref();
  const longest = (): number => Math.max(before, stallOf(histogram));
  const gauge: Gauge = new Gauge({
    name: 'apiserver_event_loop_longest_stall_seconds',
    help: 'The longest time in the last one to two minutes in which the event loop was not free.',
    aggregator: 'max',
    registers: [registry],
    collect: () => gauge.set(longest()),
  });
  return longest;
}

/** Node counts the time between two runs of its timer as well. */
function stallOf({ max }: IntervalHistogram): number {
  return Math.max(0, max / NANOSECONDS - RESOLUTION / 1000);
}
