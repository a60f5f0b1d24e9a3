import type { Readable } from 'node:stream';
import { printable } from '../../../pkg/system/text/printable.js';
import { isColoured, progressBar, type Terminal } from '../terminal.js';
import { type Connection, connect, Refused } from './connection.js';
import type { Located } from './documents.js';
import { ownKind, servedKinds } from './kinds.js';
import { targetOf } from './kubeconfig.js';
import { readManifests } from './manifests.js';
import { Applied, countsOf, isDrift, type Planned } from './plan.js';
import { type Asking, type PruneOptions, REFUSED, refuseEmpty, refuseLargePrune } from './prune.js';
import { showPlan } from './show-plan.js';

export interface SyncOptions extends PruneOptions {
  /** A folder, a file, or `-` for the standard input. */
  readonly path: string;
  readonly applySet: string;
  readonly namespace?: string | undefined;
  readonly force: boolean;
  /** Warnings are errors. */
  readonly strict: boolean;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

const DONE = 0;
const FAILED = 1;
const DRIFT = 2;
const FORBIDDEN = 403;

/**
 * Applies the manifests in one commit, after a dry run if it could find a reason to change nothing. Prints the plan and
 * what the server warns about, and returns the exit code. Throws errors for people.
 */
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
  const manifests = await read(options, input, terminal);
  refuseEmpty(options, manifests.length);
  const isTrial = options.check || options.dryRun;
  if (isTrial || options.prune || options.strict) {
    const tried = await attempt(connection, options, manifests, terminal, true);
    if (isTrial) print(tried, terminal);
    const show = (heading: string): void => (isTrial ? undefined : print(tried, terminal, heading));
    await refuseLargePrune(options, tried.plan, { input, terminal, show });
    refuseWarnings(options, tried, show);
    if (isTrial) return exitCode(options, tried.plan);
  }
  const done = await attempt(connection, options, manifests, terminal, false);
  print(done, terminal);
  return options.strict && done.warnings.length > 0 ? FAILED : DONE;
}

/** What an apply needs to know. */
export type Applying = Pick<Placed, 'applySet' | 'namespace' | 'force' | 'prune' | 'check'>;

export interface Outcome {
  readonly plan: readonly Planned[];
  readonly warnings: readonly string[];
}

/** Applies manifests in one commit, or only plans it. Warnings are printed also if the server refuses. */
export async function attempt(
  connection: Connection,
  options: Applying,
  manifests: readonly Located[],
  terminal: Terminal,
  isTrial: boolean,
): Promise<Outcome> {
  const bar = progressBar(terminal, 'applying');
  bar.update(0, manifests.length);
  const warnings: string[] = [];
  const send = async (prune: boolean): Promise<readonly Planned[]> => {
    warnings.length = 0;
    return apply(connection, { ...options, prune }, manifests, isTrial, (text) => warnings.push(text));
  };
  try {
    return { plan: await sendAll(options, send), warnings };
  } catch (error) {
    printWarnings(warnings, terminal);
    throw error instanceof Refused ? explained(error, manifests) : error;
  } finally {
    bar.stop();
  }
}

/** A check also finds members that are in no manifest, if the caller may delete them. */
async function sendAll(
  { check, prune }: Applying,
  send: (prune: boolean) => Promise<readonly Planned[]>,
): Promise<readonly Planned[]> {
  if (!check || prune) return send(prune);
  try {
    return await send(true);
  } catch (error) {
    if (error instanceof Refused && error.status === FORBIDDEN) return send(false);
    throw error;
  }
}

/** `heading` says what became of a plan that is not carried out. */
export function print({ plan, warnings }: Outcome, terminal: Terminal, heading?: string): void {
  printWarnings(warnings, terminal);
  if (heading !== undefined) terminal.out.write(`${heading}\n`);
  terminal.out.write(showPlan(plan, isColoured(terminal)));
}

function printWarnings(warnings: readonly string[], { err }: Terminal): void {
  for (const text of warnings) err.write(`Warning: ${printable(text)}\n`);
}

function refuseWarnings({ strict }: SyncOptions, { warnings }: Outcome, show: Asking['show']): void {
  if (!strict || warnings.length === 0) return;
  show(REFUSED);
  throw new Error('There are warnings, which --strict makes errors. Nothing was changed.');
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
  options: Applying,
  manifests: readonly Located[],
  isTrial: boolean,
  onWarning: (text: string) => void,
): Promise<readonly Planned[]> {
  const group = ownKind(await servedKinds(connection), 'apply', 'applysets')?.group;
  if (group === undefined) throw new Error('The server has no apply sets. A newer one is needed.');
  const apiVersion = `${group}/v1beta1`;
  const spec = { objects: manifests.map(({ manifest }) => manifest), prune: { enabled: options.prune } };
  const set = `/apis/${apiVersion}/namespaces/${encodeURIComponent(options.namespace)}/applysets/${encodeURIComponent(options.applySet)}`;
  const query = new URLSearchParams({
    fieldValidation: 'Strict',
    force: String(options.force),
    ...(isTrial && { dryRun: 'All' }),
  });
  const body = JSON.stringify({ apiVersion, kind: 'ApplyRequest', spec });
  const answer = await connection.ask('POST', `${set}/apply?${query}`, { body, onWarning });
  return Applied.parse(answer).status.plan;
}

/** The refusal with the places of the manifests, in place of their positions in the request. */
function explained({ status, message, causes }: Refused, manifests: readonly Located[]): Error {
  const place = (text: string): string =>
    printable(text.replace(/spec\.objects\[(\d+)\]/g, (all, index) => manifests[Number(index)]?.origin ?? all));
  const more = causes.filter((cause) => !message.includes(cause)).map((cause) => `  ${place(cause)}`);
  const advice = status === 409 && causes.length > 0 ? ['--force takes over the fields of other managers.'] : [];
  return new Error([place(message), ...more, ...advice].join('\n'));
}

function exitCode({ check, dryRun }: SyncOptions, plan: readonly Planned[]): number {
  const counts = countsOf(plan);
  if (check) return isDrift(counts) ? DRIFT : DONE;
  return dryRun && counts.conflict > 0 ? FAILED : DONE;
}
