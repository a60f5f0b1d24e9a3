import { type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';

export interface TracingOptions {
  /** Where spans are sent by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces. */
  readonly endpoint: string;
  /** The share of the requests that are traced, from 0 to 1. */
  readonly ratio: number;
  readonly version: string;
  /** Spans could not be sent, and are lost. Called for each batch. */
  readonly onFailure: (error: unknown) => void;
}

export interface Tracing {
  readonly tracer: Tracer;
  /** Sends what is left. */
  close(): Promise<void>;
}

/**
 * Starts OpenTelemetry for this process. `OTEL_EXPORTER_OTLP_HEADERS` and the other variables of the exporter apply.
 * The ratio also decides about requests whose client asks for a trace, so clients cannot make the server trace
 * everything.
 */
export function startTracing({ endpoint, ratio, version, onFailure }: TracingOptions): Tracing {
  const root = new TraceIdRatioBasedSampler(ratio);
  const exporter = reporting(new OTLPTraceExporter({ url: endpoint }), onFailure);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'dashboard-apiserver', 'service.version': version }),
    sampler: new ParentBasedSampler({ root, remoteParentSampled: root }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
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

/**
 * OpenTelemetry itself tells nobody that an export has failed, unless a logger for its diagnostics is set for the whole
 * process.
 */
function reporting(exporter: SpanExporter, onFailure: (error: unknown) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== SUCCESS) onFailure(result.error);
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** `ExportResultCode.SUCCESS` of @opentelemetry/core, which would be a dependency for one number. */
const SUCCESS = 0;
