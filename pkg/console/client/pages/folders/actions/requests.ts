import { type Answer, ApiError, call, get, wordsOf } from '../../../lib/api.js';
import { objectPath, ownKey, pathOf, type Resource } from '../../../lib/discovery.js';
import type { KubeObject } from '../../../lib/object.js';
import { type FolderSpec, folders, resourceFor } from '../model/kinds.js';
import type { Dragged } from '../tree/drag.js';

const MERGE = 'application/merge-patch+json';

/** An object of a kind that can be moved and deleted here. */
export interface Subject {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

export function subjectOf(namespace: string, { kind, name }: Pick<Dragged, 'kind' | 'name'>): Subject {
  return { resource: resourceFor(kind) ?? folders(), namespace, name };
}

const pathTo = ({ resource, namespace, name }: Subject): string => objectPath(resource, namespace, name);

export function read(subject: Subject, signal?: AbortSignal): Promise<KubeObject<FolderSpec>> {
  return get(pathTo(subject), undefined, signal);
}

/** Creates an empty folder or dashboard. */
export function create(
  kind: Dragged['kind'],
  namespace: string,
  parent: string,
  spec: FolderSpec,
): Promise<Answer<KubeObject<FolderSpec>>> {
  const resource = resourceFor(kind);
  if (resource === undefined) throw new Error(`This server has no ${kind}.`);
  return call('POST', pathOf(resource, namespace), {
    body: {
      apiVersion: `${resource.group}/${resource.version}`,
      kind: resource.kind,
      metadata: { generateName: `${resource.kind.toLowerCase()}-`, annotations: annotationsIn(parent) },
      spec: { ...spec, ...(kind === 'dashboards' && { panels: [] }) },
    },
  });
}

/** Those of a new object in a folder, or at the root. */
function annotationsIn(parent: string): Readonly<Record<string, string>> {
  return { [ownKey('grant-permissions')]: 'default', ...(parent !== '' && { [ownKey('folder')]: parent }) };
}

/** Fields of a folder or a dashboard that are to be changed. Without a value, a field is removed. */
export type Changes = Readonly<Partial<Record<'title' | 'description', string | null>>> & {
  readonly tags?: readonly string[];
};

/**
 * Changes a folder or a dashboard, if it still has this version. Fields that are left out stay. The message says why,
 * in the history.
 */
export function describe(
  subject: Subject,
  resourceVersion: string | undefined,
  spec: Changes,
  message: string,
): Promise<Answer<KubeObject>> {
  const annotations = { [ownKey('message')]: message === '' ? null : message };
  return call('PATCH', pathTo(subject), {
    type: MERGE,
    body: { metadata: { ...(resourceVersion !== undefined && { resourceVersion }), annotations }, spec },
  });
}

interface Trial {
  /** Whether nothing is stored. */
  readonly isTrial: boolean;
  readonly signal?: AbortSignal;
}

/** Moves an object into a folder or to the root, if it still has this version. A trial is a dry run. */
export function move(
  subject: Subject,
  resourceVersion: string | undefined,
  to: string,
  { isTrial, signal }: Trial,
): Promise<Answer<KubeObject>> {
  return call<KubeObject>('PATCH', pathTo(subject), {
    type: MERGE,
    body: {
      metadata: {
        ...(resourceVersion !== undefined && { resourceVersion }),
        annotations: { [ownKey('folder')]: to === '' ? null : to },
      },
    },
    query: { dryRun: isTrial ? 'All' : undefined },
    signal,
  });
}

interface Removal extends Trial {
  readonly withRules: boolean;
  /** The same for deletions that are made at once. */
  readonly operation?: string;
}

/** Deletes an object with all that lies in it. A trial is a dry run. */
export function remove(
  subject: Subject,
  uid: string | undefined,
  { withRules, isTrial, operation, signal }: Removal,
): Promise<Answer<unknown>> {
  return call('DELETE', pathTo(subject), {
    query: { dryRun: isTrial ? 'All' : undefined, forceDeleteRules: withRules ? true : undefined, operation },
    body: { apiVersion: 'v1', kind: 'DeleteOptions', ...(uid !== undefined && { preconditions: { uid } }) },
    signal,
  });
}

/** Why the server would refuse to delete an object without its rules. Rejects if the server did not say. */
export async function refusalOf(subject: Subject, signal: AbortSignal): Promise<string | undefined> {
  try {
    await remove(subject, undefined, { withRules: false, isTrial: true, signal });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.code < 500 && error.code !== 401) return wordsOf(error);
    throw error;
  }
}

interface Restored {
  readonly status: { readonly objects: number; readonly leftOut: readonly string[] };
}

/** Brings back a deleted object with all that was deleted with it. */
export async function restore(subject: Subject): Promise<Restored['status']> {
  const group = subject.resource.group.replace(/^[^.]+/, 'history');
  const { body } = await call<Restored>('POST', `${pathTo(subject)}/restore`, {
    body: { apiVersion: `${group}/v1beta1`, kind: 'Restore', spec: {} },
  });
  return body.status;
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 409;
}
