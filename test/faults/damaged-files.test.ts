import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { damageOf } from '../../storage/damage.js';
import { memoryStore, openMemory } from '../../storage/memory/backend.js';
import type { Answer } from '../harness/answer.js';
import { openServer, type Server } from '../harness/server.js';
import {
  type Damage,
  flipped,
  overwritten,
  type Random,
  replaced,
  swapped,
  tablesIn,
  truncated,
  zeroed,
} from './damage.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const COUNT = 40;
/** Longer than a server takes a file to be as it was. */
const SEEN = 300;
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const EFFORT = Number(process.env['EFFORT'] ?? 1);

describe(`files of objects that are damaged (SEED=${SEED})`, function () {
  this.timeout(300_000);
  let folder = '';
  let server: Server;
  let damaged: string[] = [];
  let refilled: string[] = [];
  /** What each object is, by name. */
  let titles = new Map<string, string>();

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'damaged-'));
    [damaged, refilled, titles] = [[], [], new Map()];
    server = await openServer(openMemory(memoryStore()), {
      objects: {
        path: folder,
        limits: { bytes: 1, age: 60_000, interval: 50 },
        onDamage: (error) => damaged.push(damageOf(error)),
        onRefill: (why) => refilled.push(why),
      },
    });
    for (let from = 0; from < COUNT; from += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, i) => create(`f${from + i}`)));
      await written();
    }
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function create(name: string): Promise<void> {
    const title = `the title of ${name}`;
    const metadata = { name, labels: { part: name.slice(-1) } };
    const spec = { title, description: `${name} `.repeat(600) };
    const body = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata, spec };
    expect((await server.call('POST', FOLDERS, { body })).status).to.equal(201);
    titles.set(name, title);
  }

  /** Waits until all objects are in files. */
  async function written(): Promise<void> {
    const { cacher } = server.api.registry;
    const inMemory = () => [...cacher.state.resources].reduce((sum, one) => sum + cacher.resource(one).inMemory, 0);
    while (inMemory() > 0) await sleep(20);
  }

  /** Whether an answer says what is stored. Otherwise it must say that the client is to try again. */
  function isRight({ status, headers, text }: Answer, name: string): boolean {
    if (status === 503) {
      expect(headers['retry-after'], 'Retry-After').to.match(/^\d+$/);
      return false;
    }
    expect(status, text).to.equal(200);
    const { metadata, spec } = JSON.parse(text) as { metadata: { name: string }; spec: Record<string, string> };
    expect([metadata.name, spec['title'], spec['description']]).to.deep.equal([
      name,
      titles.get(name),
      `${name} `.repeat(600),
    ]);
    return true;
  }

  /** Reads everything in several ways. Returns how many answers were 503. */
  async function read(): Promise<number> {
    let unavailable = 0;
    for (const name of titles.keys()) if (!isRight(await server.call('GET', `${FOLDERS}/${name}`), name)) unavailable++;
    const lists = [
      { query: '', size: COUNT },
      { query: '?labelSelector=part%3D3', size: COUNT / 10 },
      { query: '?limit=7', size: 7 },
    ];
    for (const { query, size } of lists) {
      const { status, headers, text } = await server.call('GET', FOLDERS + query);
      if (status === 503) {
        expect(headers['retry-after']).to.match(/^\d+$/);
        unavailable++;
        continue;
      }
      expect(status).to.equal(200);
      const { items } = JSON.parse(text) as { items: { metadata: { name: string }; spec: { title: string } }[] };
      expect(items.map(({ metadata, spec }) => titles.get(metadata.name) === spec.title)).to.deep.equal(
        new Array(size).fill(true),
      );
    }
    return unavailable;
  }

  /** Reads until nothing is refused any more. */
  async function healed(): Promise<void> {
    for (let left = 600; (await read()) > 0; left--) {
      expect(left, 'the files are made again').to.be.greaterThan(0);
      await sleep(50);
    }
    await written();
  }

  function largest(): string {
    return tablesIn(folder).toSorted((a, b) => statSync(b).size - statSync(a).size)[0] as string;
  }

  /** Overwrites the value of an object. Files that were merged may still be there, so it may be in several. */
  function overwriteValueOf(name: string): void {
    let found = 0;
    for (const path of tablesIn(folder)) {
      const at = readFileSync(path).indexOf(`"description":"${name} ${name}`);
      if (at < 0) continue;
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.alloc(200, 'Z'), 0, 200, at + 50);
      closeSync(file);
      found++;
    }
    expect(found, `files with ${name}`).to.be.greaterThan(0);
  }

  it('are found while the server stands still: no wrong object is answered, and the files are made again', async () => {
    await server.restart({ between: () => overwriteValueOf('f7') });
    await healed();
    expect(damaged).to.have.length(1);
    expect(damaged[0]).to.match(/\.tables is damaged: the bytes from \d+ on are not those that were written$/);
    expect(refilled).to.deep.equal(damaged);
  });

  it('are found while the server runs, also if the object was read before', async () => {
    await read();
    overwriteValueOf('f7');
    await sleep(SEEN);
    await healed();
    expect([damaged.length, refilled.length]).to.deep.equal([1, 1]);
  });

  it('never reach the store by an update: it is refused as one that may be sent again, and then it is done', async () => {
    overwriteValueOf('f7');
    await sleep(SEEN);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const patch = () => server.call('PATCH', `${FOLDERS}/f7`, { body: { spec: { title: 'new' } }, headers });
    const first = await patch();
    // A merge may have read the damaged value first. The files are made again then before the update comes.
    if (refilled.length === 0) {
      expect([first.status, first.headers['retry-after']]).to.deep.equal([503, '2']);
      await healed();
      expect((await patch()).status).to.equal(200);
    } else expect([first.status, damaged.length], first.text).to.deep.equal([200, 1]);
    titles.set('f7', 'new');
    await healed();
    const [stored] = [...(await server.api.backend.get(['folders.folder.svc.app/default/f7' as never])).values()];
    expect(String(stored?.value)).to.include('"title":"new"');
    expect(String(stored?.value)).to.not.include('ZZ');
  });

  it('do not keep others from being read and written, and what is written meanwhile stays', async () => {
    overwriteValueOf('f7');
    await sleep(SEEN);
    void server.call('GET', `${FOLDERS}/f7`);
    for (let i = 0; i < 20; i++) {
      for (;;) {
        const headers = { 'content-type': 'application/merge-patch+json' };
        const body = { spec: { title: `again ${i}` } };
        const { status } = await server.call('PATCH', `${FOLDERS}/f${i % 5}`, { body, headers });
        expect(status).to.be.oneOf([200, 503]);
        if (status === 200) break;
        await sleep(20);
      }
      titles.set(`f${i % 5}`, `again ${i}`);
    }
    expect((await server.call('DELETE', `${FOLDERS}/f39`)).status).to.equal(200);
    await create('f39');
    await healed();
    await server.restart();
    await healed();
    expect(refilled).to.have.length(1);
  });

  it('are found by the pass in the background, although nobody reads the object', async () => {
    const objects = { path: folder, limits: { bytes: 1, age: 60_000, interval: 50 } };
    await server.close();
    const found: string[] = [];
    const made: string[] = [];
    server = await openServer(openMemory(memoryStore()), {
      objects: {
        ...objects,
        scrub: { first: 200, every: 200, rate: 2 ** 30 },
        onDamage: (error) => found.push(damageOf(error)),
        onRefill: (why) => made.push(why),
      },
    });
    titles = new Map();
    for (let i = 0; i < 20; i++) await create(`f${i}`);
    await written();
    overwriteValueOf('f7');
    for (let left = 200; made.length === 0 && left > 0; left--) await sleep(50);
    expect([found.length, made]).to.deep.equal([1, found]);
  });

  it('say why they were made again: nothing, a damaged manifest, a file that is missing', async () => {
    const cases: readonly (() => void)[] = [
      () => rmSync(join(folder, 'manifest')),
      () => overwritten(join(folder, 'manifest'), () => 7),
      () => rmSync(largest()),
    ];
    for (const between of cases) {
      await server.restart({ between });
      await healed();
    }
    expect(refilled.slice(0, 2)).to.deep.equal([
      'there was nothing',
      'the manifest is damaged, or of another version of the server',
    ]);
    expect(refilled[2]).to.include('ENOENT');
    await server.restart();
    await healed();
    expect(refilled).to.have.length(3);
  });

  const kinds: Readonly<Record<string, Damage>> = { flipped, zeroed, overwritten, truncated, swapped, replaced };

  /** Damages a file that is chosen by chance. */
  function damageOne(damage: Damage, random: Random): void {
    const files = readdirSync(folder).filter((name) => name.endsWith('.tables') || name === 'manifest');
    damage(join(folder, files[random(files.length)] as string), random);
  }

  for (const [name, damage] of Object.entries(kinds)) {
    it(`give no wrong answer wherever bytes are ${name} while the server stands still`, async () => {
      const random = numbersOf(SEED);
      for (let round = 0; round < 2 * EFFORT; round++) {
        try {
          await server.restart({ between: () => damageOne(damage, random) });
          await healed();
        } catch (cause) {
          throw new Error(`SEED=${SEED}, round ${round}`, { cause });
        }
      }
    });
  }

  // A file that is cut off while it is mapped may end the process by SIGBUS, until the next look at its size
  // (docs/operating.md). So that is tried only on a server that stands still.
  for (const [name, damage] of Object.entries({ flipped, zeroed, overwritten })) {
    it(`give no wrong answer wherever bytes are ${name} while the server runs`, async () => {
      const random = numbersOf(SEED);
      for (let round = 0; round < 2 * EFFORT; round++) {
        try {
          const files = tablesIn(folder);
          damage(files[random(files.length)] as string, random);
          await sleep(SEEN);
          await healed();
        } catch (cause) {
          throw new Error(`SEED=${SEED}, round ${round}`, { cause });
        }
      }
    });
  }
});

/** A generator of small quality that needs nothing else. */
function numbersOf(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
