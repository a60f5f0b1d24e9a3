import { z } from 'zod';

export const FolderSpec = z
  .strictObject({
    title: z.string().trim().min(1, 'folder title cannot be empty').max(5000).describe('Title shown to people.'),
    description: z.string().max(100_000).optional().describe('What the folder is for.'),
  })
  .meta({ id: 'FolderSpec', description: 'What a folder is.' });
export type FolderSpec = z.infer<typeof FolderSpec>;

/** Folders by parent, then by title, then by name: `[namespace, parent or '', title in lower case]`. */
export const BY_PARENT = 'byParent';

/** Folders by title: `[namespace, folded title]`. */
export const BY_TITLE = 'byTitle';

/** The name of the root, and the name of a list in existing clients. */
export const RESERVED_NAMES = ['general', 'sharedwithme'] as const;

/** The annotation that names the parent folder, without the domain. */
export const PARENT = 'folder';

/** The annotation that names the parent folder: `svc.app/folder`. */
export function folderAnnotation(domain: string): string {
  return `${domain}/${PARENT}`;
}

/**
 * The parameter of DELETE that lets a folder with alert rules be deleted. The rules are deleted with it. Omitted, it is
 * false.
 */
export const FORCE_DELETE_RULES = 'forceDeleteRules';
