import { z } from 'zod';
import { pages } from '../../../pkg/legacyclient/pages.js';
import { each } from './each.js';
import { granting, liveOf, wasBefore, withheld } from './granting.js';
import { allOf, type Move, PARALLEL, reading, taking } from './move.js';
import type { Subject } from './people.js';
import { ACCOUNTS, MEMBERS } from './resources.js';
import { type Present, takeUsers, type User } from './users.js';

const Role = z.enum(['Viewer', 'Editor', 'Admin', 'None']);
const Member = z.object({
  userId: z.number(),
  uid: z.string().optional(),
  login: z.string(),
  email: z.string().default(''),
  name: z.string().default(''),
  isDisabled: z.boolean().optional(),
  role: Role,
});
type Member = z.infer<typeof Member>;

/** Takes who belongs to the organization. Users are taken, too, if the list of the whole server could not be read. */
export async function takeMembers(move: Move, present: Present | undefined): Promise<void> {
  const members = await reading(move, 'members', '/api/org/users', z.array(Member));
  if (members === undefined) return;
  if (present !== undefined) await takeUsers(move, members.map(userOf), present);
  await removeGone(move, members);
  await each(members, PARALLEL, (member) => takeMember(move, member));
}

/** Who has left the organization there leaves it here, if an import from there has brought them into it. */
async function removeGone(move: Move, members: readonly Member[]): Promise<void> {
  const { target, trust, namespace, people, report } = move;
  if (trust.from === undefined || target.isPlanned(namespace)) return;
  const wanted = new Set(members.map(({ userId: id, uid, login }) => people.find({ id, uid, login })?.name));
  const gone: string[] = [];
  for await (const binding of target.list(MEMBERS, namespace))
    if (trust.hasMade(binding, target.domain) && !wanted.has(binding.metadata.name)) gone.push(binding.metadata.name);
  await each(gone, PARALLEL, async (name) => {
    const isGone = await taking(move, MEMBERS.plural, name, () => target.remove(MEMBERS, namespace, name));
    if (isGone) report.count(MEMBERS.plural, 'removed');
  });
}

const userOf = ({ userId: id, role: _, ...user }: Member): User => ({ ...user, id });

async function takeMember(move: Move, { userId: id, uid, login, role }: Member): Promise<void> {
  const user = move.people.find({ id, uid, login });
  if (user === undefined) return move.report.skip(MEMBERS.plural, login, 'the user was not taken');
  const origin = { from: move.trust.from };
  await taking(move, MEMBERS.plural, login, () =>
    granting(move, MEMBERS, { name: user.name, spec: { userRef: { name: user.name }, role }, origin }, user),
  );
}

const Account = z.object({
  id: z.number(),
  uid: z.string().optional(),
  name: z.string(),
  login: z.string().default(''),
  role: Role.or(z.literal('')).transform((role) => role || 'None'),
  isDisabled: z.boolean().default(false),
  tokens: z.number().default(0),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});
type Account = z.infer<typeof Account>;
const AccountPage = z.object({ serviceAccounts: z.array(Account) }).transform((page) => page.serviceAccounts);

/** Takes service accounts. Nobody can read their tokens, so they get new ones here. */
export async function takeAccounts(move: Move): Promise<void> {
  const path = '/api/serviceaccounts/search';
  const list = pages(move.source, { path, schema: AccountPage, size: 1000, sizeParameter: 'perpage' });
  const accounts = await allOf(move, 'service accounts', list);
  await each(accounts, PARALLEL, (account) => takeAccount(move, account));
  const tokens = accounts.reduce((sum, account) => sum + account.tokens, 0);
  if (tokens > 0) move.report.note('service accounts', `nobody can read their tokens (${tokens}). Make new ones here`);
}

/** An account that was here before has tokens here, so the source does not say what these may do. */
async function takeAccount(move: Move, account: Account): Promise<void> {
  const { id, uid, login, name: title, role, isDisabled, createdAt: created, updatedAt: updated } = account;
  const name = uid || `sa${id}`;
  const subject: Subject = { kind: 'ServiceAccount', name };
  const live = await liveOf(move, ACCOUNTS, name);
  const { trust, namespace, people } = move;
  if (wasBefore(move, live)) trust.addStranger(namespace, subject, title);
  const isClosed = (live?.spec as { disabled?: boolean } | undefined)?.disabled === true && !trust.isGiven;
  const draft = {
    name,
    spec: { title, role, disabled: isClosed || isDisabled },
    origin: { id, created, updated, from: trust.from },
  };
  const isThere = await taking(move, ACCOUNTS.plural, `${name} (${title})`, async () => {
    await granting(move, ACCOUNTS, draft, subject);
    if (isClosed && !isDisabled) withheld(move, `service account ${title}`, 'is disabled: not as there');
  });
  if (isThere) people.add({ id, uid, login }, subject);
}
