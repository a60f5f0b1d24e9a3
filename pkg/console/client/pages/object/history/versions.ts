import { call, get } from '../../../lib/api.js';
import { domain, objectPath, ownKey, type Resource } from '../../../lib/discovery.js';
import type { KubeObject } from '../../../lib/object.js';

/** The parts of the path of an object. */
export interface Place {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

export interface Version {
  readonly version: number;
  readonly author: string;
  readonly time: string;
  readonly message?: string;
  readonly isCurrent: boolean;
  readonly deleted?: { readonly by: string; readonly at: string };
  readonly object?: KubeObject;
}

export interface Versions {
  readonly versions: readonly Version[];
  readonly continue?: string;
}

const pathOf = ({ resource, namespace, name }: Place, subresource: string): string =>
  `${objectPath(resource, namespace, name)}/${subresource}`;

/** A page of the versions, the newest first. */
export function versionsOf(place: Place, token?: string, signal?: AbortSignal): Promise<Versions> {
  return get<Versions>(pathOf(place, 'history'), { limit: 50, continue: token }, signal);
}

/** The whole object in one version. */
export async function objectIn(place: Place, version: number, signal?: AbortSignal): Promise<KubeObject> {
  const { versions } = await get<Versions>(pathOf(place, 'history'), { version }, signal);
  const [found] = versions;
  if (found?.object === undefined) throw new Error(`There is no version ${version} any more.`);
  return found.object;
}

/** The object as it is after the restore of a version: its content, and the rest as it is now. */
export function afterRestore(now: KubeObject, then: KubeObject, formerPlace: boolean): KubeObject {
  if (!formerPlace) return { ...then, metadata: now.metadata };
  const { [ownKey('folder')]: _, ...others } = now.metadata.annotations ?? {};
  const folder = folderOf(then);
  const annotations = folder === '' ? others : { ...others, [ownKey('folder')]: folder };
  return { ...then, metadata: { ...now.metadata, annotations } };
}

/** The folder that an object lies in. Empty at the root. */
export function folderOf({ metadata }: KubeObject): string {
  return metadata.annotations?.[ownKey('folder')] ?? '';
}

/** What a restore has done, or would do. */
export interface Restored {
  readonly version: number;
  readonly objects: number;
  readonly restored: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly title?: string;
  }[];
  /** What does not come back, and why. */
  readonly leftOut: readonly string[];
}

export interface RestoreOptions {
  /** Absent for a deleted object. */
  readonly version?: number | undefined;
  readonly isDryRun?: boolean;
  /** Move the object back to the folder that it was in. */
  readonly formerPlace?: boolean;
  /** Bring a deleted object back into this folder. Empty: to the root. */
  readonly folder?: string | undefined;
  /** The restore is refused if the object has another version. */
  readonly resourceVersion?: string | undefined;
}

/** Brings back a version, or a deleted object with what was deleted with it. */
export async function restore(
  place: Place,
  { version, isDryRun = false, formerPlace = false, folder, resourceVersion }: RestoreOptions,
): Promise<Restored> {
  const body = {
    apiVersion: `history.${domain.value}/v1beta1`,
    kind: 'Restore',
    ...(resourceVersion !== undefined && { metadata: { name: place.name, resourceVersion } }),
    spec: {
      ...(version !== undefined && { version }),
      ...(formerPlace && { formerPlace }),
      ...(folder !== undefined && { folder }),
    },
  };
  const query = isDryRun ? { dryRun: 'All' } : {};
  const answer = await call<{ readonly status: Restored }>('POST', pathOf(place, 'restore'), { body, query });
  return answer.body.status;
}
