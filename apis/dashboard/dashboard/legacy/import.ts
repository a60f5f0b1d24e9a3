import { z } from 'zod';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { folderOf } from '../../../folder/placement.js';
import { slug } from '../../../iam/legacy/formats.js';
import { type Dashboard, dashboardUrl, titleOf } from './dto.js';
import { SentElements } from './elements.js';
import { filledIn, Inputs } from './inputs.js';
import { folderIn, SAVE_OPTIONS, type Save, SentDashboard } from './save.js';

/** The most unused inputs that warnings name. */
const MOST_NAMED = 10;

export const ImportBody = z.object({
  ...SAVE_OPTIONS,
  dashboard: SentDashboard.extend({ __elements: SentElements }),
  inputs: Inputs.nullish(),
});

/** The body of `POST /api/dashboards/import`. The id in it is that of another server. */
export function importOf(call: LegacyCall): Save {
  const { dashboard, inputs, overwrite, ...place } = call.body(ImportBody);
  const { dashboard: whole, unused } = filledIn(dashboard, inputs ?? []);
  call.warn(unused.slice(0, MOST_NAMED).map((name) => `ignored input ${JSON.stringify(name)}: the dashboard has none`));
  const { id: _, __elements: elements, ...filled } = whole;
  return {
    dashboard: filled as SentDashboard,
    elements: elements as SentElements,
    overwrite: overwrite === true,
    folder: folderIn(call, place),
  };
}

export function importedDto(call: LegacyCall, dashboard: Dashboard): unknown {
  const dashboards = call.objects('dashboard/Dashboard');
  const folderUid = folderOf(dashboard, dashboards.kind.domain) ?? '';
  const folder = folderUid === '' ? undefined : call.objects('folder/Folder').find(folderUid);
  return {
    uid: dashboard.metadata.name,
    pluginId: '',
    title: titleOf(dashboard),
    imported: true,
    importedUri: `db/${slug(titleOf(dashboard))}`,
    importedUrl: dashboardUrl(dashboard),
    slug: slug(titleOf(dashboard)),
    dashboardId: dashboards.idOf(dashboard),
    folderId: folder === undefined ? 0 : call.objects('folder/Folder').idOf(folder),
    folderUid,
    importedRevision: dashboard.metadata.generation,
    revision: dashboard.metadata.generation,
    description: '',
    path: '',
    removed: false,
  };
}
