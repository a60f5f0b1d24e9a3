import type { z } from 'zod';
import type { LegacyClient, Query } from '../../../pkg/legacyclient/client.js';
import { LegacyFailure } from '../../../pkg/legacyclient/failure.js';
import type { Bar } from '../terminal.js';
import type { Draft } from './draft.js';
import type { People } from './people.js';
import type { Report } from './report.js';
import type { Resource } from './resources.js';
import type { Target } from './target.js';
import type { Trust } from './trust.js';

/** Requests that are on their way at one time. */
export const PARALLEL = 8;

/** What the steps of an import share: one organization of the source, and the namespace that it becomes. */
export interface Move {
  readonly source: LegacyClient;
  readonly target: Target;
  readonly namespace: string;
  readonly people: People;
  readonly report: Report;
  readonly trust: Trust;
  /** What is here as it is there, by plural and name. */
  readonly taken: Set<string>;
  /** Takes earlier versions of dashboards, too. */
  readonly hasHistory: boolean;
  /** The most annotations of one answer. */
  readonly page: number;
  progress(what: string): Bar;
}

/** Whether an error is about one request only, so that the others go on. With a wrong credential, none would. */
export function isRefusal(error: unknown): error is LegacyFailure {
  return error instanceof LegacyFailure && error.status !== 401;
}

/** What is about one object: a refusal becomes a row of the report. The answer is whether the object is there. */
export async function taking(
  { report }: Pick<Move, 'report'>,
  what: string,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    report.skip(what, name, error.message);
    return false;
  }
}

/** Stores an object, and counts what became of it. Rejects if the target refuses it. */
export async function storing(move: Move, resource: Resource, draft: Draft, what = resource.plural): Promise<void> {
  const { target, report, namespace } = move;
  const { outcome, id } = await target.store(resource, namespace, draft);
  report.count(what, outcome);
  if (what === resource.plural) move.taken.add(`${what}/${draft.name}`);
  const wanted = draft.origin?.id;
  if (outcome === 'created' && wanted !== undefined && id !== undefined && id !== wanted)
    report.note(`${resource.plural} ${draft.name}`, `its number ${wanted} cannot be kept, so it has ${id}`);
}

/** Reads a list of the source. A refusal becomes a row of the report, and the list is `undefined`. */
export async function reading<T>(
  { source, report }: Pick<Move, 'source' | 'report'>,
  what: string,
  path: string,
  schema: z.ZodType<T>,
  query?: Query,
): Promise<T | undefined> {
  try {
    return await source.get(path, schema, query);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    report.leaveOut(what, error.message);
    return undefined;
  }
}

/** All items of the pages of a list, or those before a refusal, which becomes a row of the report. */
export async function allOf<T>(
  { report }: Pick<Move, 'report'>,
  what: string,
  list: AsyncIterable<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = [];
  try {
    for await (const page of list) found.push(...page);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    report.leaveOut(what, error.message);
  }
  return found;
}
