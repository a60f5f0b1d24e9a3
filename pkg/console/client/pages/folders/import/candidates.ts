import { inputsOf } from '../../../../../dashboards/inputs.js';
import { type DashboardModel, dashboardsIn, member, uidOf } from '../../../../../dashboards/model.js';
import { parseJson } from '../../../../../kube/json/parse.js';
import { wordsOf } from '../../../lib/api.js';
import type { Hit } from '../model/find.js';
import { quoted } from '../model/words.js';

/** A text that was pasted, or a file. */
export interface Source {
  /** The name of the file. Empty for a pasted text. */
  readonly name: string;
  readonly text: string;
}

/** A dashboard of the sources. */
export interface Candidate {
  readonly key: string;
  readonly dashboard: DashboardModel;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  /** Why they cannot be imported. */
  readonly problem?: string;
}

/** The most dashboards of one import. `adminctl import` has no such limit. */
const MOST = 500;

/** The dashboards in texts. If one of the texts is wrong, there are none. */
export function candidatesIn(sources: readonly Source[]): Candidates {
  const candidates: Candidate[] = [];
  for (const { name, text } of sources.filter((source) => source.text.trim() !== '')) {
    const about = name === '' ? '' : `${name}: `;
    let value: unknown;
    try {
      value = parseJson(text);
    } catch (error) {
      return { candidates: [], problem: `${about}This is no JSON: ${wordsOf(error)}` };
    }
    const all = dashboardsIn(value);
    for (const [index, found] of all.entries()) {
      const which = all.length > 1 ? `Item ${index + 1}` : 'This';
      if (found === undefined) return { candidates: [], problem: `${about}${which} is no dashboard: it has no title.` };
      candidates.push({ key: `${name} ${index}`, dashboard: found.dashboard });
    }
  }
  const problem = whyNot(candidates);
  return problem === undefined ? { candidates } : { candidates: [], problem };
}

function whyNot(candidates: readonly Candidate[]): string | undefined {
  if (candidates.length > MOST) return `These are more than ${MOST} dashboards. Take fewer at a time.`;
  const byUid = new Map<string, DashboardModel>();
  for (const { dashboard } of candidates) {
    const uid = uidOf(dashboard);
    const other = byUid.get(uid);
    if (uid !== '' && other !== undefined)
      return `${quoted(other.title)} and ${quoted(dashboard.title)} have the same uid. Change one of them.`;
    byUid.set(uid, dashboard);
  }
  return undefined;
}

/** Whether the server takes the uid. Without one, or with another one, a dashboard gets a new uid. */
export function hasUid(dashboard: DashboardModel): boolean {
  return /^[\w-]{1,40}$/.test(uidOf(dashboard));
}

/** What happens to dashboards whose uid exists already. */
export type Choice = 'replace' | 'copy' | 'skip';

/** A dashboard as it is imported. */
export interface Planned extends Candidate {
  /** The dashboard that has this uid. */
  readonly existing: Hit | undefined;
  readonly overwrite: boolean;
  /** The folder that it lies in afterwards. One that is replaced stays where it is. */
  readonly folder: string;
}

interface Options {
  readonly existing: ReadonlyMap<string, Hit>;
  readonly choice: Choice;
  readonly folder: string;
  /** The uid of the dashboard that is replaced, whatever the JSON says. */
  readonly onto: string | undefined;
  /** Uids of dashboards that the caller may not view. What has one of them gets a new uid. */
  readonly hidden: ReadonlySet<string>;
}

/** What is imported. Those that are skipped are left out. */
export function plannedOf(candidates: readonly Candidate[], options: Options): readonly Planned[] {
  const { existing: all, choice, folder, onto, hidden } = options;
  return candidates.flatMap(({ key, dashboard }): readonly Planned[] => {
    const uid = onto ?? (hasUid(dashboard) && !hidden.has(uidOf(dashboard)) ? uidOf(dashboard) : '');
    const existing = all.get(uid);
    if (onto !== undefined || existing === undefined || choice === 'replace') {
      const overwrite = (onto ?? existing) !== undefined;
      const place = existing === undefined ? folder : (existing.folder ?? '');
      return [{ key, dashboard: { ...dashboard, uid }, existing, overwrite, folder: place }];
    }
    if (choice === 'skip') return [];
    const isTaken = existing.title === dashboard.title && (existing.folder ?? '') === folder;
    const title = isTaken ? `${dashboard.title} (copy)` : dashboard.title;
    return [{ key, dashboard: { ...dashboard, uid: '', title }, existing, overwrite: false, folder }];
  });
}

/** The number of library elements that come along. */
export function elementCount(dashboard: DashboardModel): number {
  const elements = member(dashboard, '__elements');
  return typeof elements === 'object' && elements !== null ? Object.keys(elements).length : 0;
}

/** The inputs of all dashboards, each once. */
export function allInputs(candidates: readonly Candidate[]) {
  const inputs = candidates.flatMap(({ dashboard }) => inputsOf(dashboard));
  return [...new Map(inputs.map((input) => [input.name, input])).values()];
}
