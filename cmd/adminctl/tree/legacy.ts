import { type DashboardModel, member } from '../../../pkg/dashboards/model.js';
import { isObject, type Members } from '../../../pkg/system/object/is-object.js';
import type { Found, FoundDashboard, FoundElement, FoundFolder, FoundRule, FoundTeam, Place } from './found.js';
import { integer, text } from './values.js';

/** Where a file is, and what its path says about the place of its object. */
export interface Source {
  readonly origin: string;
  readonly place: Place;
}

/** A dashboard, or the answer of the legacy API with one. `undefined` if it is none. */
export function dashboardIn(value: unknown, { origin, place }: Source): FoundDashboard | undefined {
  const [inner, meta] = [member(value, 'dashboard'), member(value, 'meta')];
  if (text(inner, 'title') !== '') return dashboardIn(inner, { origin, place: placeOf(meta, place) });
  const title = text(value, 'title');
  const uid = member(value, 'uid');
  if (title === '' || !(uid === undefined || uid === null || typeof uid === 'string')) return undefined;
  return { what: 'dashboard', origin, dashboard: { ...(value as DashboardModel), title }, place };
}

/** What an answer says of the folder of its object. Older servers name it by its number and its title. */
export function placeOf(meta: unknown, other: Place): Place {
  const [uid, id, title] = [text(meta, 'folderUid'), integer(meta, 'folderId'), text(meta, 'folderTitle')];
  if (uid !== '') return { uid };
  if (id !== undefined && id > 0) return { id, title };
  const isAtRoot = member(meta, 'folderUid') !== undefined || id === 0;
  return isAtRoot ? {} : other;
}

/** A folder, as the legacy API answers it or finds it in a search. */
export function folderIn(value: unknown, origin: string): FoundFolder {
  const parents = member(value, 'parents');
  const last = text(Array.isArray(parents) ? parents.at(-1) : undefined, 'uid');
  const uid = text(value, 'parentUid') || text(value, 'folderUid') || last;
  const id = integer(value, 'id');
  return {
    what: 'folder',
    origin,
    uid: text(value, 'uid'),
    title: text(value, 'title'),
    description: text(value, 'description'),
    parent: uid === '' ? {} : { uid },
    ...(id !== undefined && { id }),
  };
}

export function isFolder(value: unknown): boolean {
  if (text(value, 'title') === '' || text(value, 'uid') === '' || Array.isArray(member(value, 'panels'))) return false;
  const isFound = text(value, 'type') === 'dash-folder';
  return isFound || ['canSave', 'hasAcl', 'parentUid'].some((name) => member(value, name) !== undefined);
}

export function isElement(value: unknown): value is Members {
  return isObject(member(value, 'model')) && integer(value, 'kind') !== undefined && text(value, 'name') !== '';
}

export function elementIn(value: Members, { origin, place }: Source, uid = text(value, 'uid')): FoundElement {
  const own = text(value, 'folderUid') === '' ? placeOf(member(value, 'meta'), place) : placeOf(value, place);
  return { what: 'element', origin, uid, value, place: own };
}

export function isRule(value: unknown): value is Members {
  const isPlaced = ['ruleGroup', 'folderUID'].some((name) => text(value, name) !== '');
  return isPlaced && text(value, 'title') !== '' && Array.isArray(member(value, 'data'));
}

export function ruleIn(value: Members, { origin, place }: Source): FoundRule {
  const uid = text(value, 'folderUID');
  return { what: 'rule', origin, value, place: uid === '' ? place : { uid } };
}

export function isGroup(value: unknown): boolean {
  return Array.isArray(member(value, 'rules')) && text(value, 'title') !== '' && text(value, 'folderUid') !== '';
}

/** The rules of a group, in their order. */
export function rulesOfGroup(value: unknown, origin: string): readonly Found[] {
  const rules = member(value, 'rules');
  const interval = integer(value, 'interval');
  const ofGroup = { ruleGroup: text(value, 'title'), ...(interval !== undefined && { interval }) };
  const place = { uid: text(value, 'folderUid') };
  return (Array.isArray(rules) ? rules : []).map((rule: unknown, index): FoundRule => {
    const at = `${origin}, rule ${index + 1}`;
    if (!isObject(rule)) throw new Error(`${at}: this is no alert rule.`);
    return { what: 'rule', origin: at, value: rule, place, group: { ...ofGroup, groupIndex: index } };
  });
}

export function teamIn(value: unknown, origin: string): FoundTeam {
  const id = integer(value, 'id');
  const title = text(value, 'name');
  if (title === '') throw new Error(`${origin}: this is no team: it has no name.`);
  return {
    what: 'team',
    origin,
    uid: text(value, 'uid'),
    ...(id !== undefined && { id }),
    title,
    email: text(value, 'email'),
    directory: directoryOf(origin),
  };
}

/** The folder of a file. */
export const directoryOf = (origin: string): string => origin.slice(0, Math.max(0, origin.lastIndexOf('/')));
