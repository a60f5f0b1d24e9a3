import { uidOf } from '../../../../../dashboards/model.js';
import { ApiError, wordsOf } from '../../../lib/api.js';
import { quoted } from '../model/words.js';
import type { Planned } from './candidates.js';
import type { Imported } from './send.js';

export interface Outcome {
  readonly imported: readonly (Imported & { readonly key: string; readonly warnings: readonly string[] })[];
  readonly failures: readonly { readonly title: string; readonly error: unknown }[];
}

/** One after another, so that one that is refused does not stop the others. */
export async function importAll(
  plan: readonly Planned[],
  send: (one: Planned) => Promise<Imported & { readonly warnings: readonly string[] }>,
): Promise<Outcome> {
  const outcome = { imported: [] as Outcome['imported'][number][], failures: [] as Outcome['failures'][number][] };
  for (const one of plan) {
    try {
      outcome.imported.push({ ...(await send(one)), key: one.key });
    } catch (error) {
      outcome.failures.push({ title: one.dashboard.title, error: whyNot(one, error) });
    }
  }
  return outcome;
}

/** The uid belongs to a dashboard that the caller may not view, so that it was not found before. */
class UidTaken extends Error {
  readonly uid: string;

  constructor(uid: string) {
    super('This uid is taken by a dashboard that you may not see. Import again: it then gets a new uid.');
    this.uid = uid;
  }
}

/** The server refuses to write a dashboard that exists, of which the caller knows nothing. */
function whyNot({ dashboard, existing }: Planned, error: unknown): unknown {
  const uid = uidOf(dashboard);
  const isOfExisting = error instanceof ApiError && error.code === 403 && lacks(error, 'dashboards:write');
  return isOfExisting && existing === undefined && uid !== '' ? new UidTaken(uid) : error;
}

/** The permission to create a dashboard is another one, so this one is about a dashboard that is there. */
function lacks({ causes }: ApiError, action: string): boolean {
  return causes.some(({ reason, message }) => reason === 'MissingPermission' && message === action);
}

/** The taken uid that an error is about. */
export function uidsIn(error: unknown): readonly string[] {
  return error instanceof UidTaken ? [error.uid] : [];
}

/** The most dashboards that an error names. */
const MOST_NAMED = 5;

export function failureOf(failures: Outcome['failures'], imported: number): unknown {
  const [first] = failures;
  if (failures.length === 1 && imported === 0) return first?.error;
  const named = failures.slice(0, MOST_NAMED).map(({ title, error }) => `${quoted(title)}: ${wordsOf(error)}`);
  const more = failures.length > MOST_NAMED ? ` And ${failures.length - MOST_NAMED} more.` : '';
  return new Error(`${imported} were imported, ${failures.length} were not. ${named.join(' ')}${more}`);
}

export function summaryOf(imported: Outcome['imported']): string {
  const warnings = [...new Set(imported.flatMap((one) => one.warnings))];
  const words =
    imported.length === 1
      ? `${quoted(imported[0]?.title ?? '')} was imported.`
      : `${imported.length} dashboards were imported.`;
  return [words, ...warnings].join(' ');
}
