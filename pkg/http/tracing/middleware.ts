import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { operationOf } from '../middleware/access-log.js';
import type { Context, Middleware } from '../pipeline.js';

/**
 * One span for each request, with the attributes of OpenTelemetry's conventions for HTTP. It continues the trace of
 * `traceparent` (W3C Trace Context).
 */
export function traced(tracer: Tracer): Middleware {
  return (ctx, next) => {
    const { state, res } = ctx;
    const parent = propagation.extract(ROOT_CONTEXT, state.headers);
    const span = tracer.startSpan(state.method, { kind: SpanKind.SERVER }, parent);
    if (!span.isRecording()) return next();
    res.on('close', () => end(span, ctx));
    return context.with(trace.setSpan(parent, span), next);
  };
}

/** The name has the operation and not the path, because names must be few. */
function end(span: Span, { res, state }: Context): void {
  const { verb, group, resource, subresource, route } = operationOf(state);
  const target =
    resource === '' ? route : [`${resource}.${group}`, subresource].filter((part) => part !== '').join('/');
  span.updateName(`${verb} ${target}`);
  span.setAttributes({
    'http.request.method': state.method,
    'http.response.status_code': res.statusCode,
    'http.route': target,
    'url.path': state.path,
    'apiserver.audit_id': state.auditId,
  });
  if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
