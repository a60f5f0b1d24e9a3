import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { FlowObserver } from '../flowcontrol/flow-control.js';

export interface LevelCounts {
  readonly executing: number;
  readonly waiting: number;
  readonly dispatched: number;
}

/** The metrics of fair queuing, with the names of Kubernetes. */
export interface FlowMetrics extends FlowObserver {
  /** Counts a request that was rejected, also for another reason than those of fair queuing. */
  rejected(level: string, reason: string): void;
  /** Adds the metrics that are read at each scrape. */
  show<Level extends string>(levels: readonly Level[], countsOf: (level: Level) => LevelCounts): void;
}

const PREFIX = 'apiserver_flowcontrol_';
const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

export function flowMetrics(registry: Registry): FlowMetrics {
  const registers = [registry];
  const rejected = new Counter({
    name: `${PREFIX}rejected_requests_total`,
    help: 'Requests that were rejected.',
    labelNames: ['priority_level', 'reason'],
    registers,
  });
  const waited = new Histogram({
    name: `${PREFIX}request_wait_duration_seconds`,
    help: 'Time that requests spent waiting. Requests that started at once are not counted.',
    labelNames: ['priority_level', 'execute'],
    buckets: BUCKETS,
    registers,
  });
  return {
    rejected: (level, reason) => rejected.inc({ priority_level: level, reason }),
    waited: (level, seconds, isExecuted) =>
      waited.observe({ priority_level: level, execute: String(isExecuted) }, seconds),
    show: (levels, countsOf) => {
      const addGauge = (name: string, help: string, read: (counts: LevelCounts) => number): void => {
        const gauge: Gauge<'priority_level'> = new Gauge({
          name: `${PREFIX}${name}`,
          help,
          labelNames: ['priority_level'],
          registers,
          collect: () => {
            for (const level of levels) gauge.set({ priority_level: level }, read(countsOf(level)));
          },
        });
      };
      addGauge('current_executing_requests', 'Requests being served.', ({ executing }) => executing);
      addGauge('current_inqueue_requests', 'Requests that wait.', ({ waiting }) => waiting);
      const total: Counter<'priority_level'> = new Counter({
        name: `${PREFIX}dispatched_requests_total`,
        help: 'Requests that were started.',
        labelNames: ['priority_level'],
        registers,
        collect: () => {
          total.reset();
          for (const level of levels) total.inc({ priority_level: level }, countsOf(level).dispatched);
        },
      });
    },
  };
}
