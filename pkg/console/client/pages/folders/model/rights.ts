import { useLoad } from '../../../lib/load.js';
import { may, type Permission } from '../../../lib/session.js';
import { useDesk } from './desk.js';
import { folders, resourceFor } from './kinds.js';

/** What people do with folders. */
export type FolderVerb = 'create' | 'update' | 'delete';

/** Why the caller cannot do something, in the words of the server. Empty for what they can do, and as long as it is not known. */
export type Refusals = Readonly<Partial<Record<FolderVerb, string>>>;

const NOTHING: Refusals = {};

/** Asks what the caller may do with a folder or a dashboard, or without a name, with them at all. */
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
