import { expect } from 'chai';
import { type LiveFrames, WatchBody, type WatchBodyOptions } from './watch-body.js';

/** What follows the existing objects. */
function live() {
  const frames: Buffer[] = [];
  const one = {
    isClosed: false,
    failure: undefined as Error | undefined,
    wake: (): void => undefined,
    set onReady(wake: () => void) {
      one.wake = wake;
    },
    poll: (): Buffer | undefined => {
      if (one.failure !== undefined) throw one.failure;
      return frames.shift();
    },
    close: (): void => {
      one.isClosed = true;
    },
    push: (text: string): void => {
      frames.push(Buffer.from(text));
      one.wake();
    },
  };
  return one;
}

const turns = () => new Promise<void>((resolve) => setTimeout(resolve, 5));

function bodyOf(
  begin: WatchBodyOptions['begin'],
  { signal = new AbortController().signal, lasts = 60_000 }: Partial<WatchBodyOptions> = {},
) {
  const body = new WatchBody({
    signal,
    lasts,
    begin,
    errorFrame: (error) => Buffer.from(`error ${(error as Error).message}`),
  });
  let woken = 0;
  body.onReady = () => {
    woken++;
  };
  const poll = (): string | undefined | null => {
    const bytes = body.poll();
    return bytes === undefined || bytes === null ? bytes : bytes.toString();
  };
  return { body, poll, woken: () => woken };
}

describe('the body of a watch', () => {
  it('begins when it is first read, and gives what there is part by part, then what comes', async () => {
    const after = live();
    let begun = 0;
    const { body, poll, woken } = bodyOf(async function* () {
      begun++;
      yield Buffer.from('one');
      yield Buffer.from('two');
      return after;
    });
    await turns();
    expect(begun).to.equal(0);
    expect(poll()).to.equal(undefined);
    await turns();
    expect([begun, woken()]).to.deep.equal([1, 1]);
    expect([poll(), poll()]).to.deep.equal(['one', undefined]);
    await turns();
    expect([poll(), woken()]).to.deep.equal(['two', 2]);
    await turns();
    expect([poll(), woken(), begun]).to.deep.equal([undefined, 3, 1]);
    after.push('three');
    expect([woken(), poll(), poll()]).to.deep.equal([4, 'three', undefined]);
    body.close();
    expect([after.isClosed, poll()]).to.deep.equal([true, null]);
  });

  it('tells what went wrong, and ends', async () => {
    const { poll, woken } = bodyOf(async function* (): AsyncGenerator<Buffer, LiveFrames, undefined> {
      yield Buffer.from('one');
      throw new Error('early');
    });
    poll();
    await turns();
    expect(poll()).to.equal('one');
    await turns();
    expect(woken()).to.equal(2);
    expect([poll(), poll()]).to.deep.equal(['error early', null]);
    const after = live();
    const later = bodyOf(async function* () {
      yield* [];
      return after;
    });
    later.poll();
    await turns();
    after.failure = new Error('late');
    expect([later.poll(), later.poll(), after.isClosed]).to.deep.equal(['error late', null, true]);
  });

  it('ends without a word when the client goes away', async () => {
    const gone = new AbortController();
    const after = live();
    const { poll, woken } = bodyOf(
      async function* () {
        yield* [];
        return after;
      },
      { signal: gone.signal },
    );
    poll();
    await turns();
    const before = woken();
    gone.abort();
    expect(woken()).to.equal(before + 1);
    expect([poll(), poll(), after.isClosed]).to.deep.equal([null, null, true]);
    after.failure = new Error('late');
    const failing = bodyOf(
      async function* (): AsyncGenerator<Buffer, LiveFrames, undefined> {
        yield* [];
        throw new Error('late');
      },
      { signal: gone.signal },
    );
    expect(failing.poll()).to.equal(null);
  });

  it('ends after its time', async () => {
    const after = live();
    const { poll } = bodyOf(
      async function* () {
        yield* [];
        return after;
      },
      // Longer than some turns of the event loop take on a busy machine.
      { lasts: 1000 },
    );
    poll();
    await turns();
    expect(poll()).to.equal(undefined);
    while (poll() !== null) await new Promise<void>((resolve) => setTimeout(resolve, 10));
    expect(after.isClosed).to.equal(true);
  });

  it('lets go of everything when it is closed, however far it was', async () => {
    const unread = bodyOf(() => {
      throw new Error('nobody may begin');
    });
    unread.body.close();
    expect(unread.poll()).to.equal(null);
    const after = live();
    let isLeft = false;
    let go: () => void = () => undefined;
    const waiting = bodyOf(async function* () {
      try {
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        yield* [];
        return after;
      } finally {
        isLeft = true;
      }
    });
    waiting.poll();
    waiting.body.close();
    go();
    await turns();
    expect([isLeft, after.isClosed, waiting.poll()]).to.deep.equal([true, true, null]);
  });
});
