import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { accepted, bodyOf, FOLDERS, type Resource, type ResourceKind, resourceOf } from '../harness/resource.js';
import type { CallOptions, Server } from '../harness/server.js';

export const DASHBOARDS: ResourceKind = {
  apiVersion: 'dashboard.svc.app/v1beta1',
  resource: 'dashboards',
  scope: 'Namespaced',
};
const ROLE_BINDINGS: ResourceKind = {
  apiVersion: 'iam.svc.app/v1beta1',
  resource: 'rolebindings',
  scope: 'Namespaced',
};

export const FOLDER = 'svc.app/folder';
export const MESSAGE = 'svc.app/message';
export const TRASH = { labelSelector: 'svc.app/get-trash=true' };

type Options = Omit<CallOptions, 'body'>;

/** A version as the subresource `history` describes it. */
export interface Version {
  readonly version: number;
  readonly author: string;
  readonly message?: string;
  readonly isCurrent: boolean;
  readonly deleted?: { readonly by: string; readonly at: string };
  readonly object?: Body;
}

/** Folders, dashboards and role bindings of a server, and their past. */
export interface World {
  readonly folders: Resource;
  readonly dashboards: Resource;
  readonly bindings: Resource;
  folder(name: string, parent?: string, more?: object): Promise<Body>;
  dashboard(name: string, folder?: string, spec?: object): Promise<Body>;
  /** Gives Viewers the permission View on a folder. */
  binding(name: string, folder: string): Promise<Body>;
  versions(resource: Resource, name: string, options?: Options): Promise<readonly Version[]>;
  restore(resource: Resource, name: string, version?: number, options?: Options): Promise<Answer>;
  /** Brings it back to the folder that it was in. */
  restoreThere(resource: Resource, name: string, version?: number, options?: Options): Promise<Answer>;
}

export function worldOf(server: () => Server): World {
  const [folders, dashboards, bindings] = [FOLDERS, DASHBOARDS, ROLE_BINDINGS].map((kind) =>
    resourceOf(server, kind),
  ) as [Resource, Resource, Resource];
  const create = async (resource: Resource, body: object): Promise<Body> => bodyOf(await resource.create(body), 201);
  return {
    folders,
    dashboards,
    bindings,
    folder: (name, parent, more = {}) => create(folders, { ...folderObject(name, parent), ...more }),
    dashboard: (name, folder, spec = {}) => create(dashboards, dashboardObject(name, folder, spec)),
    binding: (name, folder) => create(bindings, bindingObject(name, folder)),
    versions: async (resource, name, options = {}) => {
      const { versions } = bodyOf(await resource.subresource('history').get(name, options), 200) as unknown as History;
      return versions;
    },
    restoreThere: (resource, name, version, options) =>
      resource
        .subresource('restore')
        .post(name, { spec: { formerPlace: true, ...(version !== undefined && { version }) } }, options),
    restore: (resource, name, version, options) =>
      resource.subresource('restore').post(name, { spec: version === undefined ? {} : { version } }, options),
  };
}

interface History {
  readonly versions: readonly Version[];
}

function placed(name: string, folder: string | undefined): object {
  return { name, ...(folder !== undefined && { annotations: { [FOLDER]: folder } }) };
}

export function folderObject(name: string, parent?: string): object {
  return {
    apiVersion: FOLDERS.apiVersion,
    kind: 'Folder',
    metadata: placed(name, parent),
    spec: { title: name },
  };
}

export function dashboardObject(name: string, folder?: string, spec: object = {}): object {
  return {
    apiVersion: DASHBOARDS.apiVersion,
    kind: 'Dashboard',
    metadata: placed(name, folder),
    spec: { title: name, ...spec },
  };
}

function bindingObject(name: string, folder: string): object {
  return {
    apiVersion: ROLE_BINDINGS.apiVersion,
    kind: 'RoleBinding',
    metadata: { name },
    spec: {
      subject: { kind: 'BasicRole', name: 'Viewer' },
      roleRef: { kind: 'BuiltIn', name: 'View' },
      scope: { folder },
    },
  };
}

/** Changes the title, with a message if one is given. */
export async function retitle(resource: Resource, name: string, title: string, message?: string): Promise<Body> {
  const metadata = message === undefined ? {} : { metadata: { annotations: { [MESSAGE]: message } } };
  return bodyOf(await resource.merge(name, { ...metadata, spec: { title } }), 200);
}

export async function removed(resource: Resource, name: string, options?: Options): Promise<Answer> {
  return accepted(await resource.remove(name, options), 200);
}
