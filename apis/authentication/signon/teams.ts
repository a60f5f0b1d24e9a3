import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import { isTerminating } from '../../../pkg/kube/meta/types.js';
import type { ClientTransaction } from '../../../registry/client/transaction.js';
import { BY_USER as MEMBERSHIPS_BY_USER } from '../../iam/organizationbinding/schema.js';
import { BY_GROUP, type TeamSpec } from '../../iam/team/schema.js';
import { BY_USER, type TeamBindingSpec, teamBindingName } from '../../iam/teambinding/schema.js';
import type { IdentityServices } from '../services.js';

/** The most that one commit writes. */
const MOST_TEAMS = 1000;

/**
 * Makes the user a member of the teams of their organizations that have one of these groups. Memberships end if an
 * earlier sign-in made them and this one would not. What was added by hand stays, and so do the members of teams that
 * another system provisions.
 */
export function syncTeams(
  transaction: ClientTransaction,
  services: IdentityServices,
  uid: string,
  groups: readonly string[],
): void {
  const wanted = wantedTeams(transaction, services, uid, groups);
  const kind = services.kind('iam/teambindings');
  const current = [...transaction.objects<TeamBindingSpec>(kind).range({ index: BY_USER, prefix: [uid] })];
  for (const { metadata, spec } of current) {
    const { namespace = '' } = metadata;
    const team = spec?.teamRef.name ?? '';
    const key = keyOf(namespace, team);
    const isKept =
      wanted.delete(key) || spec?.external !== true || isProvisioned(transaction, services, namespace, team);
    if (!isKept) transaction.objects(kind, namespace).delete(metadata.name);
  }
  for (const { namespace, team } of wanted.values()) {
    const spec: TeamBindingSpec = {
      teamRef: { name: team },
      userRef: { name: uid },
      permission: 'member',
      external: true,
    };
    transaction
      .objects<TeamBindingSpec>(kind, namespace)
      .create({ metadata: { name: teamBindingName(team, uid) }, spec });
  }
}

interface PlacedTeam {
  readonly namespace: string;
  readonly team: string;
}

const keyOf = (namespace: string, team: string): string => `${namespace}/${team}`;

/** The teams with one of the groups, in the organizations of the user. */
function wantedTeams(
  { reader }: ClientTransaction,
  { resource }: IdentityServices,
  uid: string,
  groups: readonly string[],
): Map<string, PlacedTeam> {
  const memberships = reader.range(resource('iam/organizationbindings'), MEMBERSHIPS_BY_USER, [uid]);
  const own = new Set(
    memberships.filter((membership) => !isTerminating(membership)).map(({ metadata }) => metadata.namespace),
  );
  const wanted = new Map<string, PlacedTeam>();
  for (const group of new Set(groups)) {
    for (const team of reader.range(resource('iam/teams'), BY_GROUP, [group], MOST_TEAMS)) {
      const { namespace = '', name } = team.metadata;
      if (own.has(namespace) && !isTerminating(team)) wanted.set(keyOf(namespace, name), { namespace, team: name });
    }
    if (wanted.size > MOST_TEAMS) throw new SignOnFailure('settings', 'the groups belong to too many teams');
  }
  return wanted;
}

function isProvisioned(
  { reader }: ClientTransaction,
  { resource }: IdentityServices,
  namespace: string,
  team: string,
): boolean {
  return reader.get<TeamSpec>(resource('iam/teams'), namespace, team)?.spec?.provisioned === true;
}
