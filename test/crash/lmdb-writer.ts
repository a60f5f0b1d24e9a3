import { writeSync } from 'node:fs';
import { generator } from '../../hack/random.js';
import type { Put, Stored } from '../../storage/backend.js';
import { type Key, keyOf } from '../../storage/key.js';
import { openLmdb } from '../../storage/lmdb/open.js';

/**
 * The process that lmdb-kill.test.ts kills. It appends batches of varying size without end, carries the log into the
 * objects, and sometimes compacts. After each `append` has resolved, it writes a line to standard output synchronously.
 * So every commit that the parent reads was acknowledged.
 */
const [, , path = '', seed = '1'] = process.argv;
const backend = await openLmdb({ path, domain: 'svc.app' });
const random = generator(Number(seed));
let end = await backend.end();
const materialize = async (): Promise<void> => {
  await backend.materialize?.();
  setTimeout(() => void materialize(), 10);
};
void materialize();
writeSync(1, `open ${end}\n`);

for (;;) {
  const size = 1 + Math.floor(random() ** 3 * 60);
  const keys = Array.from({ length: size }, () => keyOf('folders.x', 'default', `n${Math.floor(random() * 200)}`));
  const current = new Map(await backend.get(keys));
  const changes = keys.map((key, i) => change(key, end + i + 1, current));
  await backend.append(end, {
    commitId: `${process.pid}-${end}`,
    changes,
    counters: new Map([['folders.x', end + size]]),
  });
  end += size;
  writeSync(1, `${end} ${size}\n`);
  if (random() < 0.02) await backend.compact(end - 3000);
}

function change(key: Key, revision: number, current: Map<Key, Stored>): Put {
  const previous = current.get(key);
  const replaced = previous === undefined ? {} : { previous };
  if (random() < 0.2) {
    current.delete(key);
    return { key, revision, ...replaced };
  }
  const value = Buffer.from(JSON.stringify({ revision, fill: 'x'.repeat(Math.floor(random() ** 6 * 40_000)) }));
  current.set(key, { key, revision, value });
  return {
    key,
    revision,
    value,
    ...replaced,
  };
}
