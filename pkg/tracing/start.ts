import { type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';

export interface TracingOptions {
  /** Where spans are sent by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces. */
  readonly endpoint: string;
  /** The share of the requests that are traced, from 0 to 1. */
  readonly ratio: number;
  readonly version: string;
}

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends what is left. */
  close(): Promise<void>;
}

/**
 * Starts OpenTelemetry for this process. `OTEL_EXPORTER_OTLP_HEADERS` and the other variables of the exporter apply. The ratio also decides about
 * requests whose client asks for a trace, so clients cannot make the server trace everything.
 */
export function startTracing({ endpoint, ratio, version }: TracingOptions): Tracing {
  const root = new TraceIdRatioBasedSampler(ratio);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'dashboard-apiserver', 'service.version': version }),
    sampler: new ParentBasedSampler({ root, remoteParentSampled: root }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: endpoint }))],
  });
  provider.register();
  return {
    tracer: provider.getTracer('dashboard-apiserver', version),
    close: async () => {
      // A collector that cannot be reached must not keep the server from closing.
      await provider.shutdown().catch(() => undefined);
      trace.disable();
    },
  };
}
