import { expect } from 'chai';
import { ListBody } from './list-body.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const chunksOf = (...texts: readonly string[]) => texts.map((text) => Buffer.from(text));

describe('the body of a large list', () => {
  it('gives one chunk in each turn of the event loop, and says when it has the next', async () => {
    let made = 0;
    function* rest(): Generator<Buffer, undefined> {
      for (const chunk of chunksOf('c', 'd')) {
        made++;
        yield chunk;
      }
    }
    const body = new ListBody(chunksOf('a', 'b'), rest());
    let woken = 0;
    body.onReady = () => {
      woken++;
    };
    for (const [count, text] of ['a', 'b', 'c', 'd'].entries()) {
      expect(body.poll()?.toString()).to.equal(text);
      expect([body.poll(), woken]).to.deep.equal([undefined, count]);
      await turn();
      expect(woken).to.equal(count + 1);
    }
    expect([body.poll(), body.poll(), made]).to.deep.equal([null, null, 2]);
  });

  it('makes nothing any more when it is closed', async () => {
    const rest = {
      next: (): never => {
        throw new Error('nobody reads it');
      },
    };
    const body = new ListBody(chunksOf('a', 'b'), rest);
    body.poll();
    body.close();
    await turn();
    expect(body.poll()).to.equal(null);
  });
});
