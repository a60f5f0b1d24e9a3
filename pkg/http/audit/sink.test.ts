import { expect } from 'chai';
import { AuditSink, type AuditTarget } from './sink.js';

interface SlowTarget extends AuditTarget {
  readonly written: string[];
  /** Lets the write that waits succeed, or fail. */
  settle(error?: Error): void;
}

function slowTarget(): SlowTarget {
  const written: string[] = [];
  let settle: (error?: Error) => void = () => undefined;
  return {
    written,
    settle: (error) => settle(error),
    write: (lines) =>
      new Promise((resolve, reject) => {
        settle = (error) => {
          if (error !== undefined) return reject(error);
          written.push(lines);
          resolve();
        };
      }),
    close: async () => undefined,
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
const unexpected = (error: unknown): never => {
  throw error;
};

describe('the sink of the audit log', () => {
  it('writes in order, several lines at once, and everything before it closes', async () => {
    const written: string[] = [];
    let isClosed = false;
    const target = {
      write: async (lines: string) => {
        await turn();
        written.push(lines);
      },
      close: async () => {
        isClosed = true;
      },
    };
    const sink = new AuditSink({ target, onError: unexpected });
    const lines = Array.from({ length: 1000 }, (_, index) => `${index}\n`);
    for (const line of lines) expect(sink.write(line)).to.equal(undefined);
    await sink.close();
    expect(written.join('')).to.equal(lines.join(''));
    expect(written).to.have.length(1);
    expect([sink.events, sink.lost, isClosed]).to.deep.equal([1000, 0, true]);
  });

  it('writes the lines of some milliseconds together', async () => {
    const written: string[] = [];
    const target = { write: async (text: string) => void written.push(text), close: async () => undefined };
    // Longer than any machine takes for the lines below. `close` ends it.
    const sink = new AuditSink({ target, onError: unexpected, pause: 60_000 });
    sink.write('one\n');
    while (written.length === 0) await new Promise((resolve) => setImmediate(resolve));
    sink.write('two\n');
    await new Promise((resolve) => setImmediate(resolve));
    sink.write('three\n');
    await sink.close();
    expect(written).to.deep.equal(['one\n', 'two\nthree\n']);
  });

  it('makes writers wait when the buffer is full, and loses nothing', async () => {
    const target = slowTarget();
    const sink = new AuditSink({ target, onError: unexpected, maxWaiting: 3 });
    expect(sink.write('one\n')).to.equal(undefined);
    await turn();
    let isIn = false;
    const waiting = sink.write('two\n')?.then(() => {
      isIn = true;
    });
    await turn();
    expect(isIn).to.equal(false);
    target.settle();
    await waiting;
    await turn();
    target.settle();
    await sink.close();
    expect(target.written).to.deep.equal(['one\n', 'two\n']);
    expect(sink.lost).to.equal(0);
  });

  it('forgets who has waited too long, also while a write hangs', async () => {
    const target = slowTarget();
    const sink = new AuditSink({ target, onError: () => undefined, maxWaiting: 3, patience: 5 });
    sink.write('one\n');
    await turn();
    const waiting = [sink.write('two\n'), sink.write('three\n')];
    expect(sink.waiters).to.equal(2);
    await Promise.all(waiting);
    expect([sink.waiters, sink.lost]).to.deep.equal([0, 2]);
    target.settle();
    await sink.close();
    expect(target.written).to.deep.equal(['one\n']);
  });

  it('counts and reports what it cannot write, and goes on', async () => {
    const target = slowTarget();
    const reported: number[] = [];
    const sink = new AuditSink({ target, onError: (_, lost) => reported.push(lost), maxWaiting: 3, patience: 20 });
    sink.write('one\n');
    await sink.write('two\n');
    expect([sink.events, sink.lost]).to.deep.equal([2, 1]);
    target.settle(new Error('no space left'));
    await turn();
    expect(sink.lost).to.equal(2);
    expect(reported).to.deep.equal([1]);
    sink.write('three\n');
    await turn();
    target.settle();
    await sink.close();
    expect(target.written).to.deep.equal(['three\n']);
  });
});
