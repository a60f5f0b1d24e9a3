import type { App } from '../../pkg/http/app.js';
import { CLOSE_REASONS, type Connections } from '../../pkg/http/connections.js';
import type { Metrics } from '../../pkg/http/metrics/metrics.js';
import { LEVELS } from '../../pkg/http/middleware/in-flight.js';

export function showFlows(metrics: Metrics, { inFlight }: App): void {
  metrics.gauges(
    'apiserver_current_inflight_requests',
    'Requests being served, without watches.',
    'request_kind',
    () => [
      ['readOnly', inFlight.level('read').executing],
      ['mutating', inFlight.level('write').executing],
    ],
  );
  metrics.gauge('apiserver_longrunning_requests', 'Watches being served.', () => inFlight.level('watch').executing);
  metrics.flows.show(LEVELS, (level) => inFlight.level(level));
}

export function showConnections(metrics: Metrics, connections: Connections): void {
  metrics.gauges(
    'apiserver_connections',
    'Open connections, by whether a request has had valid credentials.',
    'credentials',
    () => {
      const { identified, anonymous } = connections.counts;
      return [
        ['valid', identified],
        ['none', anonymous],
      ];
    },
  );
  metrics.counters(
    'apiserver_connections_closed_total',
    'Connections that were refused for lack of room, made room for others (displaced), or rested without credentials (idle).',
    'reason',
    () => CLOSE_REASONS.map((reason) => [reason, connections.closed[reason]]),
  );
}
