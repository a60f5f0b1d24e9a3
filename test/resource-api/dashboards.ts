import type { Body } from '../harness/body.js';
import { bodyOf, type Resource, type ResourceKind, resourceOf } from '../harness/resource.js';
import type { Server } from '../harness/server.js';

export const DASHBOARDS: ResourceKind = {
  apiVersion: 'dashboard.svc.app/v1beta1',
  resource: 'dashboards',
  scope: 'Namespaced',
};

/** The annotation that names the folder. */
export const FOLDER = 'svc.app/folder';

export interface DashboardOptions {
  readonly folder?: string;
  readonly finalizers?: readonly string[];
  /** Members of the spec. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A whole dashboard, as Kubernetes clients send it. Its title is its name, if the options have no other one. */
export function dashboard(name: string, { folder, finalizers, spec }: DashboardOptions = {}): unknown {
  return {
    apiVersion: DASHBOARDS.apiVersion,
    kind: 'Dashboard',
    metadata: {
      name,
      ...(folder === undefined ? {} : { annotations: { [FOLDER]: folder } }),
      ...(finalizers && { finalizers }),
    },
    spec: { title: name, ...spec },
  };
}

export interface Dashboards extends Resource {
  /** Creates a dashboard, and expects 201. */
  make(name: string, options?: DashboardOptions): Promise<Body>;
  move(name: string, folder: string | null): ReturnType<Resource['merge']>;
  read(name: string): Promise<Body>;
}

export function dashboardsOf(server: () => Server): Dashboards {
  const resource = resourceOf(server, DASHBOARDS);
  return {
    ...resource,
    make: async (name, options) => bodyOf(await resource.create(dashboard(name, options)), 201),
    move: (name, folder) => resource.merge(name, { metadata: { annotations: { [FOLDER]: folder } } }),
    read: async (name) => bodyOf(await resource.get(name), 200),
  };
}
