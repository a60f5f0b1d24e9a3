import { z } from 'zod';
import type { UserSpec } from '../../../apis/iam/user/schema.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { LegacyClient } from '../../../pkg/legacyclient/client.js';
import { LegacyFailure, unlessAbsent } from '../../../pkg/legacyclient/failure.js';
import { pages } from '../../../pkg/legacyclient/pages.js';
import { each } from './each.js';
import { liveOf, wasBefore, withheld } from './granting.js';
import { allOf, type Move, PARALLEL, storing, taking } from './move.js';
import type { Subject } from './people.js';
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

/** Users here by what they log in with. */
export type Present = ReadonlyMap<string, KubeObject>;

export async function presentUsers({ target }: Pick<Move, 'target'>): Promise<Present> {
  const found = new Map<string, KubeObject>();
  for await (const user of target.list(USERS, '')) {
    const { login, email } = specOf(user);
    for (const text of [login, email]) if (text) found.set(text.toLowerCase(), user);
  }
  return found;
}

const specOf = ({ spec }: KubeObject): UserSpec => (spec ?? {}) as UserSpec;

/** Takes users, without passwords. Who was here before stays as they are. */
export async function takeUsers(move: Move, users: readonly User[], present: Present): Promise<void> {
  const bar = move.progress('users');
  let done = 0;
  await each(users, PARALLEL, async (user) => {
    await takeUser(move, user, present);
    bar.update(++done, users.length);
  });
  bar.stop();
}

async function takeUser(move: Move, user: User, present: Present): Promise<void> {
  const { people, report, target } = move;
  const { id, uid = '', login } = user;
  const name = uid === '' ? `u${id}` : uid;
  const live = await liveOf(move, USERS, name);
  const other = live ?? present.get(login.toLowerCase()) ?? present.get(user.email.toLowerCase());
  const reference = { id, uid, login };
  if (other !== undefined && (live === undefined || wasBefore(move, live))) {
    const subject: Subject = { kind: 'User', name: other.metadata.name };
    report.count(USERS.plural, 'same');
    people.add(reference, subject);
    if (wasBefore(move, other)) move.trust.addStranger('', subject, login);
    return;
  }
  const isThere = await taking(move, USERS.plural, `${name} (${login})`, () => storeUser(move, name, user, live));
  if (isThere || (await target.has(USERS, '', name))) people.add(reference, { kind: 'User', name });
}

async function storeUser(move: Move, name: string, user: User, live: KubeObject | undefined): Promise<void> {
  const { trust, report } = move;
  const { id, isAdmin: grafanaAdmin, isDisabled: disabled, login, email } = user;
  const times = await timesOf(move, id);
  const wanted = { login, email: email || undefined, name: user.name || undefined, grafanaAdmin, disabled };
  // Manifests name no people.
  const isStored = trust.from !== undefined;
  const kept = trust.isGiven || !isStored ? [] : undecided(wanted, live && specOf(live));
  if (kept.length > 0) withheld(move, `user ${login}`, `${kept.map((key) => WORDS[key]).join(', ')}: not as there`);
  const spec = Object.fromEntries(Object.entries(wanted).filter(([key]) => !kept.includes(key as Decided)));
  const origin = { id, created: times?.createdAt, updated: times?.updatedAt, from: trust.from };
  await storing(move, USERS, { name, spec, origin });
  if (isStored && spec['grafanaAdmin'] === true && (live === undefined || !specOf(live).grafanaAdmin))
    report.note(`user ${login}`, 'administers the whole server here, as there');
}

/** The login and the address let people in, and the others let them do more. */
type Decided = 'login' | 'email' | 'grafanaAdmin' | 'disabled';
const WORDS: Readonly<Record<Decided, string>> = {
  login: 'the login',
  email: 'the e-mail address',
  grafanaAdmin: 'administers the server',
  disabled: 'is disabled',
};
type Wanted = { readonly [Key in Decided]?: UserSpec[Key] | undefined };

/** What a source does not decide by itself of a user whom it has made. */
function undecided(wanted: Wanted, live: UserSpec | undefined): readonly Decided[] {
  const isOther = (key: 'login' | 'email'): boolean =>
    live !== undefined && wanted[key] !== undefined && wanted[key]?.toLowerCase() !== live[key].toLowerCase();
  const all: Readonly<Record<Decided, boolean>> = {
    login: isOther('login'),
    email: isOther('email'),
    grafanaAdmin: wanted.grafanaAdmin === true && live?.grafanaAdmin !== true,
    disabled: wanted.disabled === false && live?.disabled === true,
  };
  return (Object.keys(all) as readonly Decided[]).filter((key) => all[key]);
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
