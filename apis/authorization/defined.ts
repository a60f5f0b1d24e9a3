import type { Permission } from '../../pkg/authz/grants.js';
import { nameOf, type Reader } from '../../registry/read/reader.js';
import { customActions, DEFINITIONS, isReservedGroup, WORDS, type Word } from '../apiextensions/names.js';

/** What built-in roles may do with the objects of custom kinds, by the labels of their definitions. */
export interface DefinedSets {
  /** By basic role. Those of Viewer and Editor do not hold in private folders. */
  readonly roles: Readonly<Record<string, readonly Permission[]>>;
  /** By folder permission: the actions on objects that lie in folders. */
  readonly folders: Readonly<Record<string, readonly string[]>>;
}

const known = new WeakMap<object, Map<string, DefinedSets>>();

export function definedSets(reader: Reader, domain: string): DefinedSets {
  const version = reader.version(DEFINITIONS);
  const byDomain = known.get(version) ?? new Map<string, DefinedSets>();
  known.set(version, byDomain);
  const sets = byDomain.get(domain) ?? readSets(reader, domain);
  byDomain.set(domain, sets);
  return sets;
}

function readSets(reader: Reader, domain: string): DefinedSets {
  const [viewer, editor, admin]: [Permission[], Permission[], Permission[]] = [[], [], []];
  const [view, edit]: [string[], string[]] = [[], []];
  for (const entry of reader.all(DEFINITIONS)) {
    const name = nameOf(entry);
    // Those of the server itself are in the built-in sets.
    if (isReservedGroup(name, domain)) continue;
    const word = (one: Word): string | undefined => entry.attributes.labels?.[`${domain}/${WORDS[one]}`];
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
