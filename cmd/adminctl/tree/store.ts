import type { Connection } from '../gitops/connection.js';
import type { Located } from '../gitops/documents.js';
import { countsOf, type Planned } from '../gitops/plan.js';
import { attempt, print } from '../gitops/sync.js';
import type { Terminal } from '../terminal.js';

export interface Storing {
  readonly applySet?: string | undefined;
  readonly namespace: string;
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** Below what a server takes in one request, if its settings are as they come. */
const MOST_BYTES = 24 * 2 ** 20;
const MOST_OBJECTS = 10_000;

const DONE = 0;
const FAILED = 1;

/**
 * Applies the objects: all in one commit, or in as few as the server takes. In several, each is whole, and a second run
 * goes on after one that failed. Prints the plan, and returns the exit code.
 */
export async function store(
  connection: Connection,
  { applySet = 'import', dryRun, ...options }: Storing,
  objects: readonly Located[],
  terminal: Terminal,
): Promise<number> {
  const applying = { ...options, applySet, prune: false, check: false };
  const plan: Planned[] = [];
  const warnings: string[] = [];
  for (const part of partsOf(objects)) {
    const done = await attempt(connection, applying, part, terminal, dryRun);
    plan.push(...done.plan);
    warnings.push(...done.warnings);
  }
  print({ plan, warnings }, terminal);
  return dryRun && countsOf(plan).conflict > 0 ? FAILED : DONE;
}

/** The objects in their order, in parts that fit into requests. */
export function partsOf(objects: readonly Located[], most = MOST_BYTES): readonly (readonly Located[])[] {
  const parts: Located[][] = [];
  let bytes = 0;
  for (const object of objects) {
    const size = Buffer.byteLength(JSON.stringify(object.manifest));
    const last = parts.at(-1);
    if (last === undefined || bytes + size > most || last.length >= MOST_OBJECTS) {
      parts.push([object]);
      bytes = size;
    } else {
      last.push(object);
      bytes += size;
    }
  }
  return parts;
}
