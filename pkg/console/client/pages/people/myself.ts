import { ApiError, get } from '../../lib/api.js';
import { type Loading, useLoad } from '../../lib/load.js';
import { isAnonymous, me } from '../../lib/session.js';

/** The account of the caller. */
export interface Myself {
  readonly id: number;
  readonly uid: string;
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly orgId: number;
  readonly isGrafanaAdmin: boolean;
  readonly isExternal: boolean;
  readonly authLabels: readonly string[];
  readonly createdAt: string;
}

/** Undefined for callers who are not stored users: the operator, service accounts and anonymous callers. */
export function useMyself(): Loading<Myself | undefined> {
  return useLoad(load, [me.value?.username]);
}

async function load(signal: AbortSignal): Promise<Myself | undefined> {
  if (isAnonymous.value) return undefined;
  try {
    return await get<Myself>('/api/user', undefined, signal);
  } catch (error) {
    if (error instanceof ApiError && (error.code === 403 || error.code === 404)) return undefined;
    throw error;
  }
}
