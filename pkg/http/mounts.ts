import type { ErrorRenderer } from './errors.js';

/** A path, and everything below it, that belongs to one API. It is known before the caller of a request is known. */
export interface Mount {
  /** `/apis` covers itself and all below it, except what a longer prefix (`/apis/health`) covers. */
  readonly prefix: string;
  /** Served to anyone, without looking at credentials. */
  readonly isPublic?: boolean;
  /**
   * The resource API. The commits of its writes check the credential of the caller again. Its reads name the version
   * that they accept.
   */
  readonly isResourceApi?: boolean;
  /**
   * Answers about this server alone. Operators need them while the store does not answer, so nothing waits for the
   * store.
   */
  readonly isAboutServer?: boolean;
  /** The maximum size of a request body if it is less than `limits.body_bytes`. 0: bodies are not read. */
  readonly bodyBytes?: number;
  /** The maximum size in place of `limits.body_bytes`, for a route that takes many objects at once. */
  readonly bulkBytes?: number;
  /** How this API words failures; by default as a Kubernetes Status. */
  readonly renderError?: ErrorRenderer;
  /** Not in the list of paths, because there is no document at the path itself. */
  readonly isUnlisted?: boolean;
  /** Chooses the mount of each path where two APIs share a prefix. */
  readonly select?: MountOf;
}

export type MountOf = (path: string) => Mount | undefined;

/** Throws for prefixes that are no paths, and for two of the same prefix. */
export function mountTable(mounts: readonly Mount[]): MountOf {
  const table = new Map<string, Mount>();
  for (const mount of mounts) {
    if (!/^(\/|(\/[^/]+)+)$/.test(mount.prefix))
      throw new Error(`Mount ${mount.prefix} must be a path without a slash at its end.`);
    if (table.has(mount.prefix)) throw new Error(`There are two mounts ${mount.prefix}.`);
    table.set(mount.prefix, mount);
  }
  const deepest = Math.max(0, ...mounts.map(({ prefix }) => prefix.split('/').length - 1));
  return (path) => {
    let found: Mount | undefined;
    for (let depth = 1, end = 0; depth <= deepest && end !== -1; depth++) {
      end = path.indexOf('/', end + 1);
      found = table.get(end === -1 ? path : path.slice(0, end)) ?? found;
    }
    return found?.select === undefined ? found : found.select(path);
  };
}
