import { finished, PassThrough } from 'node:stream';
import { expect } from 'chai';
import { BodyStream } from './body-stream.js';
import { until } from './testing/harness.js';

const IDLE = 1_000;

/** Yields the chunks, then rests if told to; counts what was read, and whether it was left. */
function source(chunks: readonly string[], rests = false) {
  const seen = { read: 0, isLeft: false };
  async function* body() {
    try {
      for (const chunk of chunks) {
        seen.read++;
        yield Buffer.from(chunk);
      }
      if (rests) await new Promise(() => undefined);
    } finally {
      seen.isLeft = true;
    }
  }
  return { seen, body: body() };
}

const failure = (stream: BodyStream): Promise<string> =>
  new Promise((resolve) => finished(stream, (error) => resolve(error?.message ?? 'finished')));

describe('BodyStream', () => {
  it('gives all chunks in order, large ones in pieces', async () => {
    const large = 'x'.repeat(200_000);
    const stream = new BodyStream(source(['a', large, 'b']).body, IDLE);
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    expect(await failure(stream)).to.equal('finished');
    expect(Buffer.concat(pieces).toString()).to.equal(`a${large}b`);
    expect(Math.max(...pieces.map(({ length }) => length))).to.equal(64 * 1024);
  });

  it('reads no more of its source than is taken', async () => {
    const { seen, body } = source(Array(100).fill('x'.repeat(50_000)));
    const slow = new PassThrough({ highWaterMark: 1 });
    const stream = new BodyStream(body, IDLE);
    stream.pipe(slow);
    await until(() => seen.read > 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen.read).to.be.below(6);
    stream.destroy();
  });

  it('leaves its source when it is destroyed', async () => {
    const { seen, body } = source(Array(100).fill('x'.repeat(50_000)));
    const stream = new BodyStream(body, IDLE);
    stream.once('data', () => stream.destroy());
    await until(() => seen.isLeft);
    expect(seen.read).to.be.below(100);
  });

  it('fails when its source rests for too long', async () => {
    const stream = new BodyStream(source(['a'], true).body, 20);
    stream.resume();
    expect(await failure(stream)).to.equal('The source of the response gave nothing for 20 ms.');
  });

  it('fails as its source does', async () => {
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      throw new Error('disk on fire');
    }
    const stream = new BodyStream(body(), IDLE);
    stream.resume();
    expect(await failure(stream)).to.equal('disk on fire');
  });
});
