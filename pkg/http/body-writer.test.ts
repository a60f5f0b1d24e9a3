import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { BodyWriter, PIECE } from './body-writer.js';
import { iterate, type PolledBody } from './polled-body.js';
import { until } from './testing/harness.js';

const IDLE = 1_000;

/**
 * Yields the chunks, and then nothing more if `rests`. Counts the chunks that were read, and tells whether it was left.
 */
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

/** A response whose client takes nothing until it is read. */
const response = (): PassThrough => new PassThrough({ highWaterMark: 1 });

const write = (body: AsyncIterable<Uint8Array>, to: PassThrough, idle?: number): Promise<string> =>
  new BodyWriter(body, to as unknown as ServerResponse, idle).run().then(
    () => 'finished',
    ({ message }: Error) => message,
  );

/** A polled body with what `give` gave it. */
class Polled implements PolledBody {
  onReady = (): void => undefined;
  isClosed = false;
  readonly #chunks: (Buffer | null)[] = [];

  give(...chunks: (string | null)[]): void {
    this.#chunks.push(...chunks.map((chunk) => (chunk === null ? null : Buffer.from(chunk))));
    this.onReady();
  }

  get left(): number {
    return this.#chunks.length;
  }

  poll(): Buffer | null | undefined {
    return this.isClosed ? null : this.#chunks.shift();
  }

  close(): void {
    this.isClosed = true;
  }

  [Symbol.asyncIterator]() {
    return iterate(this);
  }
}

describe('BodyWriter', () => {
  it('writes all chunks in order, large ones in pieces', async () => {
    const large = 'x'.repeat(200_000);
    const client = response();
    const pieces: Buffer[] = [];
    client.on('data', (piece: Buffer) => pieces.push(piece));
    expect(await write(source(['a', large, 'b']).body, client, IDLE)).to.equal('finished');
    expect(Buffer.concat(pieces).toString()).to.equal(`a${large}b`);
    expect(Math.max(...pieces.map(({ length }) => length))).to.equal(PIECE);
  });

  it('reads no more of its source than the client takes', async () => {
    const { seen, body } = source(Array(100).fill('x'.repeat(50_000)));
    const client = response();
    const written = write(body, client, IDLE);
    await until(() => seen.read > 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen.read).to.be.below(6);
    client.destroy();
    await written;
  });

  it('leaves its source when the client leaves', async () => {
    const { seen, body } = source(Array(100).fill('x'.repeat(50_000)));
    const client = response();
    const written = write(body, client, IDLE);
    client.once('data', () => client.destroy());
    await until(() => seen.isLeft);
    await written;
    expect(seen.read).to.be.below(100);
  });

  it('cuts the response off when its source gives nothing for too long', async () => {
    const client = response().resume();
    const failure = await write(source(['a'], true).body, client, 20);
    expect(failure).to.equal('The source of the response gave nothing for 20 ms.');
    expect([client.destroyed, client.writableEnded]).to.deep.equal([true, false]);
  });

  it('cuts the response off when its source fails', async () => {
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      throw new Error('disk on fire');
    }
    const client = response().resume();
    expect(await write(body(), client, IDLE)).to.equal('disk on fire');
    expect([client.destroyed, client.writableEnded]).to.deep.equal([true, false]);
  });

  it('without a limit lets its source rest, and ends where it is told to', async () => {
    const { seen, body } = source(['a'], true);
    const client = response().resume();
    const writer = new BodyWriter(body, client as unknown as ServerResponse);
    void writer.run();
    await until(() => seen.read === 1);
    writer.finish();
    expect(client.destroyed).to.equal(false);
  });

  describe('with a polled body', () => {
    it('writes at once what there is, no faster than the client takes it, until the body is complete', async () => {
      const body = new Polled();
      const client = response();
      const written = write(body, client);
      body.give('a');
      expect(client.read()?.toString()).to.equal('a');
      body.give('b', 'c', 'x'.repeat(PIECE + 1), null);
      expect(body.left, 'the client has not taken `b` yet').to.equal(3);
      const rest: Buffer[] = [];
      client.on('data', (piece: Buffer) => rest.push(piece));
      expect(await written).to.equal('finished');
      expect(Buffer.concat(rest).toString()).to.equal(`bc${'x'.repeat(PIECE + 1)}`);
      expect(body.isClosed).to.equal(true);
    });

    it('closes it when the client leaves, and when it is ended', async () => {
      const [left, ended] = [new Polled(), new Polled()];
      const client = response();
      const written = write(left, client);
      client.destroy();
      expect(await written).to.equal('finished');
      const writer = new BodyWriter(ended, response() as unknown as ServerResponse);
      const running = writer.run();
      writer.finish();
      await running;
      expect([left.isClosed, ended.isClosed]).to.deep.equal([true, true]);
    });

    it('can be read by waiting, too', async () => {
      const body = new Polled();
      const read: string[] = [];
      const reading = (async () => {
        for await (const chunk of body) read.push(chunk.toString());
      })();
      body.give('a', 'b');
      await until(() => read.length === 2);
      body.give('c', null);
      await reading;
      expect(read).to.deep.equal(['a', 'b', 'c']);
    });
  });
});
