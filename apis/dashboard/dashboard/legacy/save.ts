import { z } from 'zod';
import { ulidGenerator } from '../../../../pkg/kube/meta/ulid.js';
import { notFound } from '../../../../pkg/kube/status/errors.js';
import type { TransactionObjects } from '../../../../registry/client/objects.js';
import { withAnnotation } from '../../../../registry/kinds/with-annotation.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { accessDenied, LegacyError, plainFailure } from '../../../../registry/legacy/errors.js';
import { nameOf } from '../../../../registry/read/reader.js';
import { folderAnnotation } from '../../../folder/folder/schema.js';
import { ROOT } from '../../../folder/placement.js';
import { searched } from '../../../folder/titles.js';
import { DEFAULT_GRANT, GRANT } from '../../../iam/creator.js';
import { BY_TITLE, type DashboardSpec, MESSAGE } from '../schema.js';
import type { Dashboard } from './dto.js';
import { createElements, type SentElements } from './elements.js';
import { VERSION_MISMATCH } from './errors.js';

const newUid = ulidGenerator();

/** Old exports have numbers as texts. Other texts count as absent. */
const Numeric = z
  .preprocess(
    (value) => (typeof value !== 'string' ? value : /^-?[0-9]{1,15}$/.test(value) ? Number(value) : null),
    z.int().nullish(),
  )
  .optional();

/** The dashboard in a body. Members of clients that the server does not use are kept. */
export const SentDashboard = z.looseObject({
  id: Numeric,
  uid: z.string().nullish(),
  version: Numeric,
});
export type SentDashboard = z.infer<typeof SentDashboard>;

/** Where and how a dashboard is saved. Older clients name the folder by its integer id. */
export const SAVE_OPTIONS = {
  folderUid: z.string().nullish(),
  folderId: z.int().nullish(),
  overwrite: z
    .boolean()
    .nullish()
    .describe('Whether the dashboard is replaced although its version may be another one.'),
};

export const SaveBody = z.object({
  ...SAVE_OPTIONS,
  dashboard: SentDashboard,
  message: z.string().max(5000).nullish(),
  isFolder: z.boolean().nullish(),
  /** What an answer has beside the dashboard. */
  meta: z.unknown().optional(),
});

export interface Save {
  readonly dashboard: SentDashboard;
  /** Library elements to create with the dashboard. */
  readonly elements?: SentElements;
  /** The uid of the folder; empty for the root. */
  readonly folder: string;
  readonly message?: string | null | undefined;
  readonly overwrite: boolean;
}

/** Throws 403 for callers who may save dashboards nowhere. Others are told that they may not save this one here. */
export function requireWriter(call: LegacyCall): void {
  const dashboards = call.objects('dashboard/Dashboard');
  if (!dashboards.may('dashboards:write')) throw accessDenied(['dashboards:create', 'dashboards:write']);
}

/** Does what the body of `POST /api/dashboards/db` says. */
export async function saveBody(call: LegacyCall): Promise<Dashboard> {
  const sent = saveOf(call);
  const saved = await save(call, sent);
  call.numberBeside('field "dashboard.id"', sent.dashboard.id, 'dashboard/Dashboard', saved.metadata.name);
  return saved;
}

function saveOf(call: LegacyCall): Save {
  const { dashboard, message, overwrite, isFolder, meta, ...named } = call.body(SaveBody);
  const place = named.folderUid == null && named.folderId == null ? placeIn(call, meta) : named;
  if (isFolder === true) throw plainFailure(400, 'Use folders endpoint for saving folders.');
  return { dashboard, message, overwrite: overwrite === true, folder: folderIn(call, place) };
}

/**
 * A client that sends what it has read does not mean to move the dashboard. Exports of other servers name folders that
 * are not here.
 */
