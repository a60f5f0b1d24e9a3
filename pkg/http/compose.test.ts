import { expect } from 'chai';
import { compose } from './compose.js';
import { after } from './done.js';
import type { Context, Middleware } from './request.js';

const ctx = {} as Context;

describe('compose', () => {
  const done: string[] = [];
  beforeEach(() => done.splice(0));

  const around =
    (name: string): Middleware =>
    (_, next) => {
      done.push(name);
      return after(next(), () => {
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
