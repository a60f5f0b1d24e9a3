import { context, ROOT_CONTEXT, type Span, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { expect } from 'chai';
import type { Backend } from '../backend.js';
import { keyOf } from '../key.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { storageTracing } from './traced.js';
import type { Writer } from './transaction.js';

/** Notes what is traced: name, attributes, and how it ended. */
function recorder() {
  const spans: string[] = [];
  const startActiveSpan = (name: string, { attributes }: { attributes: object }, run: (span: Span) => unknown) => {
    const noted: Record<string, unknown> = { ...attributes };
    let status = 'ok';
    const span = {
      setAttributes: (more: object) => void Object.assign(noted, more),
      setStatus: ({ code }: { code: SpanStatusCode }) => {
        status = SpanStatusCode[code].toLowerCase();
      },
      end: () => void spans.push(`${name} ${JSON.stringify(noted)} ${status}`),
    };
    return run(span as unknown as Span);
  };
  return { spans, tracer: { startActiveSpan } as unknown as Tracer };
}

describe('tracing of the store', () => {
  it('has a span for each call that asks the store, with what it asks for', async () => {
    const { spans, tracer } = recorder();
    const backend = storageTracing(tracer).backend(openMemory(memoryStore()));
    const key = keyOf('a.x', 'here', 'a');
    const value = Buffer.from('{}');
    await backend.append(0, { commitId: 'c', changes: [{ key, revision: 1, value }], counters: new Map() });
    expect(await backend.end()).to.equal(1);
    expect((await backend.get([key])).get(key)?.revision).to.equal(1);
    expect(spans).to.deep.equal([
      'storage.append {"storage.changes":1} ok',
      'storage.end {} ok',
      'storage.get {"storage.keys":1} ok',
    ]);
  });

  it('leaves everything else as it is, and adds nothing that the store does not have', async () => {
    const { spans, tracer } = recorder();
    const inner = openMemory(memoryStore(), Date.now, true);
    const backend = storageTracing(tracer).backend(inner);
    expect([backend.shared, await backend.compacted(), await backend.counters()]).to.deep.equal([true, 0, new Map()]);
    expect([backend.turn, backend.pass]).to.deep.equal([undefined, undefined]);
    expect(spans).to.deep.equal([]);
    await backend.close();
  });

  it('takes a store that keeps its state to itself', async () => {
    class Private {
      readonly #counters = new Map([['x', 7]]);
      counters() {
        return Promise.resolve(this.#counters);
      }
    }
    const backend = storageTracing(recorder().tracer).backend(new Private() as unknown as Backend);
    expect(await backend.counters()).to.deep.equal(new Map([['x', 7]]));
  });

  it('tells that a call failed, and fails as it does', async () => {
    const { spans, tracer } = recorder();
    const backend = storageTracing(tracer).backend({
      ...openMemory(memoryStore()),
      end: () => Promise.reject(new Error('away')),
    });
    expect(await backend.end().catch((error: Error) => error.message)).to.equal('away');
    expect(spans).to.deep.equal(['storage.end {} error']);
  });

  it('begins a trace with an append, because it is for the requests of a whole batch', async () => {
    const { tracer } = recorder();
    const original = context.with.bind(context);
    const begun: unknown[] = [];
    context.with = ((given: unknown, work: () => unknown) => {
      begun.push(given);
      return work();
    }) as typeof context.with;
    try {
      const backend = storageTracing(tracer).backend(openMemory(memoryStore()));
      await backend.append(0, { commitId: 'c', changes: [], counters: new Map() });
    } finally {
      context.with = original;
    }
    expect(begun).to.deep.equal([ROOT_CONTEXT]);
  });

  it('has a span for each transaction, with the revision of its commit and how much it wrote', async () => {
    const { spans, tracer } = recorder();
    const outcome = { revision: 5, applied: [{}, {}], result: 'done' };
    const inner = { transact: async () => outcome } as unknown as Writer;
    expect(
      await storageTracing(tracer)
        .writer(inner)
        .transact({ run: () => 'done' }),
    ).to.equal(outcome);
    const refusing = { transact: () => Promise.reject(new Error('no')) } as unknown as Writer;
    const refused = storageTracing(tracer)
      .writer(refusing)
      .transact({ run: () => 'done' });
    expect(await refused.catch((error: Error) => error.message)).to.equal('no');
    expect(spans).to.deep.equal([
      'storage.transact {"storage.revision":5,"storage.changes":2} ok',
      'storage.transact {} error',
    ]);
  });
});
