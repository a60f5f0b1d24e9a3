import { z } from 'zod';
import { lazy } from '../../pkg/system/object/lazy.js';
import { answer, anyObject, listOf } from '../../registry/legacy/answers.js';

export const HEALTH = answer('Health', 'Whether the store can be reached.', () => ({
  database: z.string().describe('`ok`'),
  version: z.string().describe('The release whose API this server follows, and not its own version.'),
  commit: z.string(),
}));
export const FRONTEND_SETTINGS = answer('FrontendSettings', 'What user interfaces need at their start.', () => ({
  buildInfo: z.object({ version: z.string(), commit: z.string(), edition: z.string() }),
  datasources: anyObject(),
  featureToggles: z.record(z.string(), z.boolean()),
  unifiedAlertingEnabled: z.boolean(),
  queryHistoryEnabled: z.boolean(),
  namespace: z.string().describe('The namespace of the organization in the resource API.'),
}));
export const BOOT_DATA = answer('BootData', 'What command line tools need at their start.', () => ({
  settings: FRONTEND_SETTINGS(),
  user: z.record(z.string(), z.string()),
}));
export const FOUND = listOf(
  answer('SearchResult', 'A folder or a dashboard that a search has found.', () => ({
    id: z.int(),
    uid: z.string(),
    orgId: z.int(),
    title: z.string(),
    uri: z.string(),
    url: z.string(),
    slug: z.string(),
    type: z.string().describe('`dash-folder` or `dash-db`'),
    tags: z.array(z.string()),
    isStarred: z.boolean(),
    isDeleted: z.boolean().optional(),
    permanentlyDeleteDate: z.string().optional(),
    sortMeta: z.int(),
    folderId: z.int().optional(),
    folderUid: z.string().optional(),
    folderTitle: z.string().optional(),
    folderUrl: z.string().optional(),
  })),
);
export const SETTINGS = lazy(() => z.record(z.string(), z.record(z.string(), z.string())));
export const AUDIT_EVENTS = answer(
  'AuditEvents',
  'The newest events, in the form of Kubernetes (audit.k8s.io/v1).',
  () => ({
    events: z.array(anyObject()),
  }),
);
export const STATISTICS = lazy(() => z.record(z.string(), z.int()));
export const FOUND_PAGE = answer('SearchPage', 'What a search has found, by the names of the resource API.', () => ({
  kind: z.string(),
  apiVersion: z.string(),
  offset: z.int(),
  totalHits: z.int().describe('The number of hits on all pages.'),
  hits: z.array(
    z.object({
      resource: z.string().describe('`folders` or `dashboards`'),
      name: z.string(),
      title: z.string(),
      tags: z.array(z.string()).optional(),
      folder: z.string().optional().describe('The folder that it lies in. Absent at the root.'),
      private: z.boolean().optional().describe('Whether what Viewers and Editors have on the folders above ends here.'),
      inPrivate: z.boolean().optional().describe('Whether a folder above it is private.'),
      updated: z.string().optional().describe('With `details`: when it was changed last.'),
      updatedBy: z.object({ login: z.string(), name: z.string() }).optional().describe('With `details`.'),
      contents: z
        .record(z.string(), z.int())
        .optional()
        .describe('With `details`: how many objects of each kind lie directly in the folder.'),
    }),
  ),
  facets: z
    .record(
      z.string(),
      z.object({
        field: z.string(),
        total: z.int().describe('The number of different terms.'),
        terms: z.array(z.object({ term: z.string(), count: z.int() })).describe('The most frequent first.'),
      }),
    )
    .optional()
    .describe('By the names of the facets that were asked for.'),
}));
