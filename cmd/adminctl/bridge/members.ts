import { z } from 'zod';
import { pages } from '../../../pkg/legacyclient/pages.js';
import { each } from './each.js';
import { allOf, type Move, PARALLEL, reading, storing, taking } from './move.js';
import { ACCOUNTS, MEMBERS } from './resources.js';
import { takeUsers, type User } from './users.js';

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
export async function takeMembers(move: Move, present: Parameters<typeof takeUsers>[2] | undefined): Promise<void> {
  const members = await reading(move, 'members', '/api/org/users', z.array(Member));
  if (members === undefined) return;
  if (present !== undefined) await takeUsers(move, members.map(userOf), present);
  await each(members, PARALLEL, (member) => takeMember(move, member));
}

const userOf = ({ userId: id, role: _, ...user }: Member): User => ({ ...user, id });

async function takeMember(move: Move, { userId: id, uid, login, role }: Member): Promise<void> {
  const user = move.people.find({ id, uid, login });
  if (user === undefined) return move.report.skip(MEMBERS.plural, login, 'the user was not taken');
  await taking(move, MEMBERS.plural, login, () =>
    storing(move, MEMBERS, { name: user.name, spec: { userRef: { name: user.name }, role } }),
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
const AccountPage = z.object({ serviceAccounts: z.array(Account) }).transform((page) => page.serviceAccounts);

/** Takes service accounts. Nobody can read their tokens, so they get new ones here. */
export async function takeAccounts(move: Move): Promise<void> {
  const path = '/api/serviceaccounts/search';
  const list = pages(move.source, { path, schema: AccountPage, size: 1000, sizeParameter: 'perpage' });
  const accounts = await allOf(move, 'service accounts', list);
  await each(accounts, PARALLEL, async ({ id, uid, login, name: title, role, isDisabled: disabled, ...more }) => {
    const name = uid || `sa${id}`;
    const isThere = await taking(move, ACCOUNTS.plural, `${name} (${title})`, () =>
      storing(move, ACCOUNTS, {
        name,
        spec: { title, role, disabled },
        origin: { id, created: more.createdAt, updated: more.updatedAt },
      }),
    );
    if (isThere) move.people.add({ id, uid, login }, { kind: 'ServiceAccount', name });
  });
  const tokens = accounts.reduce((sum, account) => sum + account.tokens, 0);
  if (tokens > 0) move.report.note('service accounts', `${tokens} tokens cannot be read. Make new ones here`);
}
