import type { Body } from '../harness/body.js';
import { bodyOf, FOLDERS, type Resource, resourceOf } from '../harness/resource.js';
import type { Server } from '../harness/server.js';

export const PARENT = 'svc.app/folder';

export interface FolderOptions {
  readonly parent?: string;
  readonly title?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

/** A whole folder, as Kubernetes clients send it. */
export function folder(name: string, { parent, title = name, labels, finalizers }: FolderOptions = {}): unknown {
  return {
    apiVersion: FOLDERS.apiVersion,
    kind: 'Folder',
    metadata: {
      name,
      ...(parent === undefined ? {} : { annotations: { [PARENT]: parent } }),
      ...(labels && { labels }),
      ...(finalizers && { finalizers }),
    },
    spec: { title },
  };
}

export interface Folders extends Resource {
  /** Creates a folder, and expects 201. */
  make(name: string, options?: FolderOptions): Promise<Body>;
  /** Moves the folder below another one by a patch. */
  move(name: string, parent: string | null): ReturnType<Resource['merge']>;
  read(name: string): Promise<Body>;
  /** The revision of the newest list. */
  revision(): Promise<string>;
}

export function foldersOf(server: () => Server): Folders {
  const resource = resourceOf(server, FOLDERS);
  return {
    ...resource,
    make: async (name, options) => bodyOf(await resource.create(folder(name, options)), 201),
    move: (name, parent) => resource.merge(name, { metadata: { annotations: { [PARENT]: parent } } }),
    read: async (name) => bodyOf(await resource.get(name), 200),
    revision: async () => bodyOf(await resource.list({ query: { limit: 1 } }), 200).metadata.resourceVersion ?? '',
  };
}

export function parentOf(body: Body): string | undefined {
  return body.metadata.annotations?.[PARENT];
}

export function namesOf(list: Body): readonly string[] {
  return list.items.map(({ metadata }) => metadata.name);
}
