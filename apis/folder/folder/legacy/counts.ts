import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { Folder } from './dto.js';

/** The names that the legacy API uses for the kinds of objects in folders. */
const CALLED: Readonly<Record<string, string>> = {
  Folder: 'folder',
  Dashboard: 'dashboard',
  AlertRule: 'alertrule',
  LibraryElement: 'library_elements',
};

/** Counts the objects below a folder, at any depth. Callers who may view the folder may view everything below it. */
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
