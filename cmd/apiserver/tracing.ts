import type { Settings } from '../../pkg/config/schema.js';
import type { Middleware } from '../../pkg/http/request.js';
import type { StorageTracing } from '../../storage/traced.js';

export interface ServerTracing {
  readonly middleware: Middleware;
  readonly storage: StorageTracing;
  close(): Promise<void>;
}

/** Undefined if tracing is off. OpenTelemetry is loaded only when needed. */
export async function openTracing({ tracing }: Settings, version: string): Promise<ServerTracing | undefined> {
  const { endpoint, sample_ratio: ratio } = tracing;
  if (endpoint === undefined) return undefined;
  const { startTracing } = await import('../../pkg/tracing/start.js');
  const { traced } = await import('../../pkg/tracing/middleware.js');
  const { storageTracing } = await import('../../storage/traced.js');
  const { tracer, close } = startTracing({ endpoint, ratio, version });
  return { middleware: traced(tracer), storage: storageTracing(tracer), close };
}
