import type { Database } from '../connection/database.js';

const OWN: ReadonlySet<string> = new Set(['log', 'changes', 'staged', 'servers']);

/** The resources that have a collection, in the order of the keys of their objects. */
export async function resourcesOf(database: Database): Promise<readonly string[]> {
  const names = await database.collections();
  return names
    .filter((name) => !OWN.has(name) && !name.includes(':') && !name.startsWith('system.'))
    .sort((a, b) => Buffer.compare(Buffer.from(`${a}/`), Buffer.from(`${b}/`)));
}
