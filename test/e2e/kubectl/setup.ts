import type { TestServer } from '../harness.js';
import type { Kubectl } from '../kubectl-client.js';

/** The server and the kubectl that all parts of the suite share. They exist only while tests run. */
export interface Setup {
  readonly server: TestServer;
  readonly kubectl: Kubectl;
}

export interface Folder {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation: number;
    readonly creationTimestamp: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly object[];
    readonly deletionTimestamp?: string;
  };
  readonly spec: { readonly title: string; readonly description?: string };
}

export interface FolderList {
  readonly items: readonly Folder[];
}

export const FOLDERS_PATH = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

export interface FolderOptions {
  readonly title?: string;
  readonly parent?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The manifest of a folder, as JSON for `-f -`. */
export function manifest(name: string, { title = name, parent, labels, spec, metadata }: FolderOptions = {}): string {
  return JSON.stringify({
    apiVersion: 'folder.svc.app/v1beta1',
    kind: 'Folder',
    metadata: {
      ...(name === '' ? {} : { name }),
      ...(labels === undefined ? {} : { labels }),
      ...(parent === undefined ? {} : { annotations: { 'svc.app/folder': parent } }),
      ...metadata,
    },
    spec: { title, ...spec },
  });
}

export async function create({ kubectl }: Setup, name: string, options: FolderOptions = {}): Promise<void> {
  await kubectl.ok(['create', '-f', '-'], { input: manifest(name, options) });
}

export function read({ kubectl }: Setup, name: string): Promise<Folder> {
  return kubectl.json<Folder>(['get', 'folder', name]);
}

export async function namesOf({ kubectl }: Setup, ...args: readonly string[]): Promise<readonly string[]> {
  const list = await kubectl.json<FolderList>(['get', 'folders', ...args]);
  return list.items.map(({ metadata }) => metadata.name);
}

/** The cells of a table of kubectl, line by line. */
export function cells(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s{2,}/));
}
