import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { IndexRange } from '../../backend.js';
import { behind } from '../../range.js';
import { encodeTuple, prefixEnd } from '../../tuple.js';
import { type Current, key, NOTES, type PlainRow, plain, type Server, type Wish, whole } from './fixture.js';
import { History } from './model.js';

interface Page {
  readonly range: IndexRange;
  readonly revision: number;
  readonly rows: readonly PlainRow[];
}

const WRITERS = 4;
const ROUNDS = 25;
const NAMES = 150;
/** The most pages that each reader reads. */
const PAGES = 100;

/** Mulberry32. A failure names the seed, and SEED repeats it. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

export function concurrentSuite(current: Current): void {
  it('returns pages at one revision while several clients write without pause', async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
    const random = randomOf(seed);
    const a = await current().start();
    const b = await current().startAnother(a);
    const history = new History(a.backend);
    await a.write(Array.from({ length: NAMES }, (_, i) => wishOf(random, i)));
    await b.cacher.fresh();
    let isOver = false;
    const writing = Array.from({ length: WRITERS }, async (_, i) => {
      for (let round = 0; round < ROUNDS; round++) {
        await [a, b][i % 2]?.write(Array.from({ length: 3 }, () => wishOf(random, random(NAMES))));
        await turn();
      }
    });
    const written = Promise.all(writing).finally(() => {
      isOver = true;
    });
    const reading = [a, b, a, b].map(async (server) => {
      const pages: Page[] = [];
      while (!isOver && pages.length < PAGES) {
        pages.push(...(await list(server, random)));
        await turn();
      }
      return pages;
    });
    const [pages] = await Promise.all([Promise.all(reading), written]);
    await history.catchUp(a.backend);
    await history.stop();
    for (const { range, revision, rows } of pages.flat()) {
      const at = `seed ${seed}, revision ${revision} of ${history.end}, ${JSON.stringify(range)}`;
      expect(rows, at).to.deep.equal(history.rows(range, revision));
    }
    expect(pages.flat().filter(({ revision }) => revision < history.end)).to.have.length.above(WRITERS);
  });
}

function wishOf(random: (below: number) => number, i: number): Wish {
  const at = key(`n${i}`, i % 3 === 0 ? 'n' : 'n-1');
  if (random(4) === 0) return { at };
  return { at, spec: { time: random(40), tags: random(2) === 0 ? ['x'] : ['x', 'y'] } };
}

/** All pages of a list. */
async function list(server: Server, random: (below: number) => number): Promise<readonly Page[]> {
  const tag = encodeTuple(['x']);
  const kinds = [whole(), whole('byTime'), { ...whole('byTag'), from: tag, to: prefixEnd(tag) }];
  const limit = 1 + random(60);
  let range: IndexRange = { ...(kinds[random(3)] ?? whole()), limit, reverse: random(2) === 0 };
  const { revision } = server.cacher.state;
  const pages: Page[] = [];
  for (;;) {
    const rows = plain(await server.reader.range(NOTES, range, revision));
    pages.push({ range, revision, rows });
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return pages;
    range = behind(range, last.rowKey);
  }
}
