import type { Logger } from 'pino';
import type { Settings } from '../../pkg/config/schema.js';
import type { Middleware } from '../../pkg/http/pipeline.js';
import { seldom } from '../../pkg/system/log/seldom.js';
import type { StorageTracing } from '../../storage/engine/traced.js';

export interface ServerTracing {
  readonly middleware: Middleware;
  readonly storage: StorageTracing;
  close(): Promise<void>;
}

/** Undefined if tracing is off. OpenTelemetry is loaded only when needed. */
export async function openTracing(
  { tracing }: Settings,
  version: string,
  log: Logger,
): Promise<ServerTracing | undefined> {
  const { endpoint, sample_ratio: ratio } = tracing;
  if (endpoint === undefined) return undefined;
  const { startTracing } = await import('../../pkg/http/tracing/start.js');
  const { traced } = await import('../../pkg/http/tracing/middleware.js');
  const { storageTracing } = await import('../../storage/engine/traced.js');
  const { tracer, close } = startTracing({ endpoint, ratio, version, onFailure: failureLog(log) });
  return { middleware: traced(tracer), storage: storageTracing(tracer), close };
}

/** Logs that traces are lost, at most once a minute: while a collector is down, every batch fails. */
export function failureLog(log: Pick<Logger, 'warn'>, now = () => performance.now()): (error: unknown) => void {
  const warn = seldom((message, err: unknown) => log.warn({ err }, message), now);
  return (error) =>
    warn('traces cannot be sent to tracing.endpoint and are lost: check the URL and the collector', error);
}
