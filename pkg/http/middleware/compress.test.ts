import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { gzip, peek } from './compress.js';

function source(chunks: readonly string[], log: string[]): AsyncIterable<Uint8Array> {
  const left = [...chunks];
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const value = left.shift();
        return value === undefined ? { done: true, value: undefined } : { done: false, value: Buffer.from(value) };
      },
      return: async () => {
        log.push('returned');
        return { done: true, value: undefined };
      },
    }),
  };
}

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

describe('peek', () => {
  it('takes a short body whole', async () => {
    const peeked = await peek(source(['ab', 'c'], []), 10);
    expect([peeked.isWhole, Buffer.from(peeked.head).toString()]).to.deep.equal([true, 'abc']);
  });

  it('gives a long body again from its beginning', async () => {
    const peeked = await peek(source(['abc', 'def', 'ghi'], []), 4);
    expect(peeked.isWhole).to.equal(false);
    expect(await textOf(peeked.body)).to.equal('abcdefghi');
  });

  it('passes an early end on to the source, also before it was read', async () => {
    const log: string[] = [];
    const peeked = await peek(source(['abc', 'def'], log), 1);
    await peeked.body[Symbol.asyncIterator]().return?.();
    expect(log).to.deep.equal(['returned']);
  });
});

describe('gzip', () => {
  it('compresses what it is given, and ends its source when left early', async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of gzip(source(['hello ', 'world'], []))) chunks.push(chunk);
    expect(gunzipSync(Buffer.concat(chunks)).toString()).to.equal('hello world');
    const returned = new Promise<void>((resolve) => {
      async function* endless() {
        try {
          for (let i = 0; ; i++) yield Buffer.from(String(Math.sin(i)).repeat(1_000));
        } finally {
          resolve();
        }
      }
      const iterator = gzip(endless())[Symbol.asyncIterator]();
      iterator.next().then(() => iterator.return?.());
    });
    await returned;
  });
});
