import { jsonText } from '../../../../dashboards/json-text.js';
import type { DashboardModel } from '../../../../dashboards/model.js';
import { type ExportedElement, shared } from '../../../../dashboards/shared.js';
import { ApiError } from '../../lib/api.js';
import type { KubeObject } from '../../lib/object.js';
import { getIn } from '../../lib/organization.js';
import { sectionsOf } from './panels.js';

/** Library elements that are asked for at once. */
const AT_ONCE = 6;

/**
 * The JSON of a dashboard. With `isShared`, it is that for another server: data sources become inputs, and library
 * panels come along.
 */
export async function exportedText(object: KubeObject, isShared: boolean, signal?: AbortSignal): Promise<string> {
  const { metadata, spec } = object;
  const model = { uid: metadata.name, ...spec } as unknown as DashboardModel;
  if (!isShared) return jsonText(model, 2);
  return jsonText(shared(model, await elementsOf(object, signal)), 2);
}

async function elementsOf({ metadata, spec }: KubeObject, signal?: AbortSignal): Promise<readonly ExportedElement[]> {
  const panels = sectionsOf(spec).flatMap((section) => section.panels);
  const uids = [...new Set(panels.flatMap(({ element }) => element?.uid ?? []))];
  const elements: (ExportedElement | undefined)[] = [];
  for (let at = 0; at < uids.length; at += AT_ONCE) {
    const some = uids.slice(at, at + AT_ONCE).map((uid) => elementOf(metadata.namespace ?? '', uid, signal));
    elements.push(...(await Promise.all(some)));
  }
  return elements.filter((element) => element !== undefined);
}

/** Undefined for an element that does not exist, or that the caller may not view. */
async function elementOf(namespace: string, uid: string, signal?: AbortSignal): Promise<ExportedElement | undefined> {
  const path = `/api/library-elements/${encodeURIComponent(uid)}`;
  try {
    const { result } = await getIn<{ readonly result: ExportedElement }>(namespace, path, {}, signal);
    const { name, kind, model } = result;
    return { uid, name, kind, model };
  } catch (error) {
    if (error instanceof ApiError && (error.code === 403 || error.code === 404)) return undefined;
    throw error;
  }
}

/** The name of the file of an export. */
export function fileOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${words.join('-').slice(0, 80) || 'dashboard'}.json`;
}
