import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { invalidValue } from '../../pkg/scim/errors.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { isEntryEffective } from '../../registry/kinds/ready-condition.js';
import type { TeamSpec } from '../iam/team/schema.js';
import { BY_PAIR, BY_TEAM, type TeamBindingSpec, teamBindingName } from '../iam/teambinding/schema.js';
import { isProven, requireProof } from './adoption.js';
import type { ScimCall, Writing } from './call.js';
import type { GroupChange, MemberChange } from './group-change.js';
import { memberNamed } from './member.js';
import { givesRole, updateRole } from './roles.js';

export type Team = KubeObject<TeamSpec> & { readonly spec: TeamSpec };

/** Changes a team and its members, and the roles that the team gives. What is the same is not written. */
export function* changeGroup(call: ScimCall, writing: Writing, team: Team, change: GroupChange): Steps<void> {
  const { title = team.spec.title, members } = change;
  const wasMapped = team.spec.provisioned === true && givesRole(call, team.spec.title);
  changeTeam(writing, team, change);
  const touched = members === undefined ? [] : yield* changeMembers(call, writing, team, members);
  const isMapped = givesRole(call, title);
  if (!wasMapped && !isMapped) return;
  const isForAll = wasMapped !== isMapped || title !== team.spec.title || team.spec.provisioned !== true;
  const all = isForAll ? [...touched, ...memberIds(call, writing, team)] : touched;
  for (const user of new Set(all)) {
    updateRole(call, writing, user);
    yield;
  }
}

function changeTeam(
  writing: Writing,
  { metadata, spec }: Team,
  { title = spec.title, externalUID = spec.externalUID ?? null }: GroupChange,
): void {
  const isSame = title === spec.title && externalUID === (spec.externalUID ?? null) && spec.provisioned === true;
  if (isSame) return;
  writing.objects<TeamSpec>('iam/Team').update(metadata.name, (old) => {
    const { externalUID: _, ...rest } = old.spec as TeamSpec;
    return { ...old, spec: { ...rest, title, provisioned: true, ...(externalUID !== null && { externalUID }) } };
  });
}

/** Returns whose membership has changed. Reads all bindings only if all members are replaced. */
function* changeMembers(call: ScimCall, writing: Writing, team: Team, change: MemberChange): Steps<readonly string[]> {
  const touched: string[] = [];
  const bindings = writing.objects<TeamBindingSpec>('iam/TeamBinding');
  const { name } = team.metadata;
  const removed = change.isWhole
    ? [...memberIds(call, writing, team)].filter((user) => !change.added.has(user))
    : change.removed;
  for (const user of removed) {
    const binding = bindingOf(call, writing, name, user);
    yield;
    if (binding === undefined) continue;
    bindings.delete(binding.metadata.name);
    touched.push(user);
  }
  for (const user of change.added) {
    yield;
    const binding = bindingOf(call, writing, name, user);
    if (binding?.spec?.provisioned === true) continue;
    requireMember(writing, user);
    if (binding === undefined) {
      const spec = { teamRef: { name }, userRef: { name: user }, permission: 'member', provisioned: true } as const;
      bindings.create({ metadata: { name: teamBindingName(name, user) }, spec });
    } else {
      bindings.update(binding.metadata.name, (old) => ({
        ...old,
        spec: { ...(old.spec as TeamBindingSpec), provisioned: true },
      }));
    }
    touched.push(user);
  }
  return touched;
}

/** Throws ScimError unless the organization has the user, and SCIM may keep them. */
function requireMember(writing: Writing, user: string): void {
  const member = memberNamed(writing, user);
  if (member === undefined)
    throw invalidValue(`members: the organization has no user ${JSON.stringify(user.slice(0, 100))}`);
  if (!isProven(member, member.user.spec, [])) requireProof();
}

/** The binding of a user to a team. */
function bindingOf(
  { namespace }: ScimCall,
  writing: Writing,
  team: string,
  user: string,
): KubeObject<TeamBindingSpec> | undefined {
  const range = { index: BY_PAIR, prefix: [namespace, team, user] };
  for (const binding of writing.objects<TeamBindingSpec>('iam/TeamBinding').range(range)) return binding;
  return undefined;
}

function memberIds({ namespace }: ScimCall, writing: Writing, { metadata }: Team): ReadonlySet<string> {
  const range = { index: BY_TEAM, prefix: [namespace, metadata.name] };
  const ids = new Set<string>();
  for (const entry of writing.objects<TeamBindingSpec>('iam/TeamBinding').entries(range)) {
    const user = entry.attributes.fields?.['spec.userRef.name'];
    if (user !== undefined && isEntryEffective(entry)) ids.add(user);
  }
  return ids;
}

/** Deletes a team, and takes back the roles that it gave. */
export function* endRoles(call: ScimCall, writing: Writing, team: Team, remove: () => void): Steps<void> {
  const isMapped = team.spec.provisioned === true && givesRole(call, team.spec.title);
  const members = isMapped ? memberIds(call, writing, team) : new Set<string>();
  remove();
  for (const user of members) {
    updateRole(call, writing, user);
    yield;
  }
}
