import { useLoad } from '../../../lib/load.js';
import { may, type Permission } from '../../../lib/session.js';
import { useDesk } from './desk.js';
import { folders, resourceFor } from './kinds.js';

export type FolderVerb = 'create' | 'update' | 'delete';

/** Why the caller may not do something, for people. Undefined if they may, and while it is unknown. */
export type Refusals = Readonly<Partial<Record<FolderVerb, string>>>;

const NOTHING: Refusals = {};

/** Asks what the caller may do with a folder or a dashboard, or, without a name, with all of them. */
export function useRefusals(
  verbs: readonly FolderVerb[],
  name?: string,
  kind: 'folders' | 'dashboards' = 'folders',
): Refusals {
  const { namespace } = useDesk();
  const resource = resourceFor(kind) ?? folders();
  const { state } = useLoad(async () => {
    const asked = verbs.map(async (verb) => {
      const wish = { verb, resource, namespace, ...(verb !== 'create' && { name }) };
      return [verb, why(await may(wish))] as const;
    });
    return Object.fromEntries(await Promise.all(asked)) as Refusals;
  }, [namespace, kind, name, verbs.join()]);
  return state.value.value ?? NOTHING;
}

function why({ allowed, reason }: Permission): string | undefined {
  return allowed ? undefined : reason || 'You may not do this here.';
}
