import type { ApiResponse } from '../../pkg/http/handler.js';
import { fold } from '../../pkg/kube/meta/fold.js';
import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import { ulidGenerator } from '../../pkg/kube/meta/ulid.js';
import { ScimError } from '../../pkg/scim/errors.js';
import { checkPreconditions, isUnchanged, tagOf } from '../../pkg/scim/etag.js';
import type { Resource } from '../../pkg/scim/match.js';
import { readPatch } from '../../pkg/scim/patch.js';
import { projected, shows } from '../../pkg/scim/projection.js';
import { projectionOf } from '../../pkg/scim/query.js';
import { readResource, requireAttributes } from '../../pkg/scim/resource.js';
import { GROUP } from '../../pkg/scim/schema.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { isEntryEffective } from '../../registry/kinds/ready-condition.js';
import { type Entry, objectOf } from '../../registry/read/reader.js';
import { BY_EXTERNAL_UID, BY_TITLE, type TeamSpec } from '../iam/team/schema.js';
import { BY_TEAM, BY_USER, type TeamBindingSpec } from '../iam/teambinding/schema.js';
import type { Objects, ScimCall, Writing } from './call.js';
import { type GroupChange, groupChangeOf, replacing } from './group-change.js';
import type { Collection } from './list.js';
import { metaOf } from './member.js';
import { changeGroup, endRoles, type Team } from './write-group.js';

const newUid = ulidGenerator();

/** The teams of the organization. */
export function groupCollection(call: ScimCall): Collection {
  const teams = call.objects<TeamSpec>('iam/Team');
  const bindings = call.objects<TeamBindingSpec>('iam/TeamBinding');
  const named = (name: string): readonly Entry[] => [teams.entry(name) ?? []].flat();
  const teamsOf = (user: string): readonly Entry[] =>
    [...bindings.range({ index: BY_USER, prefix: [user] })].flatMap(({ metadata, spec }) =>
      metadata.namespace === call.namespace ? named(spec?.teamRef.name ?? '') : [],
    );
  return {
    schema: GROUP,
    *all() {
      for (const entry of teams.entries()) if (isEntryEffective(entry)) yield entry;
    },
    indexed: new Set(['id', 'externalId', 'displayName', 'members.value']),
    found: (path, value) => {
      const prefix = [call.namespace, path === 'displayName' ? fold(value) : value];
      if (path === 'id') return named(value);
      if (path === 'members.value') return teamsOf(value);
      return [...teams.entries({ index: path === 'displayName' ? BY_TITLE : BY_EXTERNAL_UID, prefix })];
    },
    resource: (entry, has) => {
      const team = teamOf(objectOf<TeamSpec>(entry));
      return team && groupResource(call, call, team, has('members'));
    },
  };
}

const teamOf = (team: KubeObject<TeamSpec> | undefined): Team | undefined =>
  team?.spec === undefined || isTerminating(team) ? undefined : (team as Team);

/** Without members, it has no version: this depends on them. */
function groupResource(call: ScimCall, objects: Objects, team: Team, hasMembers: boolean): Resource {
  const { metadata, spec } = team;
  const members = hasMembers ? membersOf(call, objects, metadata.name) : [];
  const resource = {
    schemas: [GROUP.urn],
    id: metadata.name,
    ...(spec.externalUID !== undefined && { externalId: spec.externalUID }),
    displayName: spec.title,
    ...(members.length > 0 && { members }),
  };
  const version = hasMembers ? tagOf(resource) : undefined;
  return { ...resource, meta: metaOf(call, `/Groups/${metadata.name}`, 'Group', [team], version) };
}

function membersOf({ base, namespace }: ScimCall, objects: Objects, team: string): readonly Resource[] {
  const bindings = objects.objects<TeamBindingSpec>('iam/TeamBinding');
  const members: Resource[] = [];
  for (const entry of bindings.entries({ index: BY_TEAM, prefix: [namespace, team] })) {
    // The field is beside the object, which need not be parsed.
    const value = entry.attributes.fields?.['spec.userRef.name'];
    if (value !== undefined && isEntryEffective(entry))
      members.push({ value, $ref: `${base}/Users/${value}`, type: 'User' });
  }
  return members;
}

export async function createGroup(call: ScimCall): Promise<ApiResponse> {
  const resource = readResource(call.body(), GROUP, call.onIgnored);
  requireAttributes(resource, GROUP);
  const change = replacing(resource);
  const name = newUid();
  const created = await call.transactInSteps(function* (writing): Steps<Resource> {
    const { title = '', externalUID } = change;
    const spec: TeamSpec = { title, provisioned: true, ...(externalUID != null && { externalUID }) };
    writing.objects<TeamSpec>('iam/Team').create({ metadata: { name }, spec });
    yield* changeGroup(call, writing, required(writing, name), { members: change.members });
    return groupResource(call, writing, required(writing, name), true);
  });
  return shown(call, 201, created);
}

export function getGroup(call: ScimCall, id: string): ApiResponse {
  const hasMembers = shows(projectionOf(call.request.query, GROUP), 'members');
  const resource = groupResource(call, call, required(call, id), hasMembers);
  const { version } = resource['meta'] as { readonly version?: string };
  if (version !== undefined && isUnchanged(call.request.headers, version))
    return call.answer(304, undefined, { etag: version });
  return shown(call, 200, resource);
}

export async function replaceGroup(call: ScimCall, id: string): Promise<ApiResponse> {
  required(call, id);
  const resource = readResource(call.body(), GROUP, call.onIgnored);
  requireAttributes(resource, GROUP);
  const change = replacing(resource);
  const replaced = await changed(call, id, change, true);
  return shown(call, 200, replaced as Resource);
}

/** Answers 204, because a group may have thousands of members, unless the request names attributes. */
export async function patchGroup(call: ScimCall, id: string): Promise<ApiResponse> {
  required(call, id);
  const change = groupChangeOf(readPatch(call.body(), GROUP, call.onIgnored));
  const isShown = call.request.query.has('attributes');
  const resource = await changed(call, id, change, isShown);
  return resource === undefined ? call.answer(204, undefined) : shown(call, 200, resource);
}

function changed(call: ScimCall, id: string, change: GroupChange, isShown: boolean): Promise<Resource | undefined> {
  return call.transactInSteps(function* (writing): Steps<Resource | undefined> {
    yield* changeGroup(call, writing, current(call, writing, id), change);
    return isShown ? groupResource(call, writing, required(writing, id), true) : undefined;
  });
}

export async function deleteGroup(call: ScimCall, id: string): Promise<ApiResponse> {
  await call.transactInSteps(function* (writing): Steps<void> {
    const team = current(call, writing, id);
    yield* endRoles(call, writing, team, () => writing.objects('iam/Team').delete(id));
  });
  return call.answer(204, undefined);
}

function current(call: ScimCall, writing: Writing, id: string): Team {
  const team = required(writing, id);
  const version = (): string => {
    const { meta } = groupResource(call, writing, team, true);
    return (meta as { readonly version: string }).version;
  };
  checkPreconditions(call.request.headers, version);
  return team;
}

function required(objects: Objects, id: string): Team {
  const team = teamOf(objects.objects<TeamSpec>('iam/Team').find(id));
  if (team === undefined) throw new ScimError(404, undefined, 'there is no such group in the organization');
  return team;
}

function shown(call: ScimCall, status: number, resource: Resource): ApiResponse {
  const { location, version } = resource['meta'] as { readonly location: string; readonly version?: string };
  const which = projectionOf(call.request.query, GROUP);
  return call.answer(status, projected(resource, which, GROUP), { location, ...(version && { etag: version }) });
}
