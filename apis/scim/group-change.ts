import { invalidFilter, invalidPath, ScimError } from '../../pkg/scim/errors.js';
import type { Filter } from '../../pkg/scim/filter.js';
import type { Resource } from '../../pkg/scim/match.js';
import type { Change } from '../../pkg/scim/patch.js';

/** Who becomes and who ceases to be a member. With `isWhole`, all others cease, too. */
export interface MemberChange {
  readonly isWhole: boolean;
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** What a request changes of a group. What is absent stays, so that the members need not be read. */
export interface GroupChange {
  readonly title?: string;
  /** null: it has none any more. */
  readonly externalUID?: string | null;
  readonly members?: MemberChange | undefined;
}

/** The most members that one request names, because it is one commit, and other writes wait meanwhile. */
const MOST_MEMBERS = 10_000;

/** The change that makes the group the resource. */
export function replacing(resource: Resource): GroupChange {
  const added = new Set(idsOf(resource['members']));
  checkCount(added);
  return {
    title: String(resource['displayName']),
    externalUID: (resource['externalId'] as string | undefined) || null,
    members: { isWhole: true, added, removed: new Set() },
  };
}

/** The changes of a PATCH, one after another. Throws ScimError. */
export function groupChangeOf(changes: readonly Change[]): GroupChange {
  let [title, externalUID]: [string | undefined, string | null | undefined] = [undefined, undefined];
  const members = new Members();
  for (const change of changes) {
    const { op, attribute, value } = change;
    if (attribute.name === 'members') members.apply(change);
    else if (attribute.name === 'externalId')
      externalUID = op === 'remove' ? null : (value as string | undefined) || null;
    else if (attribute.name !== 'displayName') throw invalidPath(`${attribute.name} cannot be changed`);
    else if (op === 'remove' || value === undefined || value === '')
      throw new ScimError(400, 'mutability', 'displayName is required');
    else title = String(value);
  }
  checkCount(members.added, members.removed);
  return {
    ...(title !== undefined && { title }),
    ...(externalUID !== undefined && { externalUID }),
    ...(members.isChanged && { members }),
  };
}

function checkCount(...sets: readonly ReadonlySet<string>[]): void {
  if (sets.reduce((sum, { size }) => sum + size, 0) <= MOST_MEMBERS) return;
  throw new ScimError(413, undefined, `a request names at most ${MOST_MEMBERS} members: add the others by PATCH`);
}

class Members implements MemberChange {
  isWhole = false;
  isChanged = false;
  readonly added = new Set<string>();
  readonly removed = new Set<string>();

  apply({ op, filter, sub, value }: Change): void {
    this.isChanged = true;
    if (filter !== undefined) {
      if (op !== 'remove' || sub !== undefined)
        throw invalidPath('of members, only whole ones can be removed by a filter');
      this.#remove(named(filter));
      return;
    }
    if (sub !== undefined) throw invalidPath('a member is changed by its value: members[value eq "…"]');
    const ids = idsOf(value);
    if (op === 'remove' && value !== undefined) this.#remove(ids);
    else if (op === 'add') this.#add(ids);
    else this.#replace(ids);
  }

  #replace(ids: readonly string[]): void {
    this.isWhole = true;
    this.added.clear();
    this.removed.clear();
    this.#add(ids);
  }

  #add(ids: readonly string[]): void {
    for (const id of ids) {
      this.added.add(id);
      this.removed.delete(id);
    }
  }

  #remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.added.delete(id);
      this.removed.add(id);
    }
  }
}

/** The members that a filter names by their values. */
function named(filter: Filter): readonly string[] {
  if (filter.op === 'or') return [...named(filter.left), ...named(filter.right)];
  if (filter.op === 'eq' && filter.path.toLowerCase() === 'value' && typeof filter.value === 'string')
    return [filter.value];
  throw invalidFilter('members are named by their values: members[value eq "…"]');
}

function idsOf(members: unknown): readonly string[] {
  return ((members ?? []) as readonly Resource[]).map((member) => {
    const id = member['value'];
    if (typeof id !== 'string' || id === '')
      throw new ScimError(400, 'invalidValue', 'a member has no value, which is the id of a user');
    return id;
  });
}
