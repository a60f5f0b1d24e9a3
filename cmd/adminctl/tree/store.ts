import { createHash } from 'node:crypto';
import type { Connection } from '../gitops/connection.js';
import type { Located } from '../gitops/documents.js';
import { plural } from '../gitops/manifest-folder.js';
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
/** A set has no more members. */
const MOST_MEMBERS = 10_000;

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
  const plan: Planned[] = [];
  const warnings: string[] = [];
  for (const part of partsOf(objects, applySet)) {
    const applying = { ...options, applySet: part.applySet, prune: false, check: false };
    const done = await attempt(connection, applying, part.objects, terminal, dryRun);
    plan.push(...done.plan);
    warnings.push(...done.warnings);
  }
  print({ plan, warnings }, terminal);
  return dryRun && countsOf(plan).conflict > 0 ? FAILED : DONE;
}

interface Part {
  readonly applySet: string;
  readonly objects: readonly Located[];
}

/** The objects in their order, in parts that fit into requests and sets. */
export function partsOf(
  objects: readonly Located[],
  applySet: string,
  { bytes, members } = { bytes: MOST_BYTES, members: MOST_MEMBERS },
): readonly Part[] {
  const sets = new Map<string, Located[]>();
  for (const object of objects) {
    const name = objects.length <= members ? applySet : `${applySet}-${setOf(object)}`;
    const set = sets.get(name) ?? [];
    set.push(object);
    sets.set(name, set);
  }
  return [...sets].flatMap(([name, set]) => slicesOf(set, bytes).map((slice) => ({ applySet: name, objects: slice })));
}

/** These come before what lies in them or names them, so they are in one set. */
const FIRST: readonly string[] = ['Team', 'Folder'];
const BUCKETS = 8;

/** The end of the name of a set. It depends on the object alone, so that the next import finds it in the same set. */
function setOf({ manifest: { kind, metadata } }: Located): string {
  if (FIRST.includes(kind)) return plural(kind);
  const [byte = 0] = createHash('sha256').update(metadata.name).digest();
  return `${plural(kind)}-${byte % BUCKETS}`;
}

function slicesOf(objects: readonly Located[], most: number): readonly (readonly Located[])[] {
  const slices: Located[][] = [];
  let bytes = 0;
  for (const object of objects) {
    const size = Buffer.byteLength(JSON.stringify(object.manifest));
    bytes += size;
    if (slices.length === 0 || bytes > most) {
      slices.push([]);
      bytes = size;
    }
    slices.at(-1)?.push(object);
  }
  return slices;
}
