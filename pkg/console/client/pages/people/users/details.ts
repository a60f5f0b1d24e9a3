import { ApiError } from '../../../lib/api.js';
import { type Person, read } from '../legacy.js';

export interface UserDetails {
  readonly id: number;
  readonly uid: string;
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly isGrafanaAdmin: boolean;
  readonly isDisabled: boolean;
  readonly isExternal: boolean;
  readonly authLabels: readonly string[];
  readonly isProvisioned?: boolean;
  readonly createdAt: string;
  /** Undefined if the caller may read only the membership. */
  readonly updatedAt?: string;
  readonly accessControl?: Readonly<Record<string, boolean>>;
  /** The role in the shown organization. Undefined if the user is not a member. */
  readonly role: string | undefined;
}

/** A user of the server. For callers who administer only the organization, it is read from the list of its members. */
export async function loadUser(name: string, signal: AbortSignal): Promise<UserDetails> {
  type Member = Person & { readonly userId: number };
  const [member] = await read<readonly Member[]>('/api/org/users', { uid: name }, signal).catch(() => []);
  try {
    const path = `/api/users/${encodeURIComponent(name)}`;
    const user = await read<Omit<UserDetails, 'role'>>(path, { accesscontrol: true }, signal);
    return { ...user, role: member?.role };
  } catch (error) {
    if (member === undefined || !(error instanceof ApiError && error.code === 403)) throw error;
    const { userId: id, created: createdAt = '', role, ...rest } = member;
    return { ...rest, id, createdAt, role, isGrafanaAdmin: false, isExternal: rest.authLabels.length > 0 };
  }
}
