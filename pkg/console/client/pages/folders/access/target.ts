import { objectPath, type Resource } from '../../../lib/discovery.js';
import type { KubeObject } from '../../../lib/object.js';
import { resourceFor } from '../model/kinds.js';

/** What has access of its own: a folder, or a dashboard. */
export interface Target {
  readonly resource: Resource;
  readonly word: 'folder' | 'dashboard';
  /** The path of the object in the resource API. */
  readonly path: string;
  /** Its path in the legacy API. */
  readonly legacyPath: string;
  /** The name that the server gives bindings on it begins with this. */
  readonly bindingPrefix: string;
}

/** The object must have its kind. */
export function targetOf({ kind, metadata: { namespace, name } }: KubeObject): Target {
  const isDashboard = kind === 'Dashboard';
  const plural = isDashboard ? 'dashboards' : 'folders';
  const resource = resourceFor(plural);
  if (resource === undefined) throw new Error(`The server does not serve ${plural}.`);
  return {
    resource,
    word: isDashboard ? 'dashboard' : 'folder',
    path: objectPath(resource, namespace, name),
    legacyPath: `/api/${isDashboard ? 'dashboards/uid' : 'folders'}/${encodeURIComponent(name)}`,
    bindingPrefix: isDashboard ? `dashboard.${name}` : name,
  };
}
