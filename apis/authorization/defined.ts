import type { Permission } from '../../pkg/identity/authz/grants.js';
import { nameOf, type Reader } from '../../registry/read/reader.js';
import type { BuiltInAccess } from '../access.js';
import { customActions, DEFINITIONS, isReservedGroup, WORDS, type Word } from '../apiextensions/names.js';
import type { AccessEnvironment } from '../environment.js';

/** By the version of the definitions, and by what the compiled kinds give. */
const known = new WeakMap<object, Map<BuiltInAccess, BuiltInAccess>>();

/**
 * What the built-in roles may do: with the objects of compiled kinds, and with those of custom kinds, by the labels of
 * their definitions.
 */
export function accessIn(reader: Reader, { access, domain }: AccessEnvironment): BuiltInAccess {
  const version = reader.version(DEFINITIONS);
  const byAccess = known.get(version) ?? new Map<BuiltInAccess, BuiltInAccess>();
  known.set(version, byAccess);
  const all = byAccess.get(access) ?? both(access, definedAccess(reader, domain));
  byAccess.set(access, all);
  return all;
}

type Sets<One> = Readonly<Record<string, readonly One[]>>;

function both(compiled: BuiltInAccess, defined: Pick<BuiltInAccess, 'roles' | 'folders'>): BuiltInAccess {
  const { roles, folders, dashboards } = compiled;
  return { roles: joined(roles, defined.roles), folders: joined(folders, defined.folders), dashboards };
}

function joined<One>(sets: Sets<One>, more: Sets<One>): Sets<One> {
  return Object.fromEntries(Object.entries(sets).map(([name, own]) => [name, [...own, ...(more[name] ?? [])]]));
}

function definedAccess(reader: Reader, domain: string): Pick<BuiltInAccess, 'roles' | 'folders'> {
  const [viewer, editor, admin]: [Permission[], Permission[], Permission[]] = [[], [], []];
  const [view, edit]: [string[], string[]] = [[], []];
  for (const entry of reader.all(DEFINITIONS)) {
    const name = nameOf(entry);
    // Those of the server itself are in the built-in sets.
    if (isReservedGroup(name, domain)) continue;
    const word = (word: Word): string | undefined => entry.attributes.labels?.[`${domain}/${WORDS[word]}`];
    const [viewers, editors, place] = [word('viewer'), word('editor'), word('containment')];
    const actions = customActions(name);
    const [read, all] = [[actions.read], Object.values(actions)];
    const permission = (action: string, isBasic: boolean): Permission => ({
      action,
      scope: `${name}:*`,
      ...(isBasic && { isBasic }),
    });
    admin.push(...all.map((action) => permission(action, false)));
    if (viewers === 'read') viewer.push(...read.map((action) => permission(action, true)));
    const ofEditor = editors === 'write' ? all : editors === 'read' || viewers === 'read' ? read : [];
    editor.push(...ofEditor.map((action) => permission(action, true)));
    if (place === 'folders') {
      view.push(...read);
      edit.push(...all);
    }
  }
  return {
    roles: { Viewer: viewer, Editor: editor, Admin: admin },
    folders: { View: view, Edit: edit, Admin: edit },
  };
}
