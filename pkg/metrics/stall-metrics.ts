import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** Milliseconds between two runs of Node's timer that measures the delay of the event loop. A stall is measured with this uncertainty. */
const RESOLUTION = 10;
/** Milliseconds. Two windows are kept, so the figure covers the last one to two minutes, however often it is scraped. */
const WINDOW = 60_000;
const NANOSECONDS = 1e9;

/** Shows how long one step of the program kept all others waiting. No request can be answered during a stall. */
export function stallMetrics(registry: Registry): void {
  let before = window();
  let now = window();
  setInterval(() => {
    before.disable();
    before = now;
    now = window();
  }, WINDOW).unref();
  const gauge: Gauge = new Gauge({
    name: 'apiserver_event_loop_longest_stall_seconds',
    help: 'The longest time in the last one to two minutes in which the event loop was not free.',
    aggregator: 'max',
    registers: [registry],
    collect: () => gauge.set(Math.max(stallOf(before), stallOf(now))),
  });
}

function window(): IntervalHistogram {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  return histogram;
}

/** Node counts the time between two runs of its timer as well. */
function stallOf({ max }: IntervalHistogram): number {
  return Math.max(0, max / NANOSECONDS - RESOLUTION / 1000);
}
