import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../../pkg/system/testing/runs.js';
import type { Entry } from '../../state/entry.js';
import { type Wish, write } from '../../testing/backend/fixture.js';
import { expectHolds, plain, sorted } from '../testing/model.js';
import { DEFINITION, eachFolder, entryFor, RESOURCE, smallThing, type Thing, thingKey } from '../testing/objects.js';
import { type KeptServer, memoryStoreOf, startKept } from '../testing/server.js';

const RUNS = runs(20);
const SERVERS = 3;
/** Milliseconds in which a process mostly has opened the files. */
const PREPARED_AFTER = 3;

/**
 * One thing that happens. `which` is a server, if it is about one. What begins goes on while the next things happen.
 */
type Step = readonly [
  op: 'write' | 'beginFlush' | 'endFlush' | 'beginLook' | 'endLook' | 'kill',
  all: readonly (readonly [isPut: boolean, thing: Thing])[],
  which: number,
];

const ops = ['write', 'write', 'write', 'beginFlush', 'endFlush', 'beginLook', 'beginLook', 'endLook', 'kill'] as const;
const writes = fc.array(fc.tuple(fc.boolean(), smallThing), { minLength: 1, maxLength: 6 });
const step: fc.Arbitrary<Step> = fc.tuple(fc.constantFrom(...ops), writes, fc.nat(SERVERS - 1));

/** A server, what it does, and what ends a draft of its state. */
interface Running {
  readonly server: KeptServer;
  busy: Promise<void> | undefined;
  release: () => void;
}

const nothing = (): void => undefined;

describe('several processes of a server that use one folder, of which one writes', () => {
  const root = eachFolder();
  let runs = 0;

  class World {
    readonly #options = { path: join(root(), `${runs++}`), isShared: true, definitions: [DEFINITION] };
    readonly #store = memoryStoreOf();
    readonly #model = new Map<string, Entry>();
    #revision = 0;
    all: Running[] = [];

    async open(): Promise<void> {
      for (let i = 0; i < SERVERS; i++) this.all.push(await this.#start());
    }

    async #start(): Promise<Running> {
      return { server: await startKept(this.#store, this.#options), busy: undefined, release: nothing };
    }

    async take([op, all, which]: Step): Promise<void> {
      const one = this.all[which] as Running;
      if (op === 'write') await this.#write(all);
      if (op === 'beginFlush') this.#begin(this.writer, () => this.writer.server.checkpointer.flush());
      if (op === 'endFlush') await ended(this.writer);
      if (op === 'beginLook' && !one.server.folder.isWriter) await this.#beginLook(one);
      if (op === 'endLook') await ended(one);
      if (op === 'kill') await this.#kill();
    }

    /** As in a server, only one of these happens at a time. */
    #begin(one: Running, work: () => Promise<void>): void {
      if (one.busy === undefined) one.busy = work().finally(() => Object.assign(one, { busy: undefined }));
    }

    /** What was prepared must wait for the end of a draft, while others write. */
    async #beginLook(one: Running): Promise<void> {
      if (one.release === nothing) one.release = one.server.cacher.hold();
      this.#begin(one, () => one.server.follower.poll());
      await setTimeout(PREPARED_AFTER);
    }

    /** A change of an object that is not there would have no revision. */
    async #write(all: Step[1]): Promise<void> {
      const wishes = new Map<string, Wish>();
      for (const [isPut, thing] of all) {
        const key = thingKey(thing);
        if (wishes.has(key) || (!isPut && !this.#model.has(key))) continue;
        const entry = isPut ? entryFor(thing, ++this.#revision) : undefined;
        if (entry === undefined) this.#revision++;
        wishes.set(key, entry === undefined ? { key } : { key, value: entry.value });
        if (entry === undefined) this.#model.delete(key);
        else this.#model.set(key, entry);
      }
      if (wishes.size > 0) await write((this.all[0] as Running).server.backend, [...wishes.values()]);
    }

    get writer(): Running {
      return this.all.find(({ server }) => server.folder.isWriter) as Running;
    }

    /** Ends the process that writes. Another one takes its place, and a new one starts. */
    async #kill(): Promise<void> {
      const { writer } = this;
      for (const one of this.all) await ended(one);
      await writer.server.kill();
      this.all = this.all.filter((one) => one !== writer);
      const [next] = this.all as [Running];
      await next.server.follower.poll();
      expect(next.server.folder.isWriter).to.equal(true);
      this.all.push(await this.#start());
    }

    async expectSame(): Promise<void> {
      for (const [i, one] of this.all.entries()) {
        await ended(one);
        const { cacher, errors } = one.server;
        await cacher.reach(this.#revision);
        expect(errors).to.deep.equal([]);
        const state = cacher.state.resource(RESOURCE);
        expect([...state.entries('', '~')].map(plain)).to.deep.equal(sorted(this.#model).map(plain));
        expectHolds(state, this.#model, i);
      }
    }

    /** Nothing is left in the memory of any process when the one that writes has written. */
    async expectInFiles(): Promise<void> {
      await this.writer.server.checkpointer.flush();
      for (const { server } of this.all) {
        if (!server.folder.isWriter) await server.follower.poll();
        const { inMemory, bytes } = server.cacher.state.resource(RESOURCE);
        expect([inMemory, bytes]).to.deep.equal([0, 0]);
        expect(namesOf(server)).to.deep.equal(namesOf(this.writer.server));
      }
    }

    async close(): Promise<void> {
      for (const { server } of this.all) await server.kill();
    }
  }

  it('have the same state, which is in the files of the one that writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'large' }), async (steps) => {
        const world = new World();
        await world.open();
        for (const one of steps) await world.take(one);
        await world.expectSame();
        await world.expectInFiles();
        await world.expectSame();
        await world.close();
      }),
      { numRuns: RUNS },
    );
  });
});

async function ended(one: Running): Promise<void> {
  one.release();
  one.release = nothing;
  await one.busy;
}

function namesOf({ folder }: KeptServer): readonly string[] {
  return folder.files.map(({ name }) => name);
}
