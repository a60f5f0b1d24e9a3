import { useLoad } from '../../../lib/load.js';
import { getIn } from '../../../lib/organization.js';
import { mayEverywhere } from '../../../lib/rules.js';
import { may, type Permission } from '../../../lib/session.js';
import { useDesk } from './desk.js';
import { folders, ROOT, resourceFor } from './kinds.js';

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

/** Why the caller may not make a folder or a dashboard in a folder, or at the root if `folder` is empty. */
export function useCreateRefusal(folder: string, kind: 'folders' | 'dashboards' = 'folders'): string | undefined {
  const { namespace } = useDesk();
  const { state } = useLoad(() => whyNotCreate(namespace, folder, kind), [namespace, folder, kind]);
  return state.value.value;
}

/** A review of access names no folder to create something in, so the folder says what is allowed in it. */
export async function whyNotCreate(
  namespace: string,
  folder: string,
  kind: 'folders' | 'dashboards',
): Promise<string | undefined> {
  const anywhere = why(await may({ verb: 'create', resource: resourceFor(kind) ?? folders(), namespace }));
  if (anywhere !== undefined) return anywhere;
  if (folder === '') return whyNotAtRoot(namespace, kind);
  const path = `/api/folders/${encodeURIComponent(folder)}`;
  type Answer = { readonly accessControl?: Readonly<Record<string, boolean>> };
  const { accessControl } = await getIn<Answer>(namespace, path, { accesscontrol: true });
  if (accessControl === undefined || accessControl[`${kind}:create`] === true) return undefined;
  return `You may not create ${kind} in this folder. Ask who administers it.`;
}

/**
 * Why the caller may not create something at the root, which is no object that says what is allowed in it. Who may do
 * so has the right for the whole organization, or for the root by its name.
 */
async function whyNotAtRoot(namespace: string, kind: 'folders' | 'dashboards'): Promise<string | undefined> {
  const isAllowed =
    (await mayEverywhere('create', resourceFor(kind) ?? folders(), namespace)) ||
    (await may({ verb: 'update', resource: folders(), namespace, name: ROOT })).allowed;
  return isAllowed ? undefined : `You may not create ${kind} here, but in some folders. Open one of them.`;
}

/** Why the caller may not do something with a folder or a dashboard; `create` is about what is to lie in a folder. */
export async function whyNot(
  namespace: string,
  name: string,
  verb: FolderVerb,
  kind: 'folders' | 'dashboards',
): Promise<string | undefined> {
  if (verb === 'create') return whyNotCreate(namespace, name, 'folders');
  return why(await may({ verb, resource: resourceFor(kind) ?? folders(), namespace, name }));
}
