import { z } from 'zod';
import type { LegacyClient } from '../../../pkg/legacyclient/client.js';
import { LegacyFailure, unlessAbsent } from '../../../pkg/legacyclient/failure.js';
import { pages } from '../../../pkg/legacyclient/pages.js';
import { each } from './each.js';
import { allOf, type Move, PARALLEL, storing, taking } from './move.js';
import { USERS } from './resources.js';

const User = z.object({
  id: z.number(),
  uid: z.string().optional(),
  login: z.string(),
  email: z.string().default(''),
  name: z.string().default(''),
  /** Only the list of the whole server tells these. What is not told stays as it is here. */
  isAdmin: z.boolean().optional(),
  isDisabled: z.boolean().optional(),
});
export type User = z.infer<typeof User>;
const Times = z.object({ createdAt: z.string().optional(), updatedAt: z.string().optional() });

/** The users of the whole server, or `undefined` if only an administrator of it may read them. */
export async function usersOf(source: LegacyClient, move: Pick<Move, 'report'>): Promise<readonly User[] | undefined> {
  const options = { path: '/api/users', schema: z.array(User), size: 1000, sizeParameter: 'perpage' };
  const list = pages(source, options);
  try {
    const first = await list.next();
    return [...(first.value ?? []), ...(await allOf(move, 'users', list))];
  } catch (error) {
    if (error instanceof LegacyFailure && [401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** A user here. */
interface Present {
  readonly name: string;
}

/** Users here by what they log in with. */
export async function presentUsers({ target }: Pick<Move, 'target'>): Promise<Map<string, Present>> {
  const found = new Map<string, Present>();
  for await (const { metadata, spec } of target.list(USERS, '')) {
    const { login = '', email = '' } = spec as { login?: string; email?: string };
    for (const text of [login, email]) if (text !== '') found.set(text.toLowerCase(), { name: metadata.name });
  }
  return found;
}

/** Takes users, without passwords. Somebody who is here already under another uid stays as they are. */
export async function takeUsers(move: Move, users: readonly User[], present: Map<string, Present>): Promise<void> {
  const bar = move.progress('users');
  let done = 0;
  await each(users, PARALLEL, async (user) => {
    await takeUser(move, user, present);
    bar.update(++done, users.length);
  });
  bar.stop();
}

async function takeUser(move: Move, user: User, present: Map<string, Present>): Promise<void> {
  const { people, report, target } = move;
  const { id, uid = '', login } = user;
  const name = uid === '' ? `u${id}` : uid;
  const other = present.get(login.toLowerCase()) ?? present.get(user.email.toLowerCase());
  const reference = { id, uid, login };
  if (other !== undefined && other.name !== name && !(await target.has(USERS, '', name))) {
    report.count(USERS.plural, 'same');
    people.add(reference, { kind: 'User', name: other.name });
    return;
  }
  const isNew = !(await target.has(USERS, '', name));
  const isThere = await taking(move, USERS.plural, `${name} (${login})`, async () => {
    const times = await timesOf(move, id);
    const { isAdmin: grafanaAdmin, isDisabled: disabled, email } = user;
    const spec = { login, email: email || undefined, name: user.name || undefined, grafanaAdmin, disabled };
    await storing(move, USERS, { name, spec, origin: { id, created: times?.createdAt, updated: times?.updatedAt } });
  });
  if (isThere && isNew && user.isAdmin === true)
    report.note(`user ${login}`, 'administers the whole server here, as there');
  if (isThere || (await target.has(USERS, '', name))) people.add(reference, { kind: 'User', name });
}

/** Only administrators of the source may read these. */
async function timesOf({ source }: Move, id: number): Promise<z.infer<typeof Times> | undefined> {
  try {
    return await unlessAbsent(source.get(`/api/users/${id}`, Times));
  } catch (error) {
    if (error instanceof LegacyFailure && error.status === 403) return undefined;
    throw error;
  }
}
