import { groupName } from './kind.js';

/** The rule for uids of the legacy API. Generated uids are ULIDs in lower case. */
export const UID_NAMES = {
  maxLength: 40,
  pattern: /^[a-zA-Z0-9_-]+$/,
  patternMessage: 'may hold only letters, digits, "-" and "_"',
} as const;

/** The group of a kind without the domain, and its plural: `iam/users`. */
export type ResourceName = `${string}/${string}`;

/** The qualified name of a resource, such as `users.iam.svc.app`: stores and caches use it. */
export function resourceName(name: ResourceName, domain: string): string {
  const end = name.indexOf('/');
  return `${name.slice(end + 1)}.${groupName(name.slice(0, end), domain)}`;
}
