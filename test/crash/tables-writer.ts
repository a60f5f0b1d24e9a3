import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { generator } from '../../hack/random.js';
import { Cacher } from '../../storage/cacher/cacher.js';
import { Engine } from '../../storage/engine/engine.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { Definitions } from '../../storage/state/definitions.js';
import { Checkpointer, TableFolder } from '../../storage/tables/index.js';
import { DASHBOARDS, DEFINITIONS, FOLDERS, put, Refused, remove } from '../../storage/testing/engine/resources.js';

/**
 * The process that tables-kill.test.ts kills. It writes and deletes objects without end, and sometimes compacts, while
 * tables are written and merged as soon as possible. It writes the revision of each acknowledged write to standard
 * output, synchronously.
 */
const EAGER = { bytes: 1, age: 1, interval: 1 };
/** The number of writes at the same time. */
const WRITERS = 8;
const [, , path = '', seed = '1'] = process.argv;
const random = generator(Number(seed));
const backend = await openLmdb({ path: join(path, 'store'), domain: 'svc.app' });
const options = { path: join(path, 'objects'), program: 'test', inMemory: () => false };
const folder = await TableFolder.open(options, new Definitions(DEFINITIONS));
const cacher = await Cacher.open(backend, { definitions: DEFINITIONS, folder });
const engine = new Engine(backend, cacher);
const onError = (error: unknown): never => {
  throw error;
};
new Checkpointer({ backend, cacher, folder, limits: EAGER, onError }).start();
writeSync(1, `open ${cacher.revision}\n`);
await Promise.all(Array.from({ length: WRITERS }, write));

async function write(): Promise<void> {
  for (;;) {
    const revision = await writeOne();
    writeSync(1, `acknowledged ${revision}\n`);
    if (random() < 0.02) await backend.compact(cacher.revision - Math.floor(random() * 300));
  }
}

async function writeOne(): Promise<number> {
  const resource = random() < 0.5 ? FOLDERS : DASHBOARDS;
  const name = `n${Math.floor(random() ** 2 * 300)}`;
  if (random() < 0.3) {
    const { revision } = await engine.transact(remove(resource, name)).catch(refused);
    return revision;
  }
  const spec = {
    n: Math.floor(random() * 1000),
    title: `title ${Math.floor(random() * 50)}`,
    text: 'ä'.repeat(Math.floor(random() ** 8 * 40_000)),
  };
  return (await engine.transact(put(resource, name, spec))).revision;
}

/** Revision 0 if there was nothing to delete. */
function refused(error: unknown): { readonly revision: number } {
  if (error instanceof Refused) return { revision: 0 };
  throw error;
}
