import { z } from 'zod';
import { fold } from '../../../pkg/kube/meta/fold.js';
import type { Connection } from '../gitops/connection.js';
import { ownKind, pathOf, type ServedKinds } from '../gitops/kinds.js';

/** How files name a user or a team. */
export interface Named {
  readonly uid: string;
  /** The login of a user, or the title of a team. */
  readonly title: string;
}

/** Who is who on the server. Returns `undefined` for somebody it does not know. */
export interface People {
  user(named: Named): string | undefined;
  team(named: Named): string | undefined;
  /** Why somebody is not known. */
  readonly unknown: string;
}

/**
 * Without a server, nobody is known: a uid in a file is that of another server, where somebody else may have it. A sync
 * of a binding of somebody unknown would also be refused.
 */
export const NOBODY: People = {
  user: () => undefined,
  team: () => undefined,
  unknown: 'only a server knows who they are there: import without --to, or add their manifest',
};

const PAGE = 500;

const List = z.object({
  metadata: z.object({ continue: z.string().optional() }),
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      spec: z.object({ login: z.string().optional(), title: z.string().optional() }).default({}),
    }),
  ),
});
type Item = z.infer<typeof List>['items'][number];

/** The members and teams of an organization. Throws if the caller may not list them. */
export async function peopleOf(connection: Connection, served: ServedKinds, namespace: string): Promise<People> {
  const users = await all(connection, served, 'users', namespace);
  const teams = await all(connection, served, 'teams', namespace);
  const bindings = await all(connection, served, 'organizationbindings', namespace);
  // A binding has the name of the user whom it makes a member.
  const members = new Set(bindings.map(({ metadata }) => metadata.name));
  const known = users.filter(({ metadata, spec }) => spec.login && members.has(metadata.name));
  const logins = new Map(known.map(({ metadata, spec }) => [fold(spec.login ?? ''), metadata.name]));
  const titles = new Map(teams.map(({ metadata, spec }) => [fold(spec.title ?? ''), metadata.name]));
  const uids = new Set(teams.map(({ metadata }) => metadata.name));
  return {
    // Never by the uid alone: another person could have it here.
    user: ({ title }) => logins.get(fold(title)),
    team: ({ uid, title }) => titles.get(fold(title)) ?? (uids.has(uid) ? uid : undefined),
    unknown: 'the organization has no such member or team',
  };
}

async function all(
  connection: Connection,
  served: ServedKinds,
  resource: string,
  namespace: string,
): Promise<readonly Item[]> {
  const kind = ownKind(served, 'iam', resource);
  if (kind === undefined) return [];
  const items: Item[] = [];
  let token: string | undefined;
  do {
    const query = new URLSearchParams({ limit: String(PAGE), ...(token && { continue: token }) });
    const page = List.parse(await connection.ask('GET', `${pathOf(kind, namespace)}?${query}`));
    items.push(...page.items);
    token = page.metadata.continue;
  } while (token);
  return items;
}
