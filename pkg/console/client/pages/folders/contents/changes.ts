import { useEffect } from 'preact/hooks';
import { get } from '../../../lib/api.js';
import { pathOf } from '../../../lib/discovery.js';
import { keepFollowing } from '../../../lib/live.js';
import type { KubeList, KubeObject } from '../../../lib/object.js';
import { events } from '../../../lib/stream.js';
import { resourceFor } from '../model/kinds.js';

/** Dashboards may have megabytes, and only where they lie is of interest. */
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
/** Milliseconds in which changes are gathered. */
const GATHER = 300;

/** Tells, while a component is shown, that a dashboard has changed that concerns it. */
export function useDashboardChanges(
  namespace: string,
  concerns: (dashboard: KubeObject<unknown>) => boolean,
  changed: () => void,
  keys: readonly unknown[],
): void {
  useEffect(() => {
    const resource = resourceFor('dashboards');
    if (resource === undefined) return;
    const [path, controller] = [pathOf(resource, namespace), new AbortController()];
    const { signal } = controller;
    let [version, isWaiting] = ['', false];
    const tell = (): void => {
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(() => {
        isWaiting = false;
        if (!signal.aborted) changed();
      }, GATHER);
    };
    const begin = async (): Promise<void> => {
      const isAgain = version !== '';
      const { metadata } = await get<KubeList<KubeObject>>(path, { limit: 1 }, signal);
      version = metadata.resourceVersion;
      if (isAgain) tell();
    };
    const watch = async (): Promise<void> => {
      const query = { resourceVersion: version, allowWatchBookmarks: true };
      for await (const { type, object } of events<KubeObject<unknown>>(path, { query, accept: METADATA, signal })) {
        version = object.metadata.resourceVersion ?? version;
        if (type !== 'BOOKMARK' && concerns(object)) tell();
      }
    };
    // What is shown stays as it is where dashboards cannot be followed.
    void keepFollowing(begin, watch, signal, () => undefined);
    return () => controller.abort();
  }, [namespace, ...keys]);
}
