import { expect } from 'chai';
import { names, write } from '../testing/engine/foreign.js';
import { eachCacher } from '../testing/engine/own-cacher.js';
import { DEFINITIONS } from '../testing/engine/resources.js';
import { Cacher } from './cacher.js';
import { Drafts } from './drafts.js';

describe('a state that is loaded again because a file is damaged', () => {
  const own = eachCacher();

  it('replaces the present one when nobody writes to a draft, and has what was written meanwhile', async () => {
    const cacher = await Cacher.open(own.backend, { definitions: DEFINITIONS });
    own.cacher = cacher;
    await write(own.backend, ['a', 'b']);
    await cacher.fresh();
    const { signal } = new AbortController();
    const before = cacher.load ?? 0;
    const release = cacher.hold();
    const renewed = cacher.renew('it is damaged', signal);
    await write(own.backend, ['c']);
    await cacher.fresh();
    expect([names(cacher), cacher.load]).to.deep.equal([['a', 'b', 'c'], undefined]);
    release();
    await renewed;
    expect([names(cacher), cacher.load]).to.deep.equal([['a', 'b', 'c'], before + 2]);
    await write(own.backend, ['d']);
    await cacher.fresh();
    expect([names(cacher), cacher.state.revision]).to.deep.equal([['a', 'b', 'c', 'd'], 4]);
  });
});

describe('what must wait until nobody writes to a draft', () => {
  it('runs at once if there is none, and otherwise when the last one is given up, once', () => {
    const drafts = new Drafts();
    const ran: string[] = [];
    drafts.whenFree(() => ran.push('first'));
    const releases = [drafts.hold(), drafts.hold()];
    drafts.whenFree(() => ran.push('second'));
    drafts.whenFree(() => ran.push('third'));
    releases[0]?.();
    expect(ran).to.deep.equal(['first']);
    releases[1]?.();
    expect(ran).to.deep.equal(['first', 'second', 'third']);
    drafts.hold()();
    expect(ran).to.have.length(3);
  });
});
