import { expect } from 'chai';
import { Pieces } from './pieces.js';

describe('the pieces of a stream', () => {
  async function* chunksOf(...texts: readonly (string | Buffer)[]): AsyncGenerator<Buffer, void, undefined> {
    for (const text of texts) yield Buffer.from(text);
  }
  const text = (bytes: Buffer | undefined): string | undefined => bytes?.toString();

  it('are lines and bytes, wherever the chunks of the stream end', async () => {
    const whole = 'first\nsecond\n\nbytes\nrest';
    for (let size = 1; size <= whole.length; size++) {
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
        whole.slice(i * size, (i + 1) * size),
      );
      const pieces = new Pieces(chunksOf(...chunks));
      const found = [
        await pieces.line(),
        await pieces.line(),
        await pieces.line(),
        await pieces.take(3),
        await pieces.line(),
      ];
      expect(found.map(text), `${size}`).to.deep.equal(['first', 'second', '', 'byt', 'es']);
      expect([text(await pieces.take(0)), text(await pieces.take(4)), text(await pieces.take(0))]).to.deep.equal([
        '',
        'rest',
        '',
      ]);
      expect([await pieces.take(1), await pieces.line()]).to.deep.equal([undefined, undefined]);
    }
  });

  it('are not there if the stream ends before', async () => {
    expect(await new Pieces(chunksOf('no end')).line()).to.equal(undefined);
    expect(await new Pieces(chunksOf('abc')).take(4)).to.equal(undefined);
    expect(await new Pieces(chunksOf()).line()).to.equal(undefined);
  });

  it('have memory of their own, so that a small one does not keep a large chunk', async () => {
    const piece = await new Pieces(chunksOf('abcdef')).take(2);
    expect(piece?.buffer.byteLength).to.equal(2);
  });

  // Promise: security tools
  it('have a longest size, and no more of the stream is read for a longer line', async () => {
    let read = 0;
    const endless = async function* (): AsyncGenerator<Buffer, void, undefined> {
      for (const chunk = Buffer.alloc(16 * 1024 * 1024); read < 10; read++) yield chunk;
    };
    expect(await new Pieces(endless()).line()).to.equal(undefined);
    expect(read).to.equal(4);
    expect(await new Pieces(endless()).take(64 * 1024 * 1024 + 1)).to.equal(undefined);
    expect(read).to.equal(4);
  });

  it('end the stream when they are closed', async () => {
    let isOver = false;
    const endless = async function* (): AsyncGenerator<Buffer, void, undefined> {
      try {
        for (;;) yield Buffer.from('line\n');
      } finally {
        isOver = true;
      }
    };
    const pieces = new Pieces(endless());
    await pieces.line();
    await pieces.close();
    expect(isOver).to.equal(true);
  });
});
