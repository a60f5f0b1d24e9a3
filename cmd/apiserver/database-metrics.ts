import type { Metrics } from '../../pkg/http/metrics/metrics.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import type { DatabaseMonitor } from '../../storage/mongodb/connection/monitor.js';

/** Shows whether the database answers, and how far this server is behind it. */
export function databaseMetrics(metrics: Metrics, monitor: DatabaseMonitor, cacher: Pick<Cacher, 'revision'>): void {
  metrics.gauge('apiserver_database_up', 'Whether MongoDB answers: 1, or 0.', () => (monitor.isUp ? 1 : 0), 'min');
  metrics.gauge(
    'apiserver_database_clock_offset_seconds',
    'By how much the clock of this server is ahead of that of MongoDB. Below 0: behind.',
    () => monitor.clockOffset / 1000,
    'max',
  );
  metrics.gauges(
    'apiserver_database_connections',
    'Connections to MongoDB that are open, and that are used now.',
    'state',
    () => [
      ['open', monitor.connections.open],
      ['used', monitor.connections.used],
    ],
  );
  metrics.gauge(
    'apiserver_database_waiting_calls',
    'Calls that wait for a connection to MongoDB.',
    () => monitor.connections.waiting,
  );
  metrics.gauge(
    'apiserver_watch_cache_lag_revisions',
    'By how many revisions this server is behind the log, as far as it knows the log.',
    () => Math.max(0, monitor.end() - cacher.revision),
    'max',
  );
  const lag = lagOf(
    () => monitor.end(),
    () => cacher.revision,
    () => performance.now(),
  );
  metrics.gauge(
    'apiserver_watch_cache_lag_seconds',
    'How long this server has not reached an end of the log that it knew. It is as exact as the time between two scrapes.',
    () => lag() / 1000,
    'max',
  );
}

/**
 * Milliseconds since an end of the log was seen that is still not reached. Each call that finds it reached remembers
 * the next one.
 */
export function lagOf(end: () => number, reached: () => number, now: () => number): () => number {
  let mark = { end: 0, at: 0 };
  return () => {
    if (reached() < mark.end && mark.end <= end()) return now() - mark.at;
    mark = { end: end(), at: now() };
    return 0;
  };
}
