import { partsOf } from '../../storage/key.js';
import type { AccessView, Entry, GrantSource, Question, Standing, Visibility } from '../access.js';
import { objectOfEntry } from '../view.js';
import { actionsOf, deedOf } from './actions.js';
import { type Coverage, coverageOf } from './coverage.js';
import { isMaster } from './masters.js';
import type { Places } from './places.js';

export interface Sight extends Visibility {
  /** What every object is judged by; `undefined` where that is not the same for all of them. */
  readonly coverages: readonly Coverage[] | undefined;
}

export const EVERYTHING: Sight = { all: true, sees: () => true, coverages: [] };
const NOTHING: Sight = { all: false, sees: () => false, coverages: [] };

/** What a caller may see, or do, of a kind: containers are judged once each, however much lies in them. */
export function visibilityOf(question: Question, places: Places, source: GrantSource, view: AccessView): Visibility {
  if (isMaster(question.user)) return EVERYTHING;
  return sightOf(question, places, source.standingOf(question.user, view), view);
}

export function sightOf(question: Question, places: Places, standing: Standing, view: AccessView): Sight {
  const { kind, namespace } = question;
  if (deedOf(question.verb) === undefined || kind.permissions === undefined) return NOTHING;
  const within = (one: string): Sight => inNamespace(question, places, standing, one, view);
  if (namespace !== '' || kind.scope === 'Cluster') return within(namespace);
  const known = new Map<string, Visibility>();
  const sees = (entry: Entry): boolean => {
    const { namespace: own } = partsOf(entry.key);
    let visibility = known.get(own);
    if (visibility === undefined) {
      visibility = within(own);
      known.set(own, visibility);
    }
    return visibility.sees(entry);
  };
  return { all: false, sees, coverages: undefined };
}

function inNamespace(
  question: Question,
  places: Places,
  standing: Standing,
  namespace: string,
  view: AccessView,
): Sight {
  const { kind, user, verb } = question;
  const deed = deedOf(verb);
  const { permissions } = kind;
  if (deed === undefined || permissions === undefined) return NOTHING;
  const [grants, isInside] = [standing.grants(namespace), standing.belongs(namespace)];
  const byAction = new Map<string, Coverage>();
  const coverageFor = (action: string): Coverage => {
    let coverage = byAction.get(action);
    if (coverage === undefined) {
      coverage = coverageOf({ kind, places, action, scopes: grants.scopesOf(action), namespace, view });
      byAction.set(action, coverage);
    }
    return coverage;
  };
  const usual = permissions[deed].map(coverageFor);
  const isVarying = permissions.actionsOf !== undefined;
  const coveragesOf = (entry: Entry): readonly Coverage[] => {
    if (!isVarying) return usual;
    const own = deed === 'get' ? entry.attributes.reading : actionsOf(kind, deed, '', objectOfEntry(entry));
    return own === undefined ? usual : own.map(coverageFor);
  };
  const isOwn = (entry: Entry): boolean =>
    isInside && permissions.allowSelf?.(objectOfEntry(entry), user, deed) === true;
  return {
    all: !isVarying && usual.every(({ all }) => all),
    coverages: isVarying ? undefined : usual,
    sees: (entry) => coveragesOf(entry).every((coverage) => coverage.has(entry)) || isOwn(entry),
  };
}
