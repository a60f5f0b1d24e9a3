/** What concerns the whole server, and so cannot be an organization's to give: users, organizations, settings, everything. */
const SERVER_WIDE = /^(\*|users|orgs|server|settings)(\.[a-zA-Z.]+)?(:|$)/;
const IN_ORGANIZATION = /^orgs\.preferences:/;

export function isServerWide(action: string): boolean {
  return SERVER_WIDE.test(action) && !IN_ORGANIZATION.test(action);
}
