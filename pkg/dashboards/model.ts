/** The JSON of a dashboard, as user interfaces save and export it. */
export type DashboardModel = Readonly<Record<string, unknown>> & { readonly title: string };

/** A dashboard in a file, and the folder that the file names. */
export interface SavedDashboard {
  readonly dashboard: DashboardModel;
  readonly folder?: string;
}

/**
 * The dashboards in the value of a file: one, or a list of them. Each is the dashboard itself, what
 * `GET /api/dashboards/uid/:uid` answers, or an object of the resource API, in whose spec the dashboard is. `undefined`
 * stands for an element that is no dashboard.
 */
export function dashboardsIn(value: unknown): readonly (SavedDashboard | undefined)[] {
  return elementsOf(value).map(savedIn);
}

/** `kubectl get -o json` prints an object that has a list. */
function elementsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const [kind, items] = [member(value, 'kind'), member(value, 'items')];
  return (kind === 'List' || kind === 'DashboardList') && Array.isArray(items) ? items : [value];
}

function savedIn(value: unknown): SavedDashboard | undefined {
  const answer = modelOf(member(value, 'dashboard'));
  const folder = member(member(value, 'meta'), 'folderUid');
  if (answer !== undefined)
    return { dashboard: answer, ...(typeof folder === 'string' && folder !== '' && { folder }) };
  if (member(value, 'kind') === 'Dashboard' && member(value, 'spec') !== undefined) return objectIn(value);
  const dashboard = modelOf(value);
  return dashboard && { dashboard };
}

/** The name of an object is the uid. Its folder is an annotation, whose domain is that of its server. */
function objectIn(value: unknown): SavedDashboard | undefined {
  const metadata = member(value, 'metadata');
  const name = member(metadata, 'name');
  const dashboard = modelOf({ ...(member(value, 'spec') as object), ...(name !== undefined && { uid: name }) });
  const annotations = Object.entries((member(metadata, 'annotations') ?? {}) as object);
  const [, folder] = annotations.find(([key]) => key.endsWith('/folder')) ?? [];
  return dashboard && { dashboard, ...(typeof folder === 'string' && folder !== '' && { folder }) };
}

/** A value that has a title, and a uid that is a text if there is one. */
function modelOf(value: unknown): DashboardModel | undefined {
  const [title, uid] = [member(value, 'title'), member(value, 'uid')];
  if (typeof title !== 'string' || title.trim() === '') return undefined;
  if (uid !== undefined && uid !== null && typeof uid !== 'string') return undefined;
  return { ...(value as DashboardModel), title: title.trim() };
}

/** The uid of a dashboard. Empty if it has none. */
export function uidOf({ uid }: DashboardModel): string {
  return typeof uid === 'string' ? uid : '';
}

/** What is stored of a dashboard: it has no members that repeat its metadata. */
export function contentOf({ id: _, uid: __, version: ___, ...content }: DashboardModel): DashboardModel {
  return content as DashboardModel;
}

/** A member of a value of any form. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
