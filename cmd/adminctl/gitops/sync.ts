import type { Readable } from 'node:stream';
import { isColoured, progressBar, type Terminal } from '../terminal.js';
import { type Connection, connect, Refused } from './connection.js';
import type { Located } from './documents.js';
import { ownKind, servedKinds } from './kinds.js';
import { targetOf } from './kubeconfig.js';
import { readManifests } from './manifests.js';
import { Applied, countsOf, isDrift, type Planned } from './plan.js';
import { printable, showPlan } from './show-plan.js';

export interface SyncOptions {
  /** A folder, a file, or `-` for the standard input. */
  readonly path: string;
  readonly applySet: string;
  readonly namespace?: string | undefined;
  readonly prune: boolean;
  readonly check: boolean;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

const DONE = 0;
const FAILED = 1;
const DRIFT = 2;

/** Applies the manifests in one commit, prints the plan and what the server warns about, and returns the exit code. Throws errors for people. */
export async function sync(options: SyncOptions, input: Readable, terminal: Terminal): Promise<number> {
  const target = targetOf({ path: options.kubeconfig, context: options.context, env: terminal.env });
  const connection = connect(target);
  try {
    const namespace = options.namespace ?? target.namespace ?? 'default';
    return await syncBy(connection, { ...options, namespace }, input, terminal);
  } finally {
    connection.close();
  }
}

type Placed = SyncOptions & { readonly namespace: string };

/** The same by a connection that is open. */
export async function syncBy(
  connection: Connection,
  options: Placed,
  input: Readable,
  terminal: Terminal,
): Promise<number> {
  const found = await read(options, input, terminal);
  const bar = progressBar(terminal, 'applying');
  bar.update(0, found.length);
  const warnings: string[] = [];
  const plan = await apply(connection, options, found, (text) => warnings.push(text)).finally(() => {
    bar.stop();
    for (const text of warnings) terminal.err.write(`Warning: ${printable(text)}\n`);
  });
  terminal.out.write(showPlan(plan, isColoured(terminal)));
  return exitCode(options, plan);
}

async function read({ path }: SyncOptions, input: Readable, terminal: Terminal): Promise<readonly Located[]> {
  const bar = progressBar(terminal, 'reading');
  try {
    return await readManifests(path, input, bar.update);
  } finally {
    bar.stop();
  }
}

async function apply(
  connection: Connection,
  options: Placed,
  found: readonly Located[],
  onWarning: (text: string) => void,
): Promise<readonly Planned[]> {
  const group = ownKind(await servedKinds(connection), 'apply', 'applysets')?.group;
  if (group === undefined) throw new Error('The server has no apply sets. A newer one is needed.');
  const apiVersion = `${group}/v1beta1`;
  const spec = { objects: found.map(({ manifest }) => manifest), prune: { enabled: options.prune } };
  const set = `/apis/${apiVersion}/namespaces/${encodeURIComponent(options.namespace)}/applysets/${encodeURIComponent(options.applySet)}`;
  const isDry = options.check || options.dryRun;
  const query = new URLSearchParams({
    fieldValidation: 'Strict',
    force: String(options.force),
    ...(isDry && { dryRun: 'All' }),
  });
  const body = JSON.stringify({ apiVersion, kind: 'ApplyRequest', spec });
  try {
    const answer = await connection.ask('POST', `${set}/apply?${query}`, { body, onWarning });
    return Applied.parse(answer).status.plan;
  } catch (error) {
    throw error instanceof Refused ? explained(error, found) : error;
  }
}

/** The refusal with the places of the manifests, in place of their positions in the request. */
function explained({ status, message, causes }: Refused, found: readonly Located[]): Error {
  const place = (text: string): string =>
    printable(text.replace(/spec\.objects\[(\d+)\]/g, (all, index) => found[Number(index)]?.origin ?? all));
  const more = causes.filter((cause) => !message.includes(cause)).map((cause) => `  ${place(cause)}`);
  const advice = status === 409 && causes.length > 0 ? ['--force takes over the fields of other managers.'] : [];
  return new Error([place(message), ...more, ...advice].join('\n'));
}

function exitCode({ check, dryRun }: SyncOptions, plan: readonly Planned[]): number {
  const counts = countsOf(plan);
  if (check) return isDrift(counts) ? DRIFT : DONE;
  return dryRun && counts.conflict > 0 ? FAILED : DONE;
}
