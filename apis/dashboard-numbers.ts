import type { Kind } from '../registry/kinds/kind.js';
import { resourceName } from '../registry/kinds/names.js';
import { ownedKeys } from '../registry/kinds/owned-keys.js';
import type { Entry, Reader } from '../registry/read/reader.js';

/**
 * The annotation with the integer ids of the dashboards that an object names, without the domain: in the order of the
 * names, separated by commas. No later dashboard of the same name has the same id, and one that comes back from the
 * trash keeps its id. Clients cannot set it.
 */
export const DASHBOARD_IDS = 'dashboard-ids';

/** Reads the ids of the dashboards of a domain. */
export interface DashboardNumbers {
  /** `<plural>.<group>` of dashboards. */
  readonly resource: string;
  /** The annotation. */
  readonly key: string;
  /** The id of the dashboard that has the name now. `undefined` if there is none. */
  idOf(reader: Reader, namespace: string, name: string): string | undefined;
}

export function dashboardNumbers(domain: string): DashboardNumbers {
  const resource = resourceName('dashboard/dashboards', domain);
  const kind = { ownedKeys: ownedKeys(domain) };
  return {
    resource,
    key: `${domain}/${DASHBOARD_IDS}`,
    idOf: (reader, namespace, name) => {
      const entry = reader.entry(resource, namespace, name);
      return entry && String(idIn(entry, kind));
    },
  };
}

/** The id of the dashboard of an entry; 0 if it has none yet, as in a dry run. */
export function idIn({ attributes: { labels = {} } }: Entry, { ownedKeys }: Pick<Kind, 'ownedKeys'>): number {
  return Number(labels[ownedKeys.internalId] ?? 0);
}
