import { inputsOf } from '../../../../../dashboards/inputs.js';
import { jsonText } from '../../../../../dashboards/json-text.js';
import { uidOf } from '../../../../../dashboards/model.js';
import { callIn } from '../../../lib/organization.js';
import { find, type Hit } from '../model/find.js';
import { type Candidate, hasUid, type Planned } from './candidates.js';

/** The dashboards with these uids that the caller may view, by uid. */
export async function existingOf(
  namespace: string,
  candidates: readonly Candidate[],
  onto: string | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Hit>> {
  const uids = candidates.flatMap(({ dashboard }) => (hasUid(dashboard) ? uidOf(dashboard) : []));
  const names = [...new Set([...uids, ...(onto === undefined ? [] : [onto])])];
  if (names.length === 0) return new Map();
  const query = { type: 'dashboard', name: names.join(','), limit: names.length } as const;
  const { hits } = await find(namespace, query, signal);
  return new Map(hits.map((hit) => [hit.name, hit]));
}

export interface Imported {
  readonly uid: string;
  readonly title: string;
}

/** Imports one dashboard with its library elements, all or nothing. Returns also the warnings of the server. */
export async function importOne(
  namespace: string,
  { dashboard, overwrite, folder }: Planned,
  values: ReadonlyMap<string, string>,
): Promise<Imported & { readonly warnings: readonly string[] }> {
  const inputs = inputsOf(dashboard).map(({ name, type, pluginId, value }) => ({
    name,
    type,
    pluginId,
    value: values.get(name) ?? value,
  }));
  const body = jsonText({ dashboard, folderUid: folder, overwrite, inputs });
  const answer = await callIn<Imported>(namespace, 'POST', '/api/dashboards/import', { body });
  return { ...answer.body, warnings: answer.warnings };
}