function placeIn(call: LegacyCall, meta: unknown): { readonly folderUid?: string } {
  const folderUid = (meta as { readonly folderUid?: unknown } | null | undefined)?.folderUid;
  if (typeof folderUid !== 'string' || ['', ROOT].includes(folderUid)) return {};
  if (call.objects('folder/Folder').find(folderUid) !== undefined) return { folderUid };
  call.warn(['ignored field "meta.folderUid": there is no such folder']);
  return {};
}

/** The folder of a body: by uid, otherwise by number. Clients leave out both for the root, and some send both. */
export function folderIn(
  call: LegacyCall,
  { folderUid, folderId }: { readonly folderUid?: string | null | undefined; folderId?: number | null | undefined },
): string {
  if (folderUid) {
    call.numberBeside('field "folderId"', folderId, 'folder/Folder', folderUid);
    return folderUid === ROOT ? '' : folderUid;
  }
  if (!folderId) return '';
  const folder = call.objects('folder/Folder').findById(folderId);
  if (folder === undefined) throw plainFailure(400, 'folder not found');
  return folder.metadata.name;
}

/** Creates the dashboard, or replaces the one that the body is about. */
export async function save(call: LegacyCall, sent: Save): Promise<Dashboard> {
  if (sent.dashboard.uid) await call.objects('dashboard/Dashboard').parseAhead(sent.dashboard.uid);
  const name = sent.dashboard.uid || newUid();
  const { domain } = call.kind('dashboard/Dashboard');
  // The schema of the kind checks it before it is stored.
  const spec = sent.dashboard as unknown as DashboardSpec;
  const placed = (dashboard: Dashboard): Dashboard => {
    const inFolder = withAnnotation(dashboard, folderAnnotation(domain), sent.folder || undefined);
    return withAnnotation(inFolder, `${domain}/${MESSAGE}`, sent.message || undefined);
  };
  // At the root, the creator becomes its administrator.
  const granting = (made: Dashboard): Dashboard => withAnnotation(made, `${domain}/${GRANT}`, DEFAULT_GRANT);
  return call.transactInSteps(function* (transaction) {
    const dashboards = transaction.objects<DashboardSpec>('dashboard/Dashboard');
    const old = replacedBy(dashboards, sent);
    const saved =
      old === undefined
        ? yield* dashboards.createSteps({
            metadata: granting(placed({ metadata: { name } } as Dashboard)).metadata,
            spec,
          })
        : yield* dashboards.updateSteps(old, (stored) => {
            checkVersion(stored, sent);
            return placed({ ...stored, spec });
          });
    yield* createElements(transaction, sent.elements, sent.folder);
    return saved;
  });
}

/**
 * The name of the stored dashboard that a save is about: by uid, otherwise by number. Backup tools send the numbers of
 * another server beside the uid, so a number counts only without a uid. With `overwrite`, a new dashboard replaces the
 * one of the same title in the folder.
 */
function replacedBy(dashboards: TransactionObjects<DashboardSpec>, sent: Save): string | undefined {
  const { uid, id } = sent.dashboard;
  if (uid) return dashboards.entry(uid) === undefined ? titledAlike(dashboards, sent) : uid;
  if (!id) return titledAlike(dashboards, sent);
  const [found] = dashboards.entriesById(id);
  if (found === undefined) throw notFound(dashboards.kind, String(id));
  return nameOf(found);
}

function titledAlike(dashboards: TransactionObjects<DashboardSpec>, sent: Save): string | undefined {
  const title = sent.dashboard['title'];
  if (!sent.overwrite || typeof title !== 'string') return undefined;
  const prefix = [dashboards.namespace, searched(title.trim()), sent.folder];
  const [found] = dashboards.entries({ index: BY_TITLE, prefix });
  return found && nameOf(found);
}

/** The version is the generation that the caller has read. Without `overwrite` it must be the current one. */
function checkVersion({ metadata }: Dashboard, { dashboard, overwrite }: Save): void {
  if (overwrite || dashboard.version === metadata.generation) return;
  throw new LegacyError(412, VERSION_MISMATCH);
}
