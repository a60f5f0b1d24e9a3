import { expect } from 'chai';
import { after, type Context, compose, type Middleware } from './pipeline.js';

const ctx = {} as Context;

describe('compose', () => {
  const done: string[] = [];
  beforeEach(() => done.splice(0));

  const around =
    (name: string): Middleware =>
    (_, next) => {
      done.push(name);
      return after(next(), ctx, () => {
        done.push(`after ${name}`);
        return undefined;
      });
    };
  const waits: Middleware = async (_, next) => {
    await Promise.resolve();
    await next();
  };

  it('does what need not wait in the call, in order', () => {
    expect(compose([around('a'), around('b')])(ctx)).to.equal(undefined);
    expect(done).to.deep.equal(['a', 'b', 'after b', 'after a']);
  });

  it('goes on in the same order after what waits', async () => {
    const running = compose([around('a'), waits, around('b')])(ctx);
    expect(done).to.deep.equal(['a']);
    await running;
    expect(done).to.deep.equal(['a', 'b', 'after b', 'after a']);
  });
});
