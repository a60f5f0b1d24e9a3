import { z } from 'zod';
import { answer, anyObject, doneWith, listOf, pageWith, resultOf } from '../../../../registry/legacy/answers.js';

const author = () => z.object({ id: z.int(), name: z.string(), avatarUrl: z.string() });

const ELEMENT = answer('LibraryElement', 'A part of dashboards that several of them share.', () => ({
  id: z.int(),
  orgId: z.int(),
  folderId: z.int(),
  folderUid: z.string(),
  uid: z.string(),
  name: z.string(),
  kind: z.int().describe('1 is a panel, and 2 is a variable.'),
  type: z.string(),
  description: z.string(),
  model: anyObject().describe('Its JSON.'),
  version: z.int(),
  meta: z.object({
    folderName: z.string(),
    folderUid: z.string(),
    connectedDashboards: z.int(),
    created: z.string(),
    updated: z.string(),
    createdBy: author(),
    updatedBy: author(),
  }),
}));
export const LIBRARY_ELEMENT = resultOf(ELEMENT);
export const NAMED_ELEMENTS = resultOf(listOf(ELEMENT));
export const ELEMENT_PAGE = resultOf(pageWith('elements', ELEMENT));
export const ELEMENT_DELETED = doneWith(() => ({ id: z.int() }));
export const CONNECTIONS = resultOf(
  listOf(
    answer('Connection', 'A dashboard that uses a library element.', () => ({
      id: z.int(),
      kind: z.int(),
      elementId: z.int(),
      connectionId: z.int(),
      connectionUid: z.string(),
      created: z.string(),
      createdBy: author(),
    })),
  ),
);
