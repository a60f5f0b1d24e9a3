import { fold } from '../../../../pkg/kube/meta/fold.js';
import type { ObjectReader } from '../../../../registry/client/object-reader.js';
import { isEffective, isEntryEffective } from '../../../../registry/kinds/ready-condition.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { type Entry, nameOf, objectOf } from '../../../../registry/read/reader.js';
import type { ApisEnvironment } from '../../../environment.js';
import { byKeys, findPage, type Page, pageOf, queryText, type SortKey, sortOf } from '../../legacy/lists.js';
import { isUser } from '../../names.js';
import { BY_TEAM, BY_USER, type TeamBindingSpec } from '../../teambinding/schema.js';
import { BY_TITLE, type TeamSpec } from '../schema.js';
import { permissionOf, type Team, type TeamContext, type TeamDto, teamDto } from './dto.js';

const FIELDS = ['name', 'email', 'memberCount'] as const;
type Field = (typeof FIELDS)[number];

export interface FoundTeams extends Page {
  readonly totalCount: number;
  readonly teams: readonly TeamDto[];
}

/**
 * A page of the teams that the caller may view. With `?name=`, it has the one team of that name. If there is none, the
 * answer is 404, or an empty page for existing clients.
 */
export function searchTeams(call: LegacyCall, { compatibility }: ApisEnvironment): FoundTeams {
  const { page, perPage } = pageOf(call.query);
  const { namespace } = call.organization;
  const teams = call.objects<TeamSpec>('iam/Team');
  const sort = sortOf(call.query, FIELDS);
  const name = call.query.get('name') ?? '';
  const found = findPage({
    page,
    perPage,
    filter: teams.readFilter(),
    query: queryText(call.query, fold),
    entries: wanted(call, sorted(call, teams, namespace, sort, name)),
  });
  if (name !== '' && found.totalCount === 0 && compatibility === 'specification')
    throw plainFailure(404, 'Team not found');
  return {
    totalCount: found.totalCount,
    teams: found.entries.map((entry) => item(call, objectOf(entry) as Team)),
    page,
    perPage,
  };
}

/** Keeps only the teams of `?teamId=`, if there are any. */
function wanted(call: LegacyCall, entries: Iterable<Entry>): Iterable<Entry> {
  const ids = new Set(call.query.getAll('teamId'));
  const key = call.objects('iam/Team').kind.ownedKeys.internalId;
  if (ids.size === 0) return entries;
  return [...entries].filter(({ attributes }) => ids.has(attributes.labels?.[key] ?? ''));
}

function sorted(
  call: LegacyCall,
  teams: ObjectReader<TeamSpec>,
  namespace: string,
  sort: readonly SortKey<Field>[],
  name: string,
): Iterable<Entry> {
  const byTitle = teams.entries({
    index: BY_TITLE,
    prefix: name === '' ? [namespace] : [namespace, fold(name.trim())],
  });
  const [first, ...others] = sort;
  if (first === undefined) return byTitle;
  if (first.field === 'name' && others.length === 0) return first.descending ? [...byTitle].reverse() : byTitle;
  const counts = sort.some(({ field }) => field === 'memberCount') ? memberCounts(call, namespace) : new Map();
  const order = byKeys<Field, Entry>(sort, {
    name: ({ attributes }) => attributes.text ?? '',
    email: ({ attributes }) => fold(attributes.fields?.['spec.email'] ?? ''),
    memberCount: (entry) => counts.get(nameOf(entry)) ?? 0,
  });
  return [...byTitle].sort(order);
}

/** The number of members by team. Teams without members are absent. */
function memberCounts(call: LegacyCall, namespace: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const entry of call.objects('iam/TeamBinding').entries({ index: BY_TEAM, prefix: [namespace] })) {
    if (!isEntryEffective(entry)) continue;
    const team = entry.attributes.fields?.['spec.teamRef.name'] ?? '';
    counts.set(team, (counts.get(team) ?? 0) + 1);
  }
  return counts;
}

function item(call: LegacyCall, team: Team): TeamDto {
  return teamDto(call, team, contextOf(call, team));
}

/** The number of members of a team, and the permission of the caller in it. */
export function contextOf(call: LegacyCall, { metadata: { name } }: Team): TeamContext {
  const { namespace, id } = call.organization;
  const bindings = call.objects<TeamBindingSpec>('iam/TeamBinding');
  let memberCount = 0;
  let own: Entry | undefined;
  for (const binding of bindings.entries({ index: BY_TEAM, prefix: [namespace, name] })) {
    if (!isEntryEffective(binding)) continue;
    memberCount++;
    if (isUser(call.user, binding.attributes.fields?.['spec.userRef.name'] ?? '')) own = binding;
  }
  return { orgId: id, memberCount, permission: permissionOf(own && objectOf<TeamBindingSpec>(own).spec) };
}

/** The teams of the organization in which a user is a member, by title. */
export function teamsOfUser(call: LegacyCall, user: string): readonly TeamDto[] {
  const { namespace } = call.organization;
  const teams = call.objects<TeamSpec>('iam/Team');
  const bindings = call.objects<TeamBindingSpec>('iam/TeamBinding');
  return [...bindings.range({ index: BY_USER, prefix: [user] })]
    .filter((binding) => binding.metadata.namespace === namespace && isEffective(binding))
    .flatMap(({ spec }) => teams.find(spec?.teamRef.name ?? '') ?? [])
    .map((team) => item(call, team as Team))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id);
}
