import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Handler } from '../handler.js';
import { type FlowMetrics, flowMetrics } from './flow-metrics.js';
import { Recent, type RecentSlot, type ShownRecent, shownRecent } from './recent.js';
import { type RequestMetrics, requestMetrics } from './request-metrics.js';
import { stallMetrics } from './stall-metrics.js';

/**
 * Makes the function that renders the metrics, if several processes of a server are shown as one. `collect` gives those
 * of this process.
 */
export type Render = (collect: () => Promise<unknown>) => () => Promise<string>;

/** The same for other figures. The function that it makes answers with those of each process. */
export type Gather = (own: () => Promise<unknown>) => () => Promise<readonly unknown[]>;

interface ProcessesOfServer {
  readonly render?: Render | undefined;
  readonly gather?: Gather | undefined;
}

export interface Metrics {
  readonly registry: Registry;
  readonly requests: RequestMetrics;
  readonly flows: FlowMetrics;
  /** What the server did in the last hour. */
  recent(): Promise<ShownRecent>;
  /** Adds a gauge whose value is read at each scrape. */
  gauge(name: string, help: string, read: () => number, joined?: Joined): void;
  /** Adds a gauge with one label. Its values, by the value of the label, are read at each scrape. */
  gauges(
    name: string,
    help: string,
    label: string,
    read: () => Iterable<readonly [string, number]>,
    joined?: Joined,
  ): void;
  /** Adds a counter whose value is read at each scrape. */
  counter(name: string, help: string, read: () => number): void;
  /** Adds a counter with one label. Its values, by the value of the label, are read at each scrape. */
  counters(name: string, help: string, label: string, read: () => Iterable<readonly [string, number]>): void;
  /** Adds a histogram with these upper bounds. */
  histogram(name: string, help: string, buckets: readonly number[]): { observe(value: number): void };
  /**
   * Answers with the Prometheus text format. Its route must check who may read it, because metrics show what the server
   * is used for.
   */
  readonly handler: Handler;
}

/** How a gauge of several processes is shown. */
export type Joined = 'sum' | 'max' | 'min';

export function createMetrics({ render, gather }: ProcessesOfServer = {}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const stall = stallMetrics(registry);
  const requests = requestMetrics(registry);
  const recent = new Recent({ requests, stall });
  recent.start();
  const gathered = gather?.(async () => recent.slots) ?? (async () => [recent.slots]);
  const rendered = render?.(() => registry.getMetricsAsJSON()) ?? (() => registry.metrics());
  const encoder = new TextEncoder();
  return {
    registry,
    flows: flowMetrics(registry),
    requests,
    recent: async () => shownRecent((await gathered()) as readonly (readonly RecentSlot[])[]),
    gauge: (name, help, read, aggregator = 'sum') => {
      const collect = (): void => gauge.set(read());
      const gauge: Gauge = new Gauge({ name, help, aggregator, registers: [registry], collect });
    },
    gauges: (name, help, label, read, aggregator = 'sum') => {
      const collect = (): void => {
        gauge.reset();
        for (const [value, reading] of read()) gauge.set({ [label]: value }, reading);
      };
      const gauge: Gauge = new Gauge({ name, help, aggregator, labelNames: [label], registers: [registry], collect });
    },
    counter: (name, help, read) => {
      const collect = (): void => {
        counter.reset();
        counter.inc(read());
      };
      const counter: Counter = new Counter({ name, help, registers: [registry], collect });
    },
    counters: (name, help, label, read) => {
      const collect = (): void => {
        counter.reset();
        for (const [value, reading] of read()) counter.inc({ [label]: value }, reading);
      };
      const counter: Counter = new Counter({ name, help, labelNames: [label], registers: [registry], collect });
    },
    histogram: (name, help, buckets) => new Histogram({ name, help, buckets: [...buckets], registers: [registry] }),
    handler: async () => {
      const body = encoder.encode(await rendered());
      return { status: 200, headers: { 'content-type': registry.contentType }, body };
    },
  };
}
