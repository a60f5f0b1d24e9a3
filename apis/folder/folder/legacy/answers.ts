import { z } from 'zod';
import { accessControl, answer, doneWith, listOf } from '../../../../registry/legacy/answers.js';

const shape = () => ({
  id: z.int(),
  uid: z.string(),
  orgId: z.int(),
  title: z.string(),
  url: z.string(),
  hasAcl: z.boolean().describe('Whether the folder has permissions of its own.'),
  canSave: z.boolean(),
  canEdit: z.boolean(),
  canAdmin: z.boolean(),
  canDelete: z.boolean(),
  createdBy: z.string(),
  created: z.string(),
  updatedBy: z.string(),
  updated: z.string(),
  version: z.int().describe('PUT sends it, so that nobody overwrites what they have not seen.'),
  parentUid: z.string().optional(),
});

/** Of folders above that the caller may not view, only the uid and a title are shown. */
const ABOVE = answer('FolderAbove', 'A folder that another one lies in.', () => ({
  ...z.object(shape()).partial().shape,
  uid: z.string(),
  title: z.string(),
}));
export const FOLDER = answer('Folder', 'A folder.', () => ({
  ...shape(),
  parents: z.array(ABOVE()).optional().describe('The folders above, from the top.'),
  accessControl: accessControl(),
}));
export const FOLDERS = listOf(
  answer('FoundFolder', 'A folder in a list.', () => ({
    id: z.int(),
    uid: z.string(),
    title: z.string(),
    parentUid: z.string().optional(),
  })),
);
export const FOLDER_COUNTS = answer('FolderCounts', 'What a folder and the folders in it contain.', () => ({
  folder: z.int(),
  dashboard: z.int(),
  alertrule: z.int(),
  library_elements: z.int(),
}));
export const FOLDER_DELETED = doneWith(() => ({ id: z.int() }));
