import { z } from 'zod';
import { answer, anyObject, doneWith, pageWith, resultOf } from '../../../../registry/legacy/answers.js';

const ENTRY = answer('QueryHistoryEntry', 'Queries that somebody ran.', () => ({
  uid: z.string(),
  createdBy: z.int(),
  createdAt: z.int().describe('Seconds since 1970.'),
  datasourceUid: z.string(),
  queries: z.array(anyObject()),
  comment: z.string(),
  starred: z.boolean(),
}));
export const HISTORY_ENTRY = resultOf(ENTRY);
export const HISTORY_PAGE = resultOf(pageWith('queryHistory', ENTRY));
export const HISTORY_DELETED = doneWith(() => ({ id: z.int() }));
