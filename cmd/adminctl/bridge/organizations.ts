import { z } from 'zod';
import type { LegacyClient } from '../../../pkg/legacyclient/client.js';
import { LegacyFailure } from '../../../pkg/legacyclient/failure.js';
import { type Move, storing, taking } from './move.js';
import { ORGANIZATIONS } from './resources.js';

const Organization = z.object({ id: z.number(), name: z.string() });
export type Organization = z.infer<typeof Organization>;

const FIRST = 1;
const FIRST_NAMESPACE = 'default';
/** Organizations of a page. */
const PAGE = 1000;

/** All organizations, or that of the credential if only an administrator of the server may read all. */
export async function organizationsOf(source: LegacyClient): Promise<readonly Organization[]> {
  const own = await source.get('/api/org', Organization);
  try {
    return (await allPages(source)).toSorted((a, b) => a.id - b.id);
  } catch (error) {
    if (error instanceof LegacyFailure && [401, 403, 404].includes(error.status)) return [own];
    throw error;
  }
}

/** Some servers count the pages of this list from 0 and others from 1, so page 1 may be the first one again. */
async function allPages(source: LegacyClient): Promise<readonly Organization[]> {
  const found = new Map<number, Organization>();
  for (let page = 0; ; page++) {
    const before = found.size;
    const query = { perpage: PAGE, ...(page > 0 && { page }) };
    for (const one of await source.get('/api/orgs', z.array(Organization), query)) found.set(one.id, one);
    if (found.size === before && page !== 1) return [...found.values()];
  }
}

/** The namespace that an organization becomes. */
export function namespaceOf({ id }: Organization): string {
  return id === FIRST ? FIRST_NAMESPACE : `org-${id}`;
}

/** Takes the organization itself. The answer is whether its namespace is there. */
export async function takeOrganization(
  move: Move,
  { id, name: title }: Organization,
  isNamed: boolean,
): Promise<boolean> {
  const { target, namespace, report, trust } = move;
  const isThere = await target.has(ORGANIZATIONS, '', namespace);
  if (isNamed) {
    if (!isThere) report.skip(ORGANIZATIONS.plural, title, `there is no namespace ${namespace} here`);
    return isThere;
  }
  const other = isThere && namespace !== FIRST_NAMESPACE ? await otherTitle(move, title) : undefined;
  if (other !== undefined) {
    const how = `--organization=${id} --namespace=${namespace} takes it into this one, and another namespace keeps them apart`;
    report.skip(
      ORGANIZATIONS.plural,
      `${namespace} (${title})`,
      `the organization here with its number is another one, "${other}", whose members would see it. ${how}`,
    );
    return false;
  }
  const isTaken = await taking(move, ORGANIZATIONS.plural, `${namespace} (${title})`, () =>
    storing(move, ORGANIZATIONS, { name: namespace, spec: { title }, origin: { id, from: trust.from } }),
  );
  if (!isThere && isTaken) target.planNamespace(namespace);
  return isThere || isTaken;
}

/** The title of the organization here, if it has only the number in common with that of the source. */
async function otherTitle({ target, namespace, trust }: Move, title: string): Promise<string | undefined> {
  const live = await target.get(ORGANIZATIONS, '', namespace);
  const { title: here = '' } = (live.spec ?? {}) as { readonly title?: string };
  return here === title || trust.hasMade(live, target.domain) ? undefined : here;
}
