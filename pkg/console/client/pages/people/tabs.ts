import { ApiError } from '../../lib/api.js';
import { ownResource } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import { may, me, namespace } from '../../lib/session.js';
import { accounts, members } from './legacy.js';

type TabOfPeople = readonly [id: string, label: string];

const ONE = { query: '', page: 1, perpage: 1 };

/** The tabs, each with the question whether it has something for the caller. */
const TABS: readonly (readonly [...TabOfPeople, isOpen: () => Promise<boolean>])[] = [
  ['users', 'Users', () => isAnswered(() => members(ONE))],
  // Everybody sees the teams that they are in.
  ['teams', 'Teams', async () => true],
  ['accounts', 'Service accounts', () => isAnswered(() => accounts(ONE))],
  ['roles', 'Roles', () => mayList('roles')],
  ['sign-on', 'Sign-on', () => mayList('ssosettings')],
];

const ALL = TABS.map(([id, label]): TabOfPeople => [id, label]);

/** Roles may allow to read a part of a list, so the list itself is asked for. */
async function isAnswered(load: () => Promise<unknown>): Promise<boolean> {
  try {
    await load();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return false;
    throw error;
  }
}

async function mayList(name: string): Promise<boolean> {
  const resource = ownResource('iam', name);
  const where = resource?.isNamespaced === true ? namespace.peek() : '';
  return resource !== undefined && (await may({ verb: 'list', resource, namespace: where })).allowed;
}

/** The tabs that have something for the caller. Undefined until the server has answered. */
export function useTabs(): readonly TabOfPeople[] | undefined {
  const { state } = useLoad(async () => {
    const open = await Promise.all(TABS.map(([, , isOpen]) => isOpen()));
    return ALL.filter((_, index) => open[index]);
  }, [me.value, namespace.value]);
  return state.value.phase === 'failed' ? ALL : state.value.value;
}
