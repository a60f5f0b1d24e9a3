import type { LegacyCall } from '../../../registry/legacy/call.js';
import type { BindingSubject } from '../rolebinding/schema.js';

/**
 * Whether the caller may view the subject itself. Of a user, those who may view the membership see login and address,
 * too.
 */
export function mayView(call: LegacyCall, { kind, name }: BindingSubject): boolean {
  if (kind === 'BasicRole') return true;
  const kinds = kind === 'User' ? (['iam/OrganizationBinding', 'iam/User'] as const) : ([`iam/${kind}`] as const);
  return kinds.some((kind) => {
    const objects = call.hasKind(kind) ? call.objects(kind) : undefined;
    const entry = objects?.entry(name);
    return entry !== undefined && objects?.readFilter().allows(entry) === true;
  });
}

/**
 * The address of a user, for callers who may view it, and otherwise empty. The path of a picture is a hash of the
 * address, which confirms a guess, so it follows from what this returns.
 */
export function shownEmail(call: LegacyCall, name: string, email: string): string {
  return email !== '' && mayView(call, { kind: 'User', name }) ? email : '';
}
