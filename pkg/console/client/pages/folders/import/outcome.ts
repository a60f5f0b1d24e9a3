import { wordsOf } from '../../../lib/api.js';
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
      outcome.failures.push({ title: one.dashboard.title, error });
    }
  }
  return outcome;
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
