import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isAnonymous } from '../authn/user.js';
import type { Handler } from '../http/handler.js';
import { unauthorized } from '../status/errors.js';
import { type FlowMetrics, flowMetrics } from './flow-metrics.js';
import { type RequestMetrics, requestMetrics } from './request-metrics.js';
import { stallMetrics } from './stall-metrics.js';

export interface Metrics {
  readonly registry: Registry;
  readonly requests: RequestMetrics;
  readonly flows: FlowMetrics;
  /** Adds a gauge whose value is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void;
  /** Adds a gauge with one label. Its values, by the value of the label, are read at each scrape. */
  gauges(name: string, help: string, label: string, read: () => Iterable<readonly [string, number]>): void;
  /** Adds a counter whose value is read at each scrape. */
  counter(name: string, help: string, read: () => number): void;
  /** Adds a histogram with these upper bounds. */
  histogram(name: string, help: string, buckets: readonly number[]): { observe(value: number): void };
  /** Answers with the Prometheus text format. Refuses anonymous callers, because metrics show what the server is used for. */
  readonly handler: Handler;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  stallMetrics(registry);
  const encoder = new TextEncoder();
  return {
    registry,
    flows: flowMetrics(registry),
    requests: requestMetrics(registry),
    gauge: (name, help, read) => {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
    },
    gauges: (name, help, label, read) => {
      const collect = (): void => {
        gauge.reset();
        for (const [value, reading] of read()) gauge.set({ [label]: value }, reading);
      };
      const gauge: Gauge = new Gauge({ name, help, labelNames: [label], registers: [registry], collect });
    },
    counter: (name, help, read) => {
      const collect = (): void => {
        counter.reset();
        counter.inc(read());
      };
      const counter: Counter = new Counter({ name, help, registers: [registry], collect });
    },
    histogram: (name, help, buckets) => new Histogram({ name, help, buckets: [...buckets], registers: [registry] }),
    handler: async ({ user }) => {
      if (isAnonymous(user)) throw unauthorized();
      const body = encoder.encode(await registry.metrics());
      return { status: 200, headers: { 'content-type': registry.contentType }, body };
    },
  };
}
