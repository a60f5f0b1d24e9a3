/** The key of `UserInfo.extra` that holds the active organization of a caller, by its namespace. */
export function organizationKey(domain: string): string {
  return `${domain}/organization`;
}

/** An organization that a user is a member of. */
export interface MemberOrganization {
  readonly namespace: string;
  /** The internal id: 1 for `default`, N for `org-N`. */
  readonly id: number;
}

/**
 * The organization that a user works in when a request names none: the one that the user chose
 * (`spec.activeOrganization`) while they are a member of it, otherwise the one with the lowest id. Ids are compared as
 * numbers: org-2 comes before org-10.
 */
export function activeOrganization<Membership extends MemberOrganization>(
  chosen: string | undefined,
  memberships: readonly Membership[],
): Membership | undefined {
  return memberships.find(({ namespace }) => namespace === chosen) ?? memberships.toSorted((a, b) => a.id - b.id).at(0);
}
