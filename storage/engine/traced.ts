import { type Attributes, context, ROOT_CONTEXT, type Span, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Backend } from '../backend.js';
import type { Writer } from './transaction.js';

/** What of the storage layer is traced. */
export interface StorageTracing {
  readonly backend: (backend: Backend) => Backend;
  readonly writer: (writer: Writer) => Writer;
}

export function storageTracing(tracer: Tracer): StorageTracing {
  return {
    backend: (backend) => tracedBackend(backend, tracer),
    writer: (writer) => tracedWriter(writer, tracer),
  };
}

/** A span for each transaction: how long a request waited for its commit. */
function tracedWriter(writer: Writer, tracer: Tracer): Writer {
  return {
    transact: (transaction, signal) =>
      spanned(tracer, 'storage.transact', async (span) => {
        const outcome = await writer.transact(transaction, signal);
        span.setAttributes({ 'storage.revision': outcome.revision, 'storage.changes': outcome.applied.length });
        return outcome;
      }),
  };
}

/**
 * Spans for what the server asks the store. An append has a trace of its own, because it is for the requests of a whole
 * batch.
 */
function tracedBackend(backend: Backend, tracer: Tracer): Backend {
  const overrides: Partial<Backend> = {
    end: (signal) => spanned(tracer, 'storage.end', () => backend.end(signal)),
    append: (after, batch) =>
      context.with(ROOT_CONTEXT, () =>
        spanned(tracer, 'storage.append', () => backend.append(after, batch), {
          'storage.changes': batch.changes.length,
        }),
      ),
    get: (keys) => spanned(tracer, 'storage.get', () => backend.get(keys), { 'storage.keys': keys.length }),
  };
  return new Proxy(backend, {
    get: (target, name) => {
      const value: unknown = Reflect.get(overrides, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function spanned<T>(
  tracer: Tracer,
  name: string,
  run: (span: Span) => Promise<T>,
  attributes: Attributes = {},
): Promise<T> {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await run(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
