import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { Folder } from './dto.js';

/** What the legacy interface calls that which may lie in a folder. */
const CALLED: Readonly<Record<string, string>> = {
  Folder: 'folder',
  Dashboard: 'dashboard',
  AlertRule: 'alertrule',
  LibraryElement: 'library_elements',
};

/** How much lies in a folder, however deep; a permission to view the folder is one to view what lies in it. */
export function descendantCounts(call: LegacyCall, folder: Folder): Readonly<Record<string, number>> {
  const counts = Object.fromEntries(Object.values(CALLED).map((name) => [name, 0]));
  const kinds = Object.entries(CALLED).filter(([kind]) => call.hasKind(kind));
  for (const waiting = [folder.metadata.name]; waiting.length > 0; ) {
    const container = waiting.pop() ?? '';
    for (const [kind, name] of kinds) {
      for (const { metadata } of call.objects(kind).contained(container)) {
        counts[name] = (counts[name] ?? 0) + 1;
        if (kind === 'Folder') waiting.push(metadata.name);
      }
    }
  }
  return counts;
}
