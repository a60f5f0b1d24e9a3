import { searched } from '../../../apis/folder/titles.js';
import { member } from '../../../pkg/dashboards/model.js';
import { fold } from '../../../pkg/kube/meta/fold.js';
import type { Located } from '../gitops/documents.js';
import { text } from './values.js';

/** Collisions that an error names. */
const MOST_NAMED = 20;

/** Which objects of a kind may not have the same title, beside those in the same folder. */
type Title = (spec: unknown) => string;
const TITLES: Readonly<Record<string, Title>> = {
  Dashboard: (spec) => searched(text(spec, 'title')),
  AlertRule: (spec) => text(spec, 'title'),
  LibraryElement: (spec) => `${String(member(spec, 'kind'))} ${text(spec, 'name')}`,
  Team: (spec) => fold(text(spec, 'title')),
};

/** Throws an error that names the files of objects with the same uid, or with the same title where it is unique. */
export function refuseCollisions(objects: readonly Located[], folderKey: string): void {
  const byName = new Map<string, string>();
  const byTitle = new Map<string, string>();
  const faults = objects.flatMap(({ manifest: { kind, metadata, spec }, origin }) => {
    const { name, annotations } = metadata as { readonly name: string; readonly annotations?: Record<string, string> };
    const other = taken(byName, `${kind}\0${name}`, origin);
    if (other !== undefined) return [`${other} and ${origin} have the same uid ${name} (${kind}).`];
    const title = TITLES[kind]?.(spec);
    if (title === undefined) return [];
    const same = taken(byTitle, [kind, annotations?.[folderKey] ?? '', title].join('\0'), origin);
    const shown = JSON.stringify(text(spec, 'title') || text(spec, 'name'));
    return same === undefined ? [] : [`${same} and ${origin} have the same title ${shown} in one place (${kind}).`];
  });
  if (faults.length === 0) return;
  const more = faults.length > MOST_NAMED ? [`and ${faults.length - MOST_NAMED} more`] : [];
  throw new Error(
    [...faults.slice(0, MOST_NAMED), ...more, 'Nothing was changed. Change or remove one of each.'].join('\n'),
  );
}

/** The first that has taken the key. The first one takes it. */
function taken(all: Map<string, string>, key: string, origin: string): string | undefined {
  const first = all.get(key);
  if (first === undefined) all.set(key, origin);
  return first;
}
