import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isAnonymous } from '../authn/user.js';
import type { Handler } from '../http/handler.js';
import { unauthorized } from '../status/errors.js';
import { type FlowMetrics, flowMetrics } from './flow-metrics.js';

export interface Metrics {
  readonly registry: Registry;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  readonly flows: FlowMetrics;
  /** Adds a gauge whose value is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void;
  /** Adds a counter whose value is read at each scrape. */
  counter(name: string, help: string, read: () => number): void;
  /** Answers with the Prometheus text format. Refuses anonymous callers, because metrics show what the server is used for. */
  readonly handler: Handler;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Other methods are counted as OTHER, so that callers cannot make new label values. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'apiserver_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response. Watches are not counted.',
    labelNames: ['method', 'route', 'code'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const encoder = new TextEncoder();
  return {
    registry,
    flows: flowMetrics(registry),
    observeRequest: (method, route, status, seconds) => {
      requests.observe({ method: METHODS.has(method) ? method : 'OTHER', route, code: status }, seconds);
    },
    gauge: (name, help, read) => {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
    },
    counter: (name, help, read) => {
      const collect = (): void => {
        counter.reset();
        counter.inc(read());
      };
      const counter: Counter = new Counter({ name, help, registers: [registry], collect });
    },
    handler: async ({ user }) => {
      if (isAnonymous(user)) throw unauthorized();
      const body = encoder.encode(await registry.metrics());
      return { status: 200, headers: { 'content-type': registry.contentType }, body };
    },
  };
}
