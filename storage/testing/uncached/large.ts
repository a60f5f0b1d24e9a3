import { expect } from 'chai';
import type { Backend, IndexRange } from '../../backend.js';
import { partsOf } from '../../key.js';
import { encodeTuple } from '../../tuple.js';
import { around } from '../engine/around.js';
import { type Current, key, NOTES, type Server, type Wish, whole } from './fixture.js';

const PAGE = 500;
const PAGES = 40;

/** Counts what is read from the store. */
class Reads {
  objects = 0;
  loads: string[] = [];

  counting(backend: Backend): Backend {
    return around(backend, {
      load: (resource) => {
        this.loads.push(resource);
        return backend.load(resource);
      },
      get: async (keys) => {
        const found = await backend.get(keys);
        this.objects += found.size;
        return found;
      },
      range: async (resource, range) => {
        const found = await backend.range(resource, range);
        this.objects += found.length;
        return found;
      },
    });
  }

  take(): number {
    const { objects } = this;
    this.objects = 0;
    return objects;
  }
}

function nameOf(i: number): string {
  return `n${String(i).padStart(7, '0')}`;
}

/** Each time occurs once, and the order by time is not the order by name. */
function timeOf(i: number, count: number): number {
  return (i * 7919) % count;
}

function wishOf(i: number, count: number): Wish {
  return { at: key(nameOf(i)), spec: { time: timeOf(i, count) } };
}

async function fill({ write }: Server, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1000) {
    const length = Math.min(1000, count - from);
    await write(Array.from({ length }, (_, i) => wishOf(from + i, count)));
  }
}

export function largeSuite(current: Current, count: number): void {
  it(`reads little more than the objects of a page, of ${count}, and loads none`, async () => {
    await fill(await current().start(), count);
    const reads = new Reads();
    const server = await current().restart({}, (backend) => reads.counting(backend));
    expect(reads.loads).to.deep.equal([]);
    expect(() => server.cacher.state.resource(NOTES).size).to.throw('not in memory');
    expect(await server.reader.range(NOTES, whole('byTime', PAGE))).to.have.length(PAGE);
    expect(reads.take(), 'objects read for a page').to.equal(PAGE);
    await expectPages(server, await current().startAnother(server), reads, count);
  });
}

/** Pages from all over the list, at one revision, while objects are removed from them and added to them. */
async function expectPages(server: Server, writer: Server, reads: Reads, count: number): Promise<void> {
  const { revision } = server.cacher.state;
  const byTime = Array.from({ length: count }, (_, i) => ({ name: nameOf(i), time: timeOf(i, count) }));
  byTime.sort((a, b) => a.time - b.time);
  for (let done = 0; done + PAGE <= count; done += Math.max(PAGE, Math.ceil(count / PAGES))) {
    const { name, time } = byTime[done + 7] ?? { name: '', time: 0 };
    await writer.write([{ at: key(name) }, { at: key(`new${done}`), spec: { time: time + 0.5 } }]);
    reads.take();
    const rows = await server.reader.range(NOTES, pageFrom(done), revision);
    expect(reads.take(), `objects read for the page at ${done}`).to.be.at.most(1.5 * PAGE);
    const expected = byTime.slice(done, done + PAGE).map(({ name }) => name);
    expect(rows.map(({ entry }) => partsOf(entry.key).name)).to.deep.equal(expected);
  }
}

function pageFrom(time: number): IndexRange {
  return { ...whole('byTime', PAGE), from: encodeTuple([time]) };
}
