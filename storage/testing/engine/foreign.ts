import type { Backend, Put } from '../../backend.js';
import type { Cacher } from '../../cacher/cacher.js';
import { keyOf } from '../../key.js';
import { encodeText } from '../../state/codec.js';
import { batchOf } from '../backend/fixture.js';
import { FOLDERS, key, objectAt } from './resources.js';

/**
 * Writes of another server, directly into the log. A name with a slash is that of an object which only a newer server
 * knows.
 */
export async function write(backend: Backend, names: readonly string[], text?: string): Promise<void> {
  const after = await backend.end();
  const changes = names.map((name, i): Put => {
    const at = name.includes('/') ? keyOf('unknown.newer', '', name.slice(1)) : key(FOLDERS, name);
    const revision = after + i + 1;
    return { key: at, revision, value: encodeText(text ?? JSON.stringify(objectAt(at, {})), revision) };
  });
  await backend.append(after, batchOf(changes));
}

/** The names of all folders in the newest state. */
export const names = (cacher: Cacher): readonly string[] =>
  [...cacher.state.resource(FOLDERS).entries(FOLDERS, '~')].map((entry) =>
    entry.key.slice(entry.key.lastIndexOf('/') + 1),
  );
