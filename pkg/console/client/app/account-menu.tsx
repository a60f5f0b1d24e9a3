import { useLocation, useSearch } from 'wouter-preact';
import { get, prefix } from '../lib/api.js';
import { objectPath, ownResource } from '../lib/discovery.js';
import { useLoad } from '../lib/load.js';
import type { KubeObject } from '../lib/object.js';
import { isAnonymous, loginOf, me, signInAddress } from '../lib/session.js';
import { Menu } from '../ui/menu.js';
import { places } from './places.js';
import { switchTheme, theme } from './theme.js';

export function AccountMenu() {
  const [, go] = useLocation();
  // The address of the sign-in page has the search of this one.
  useSearch();
  const login = me.value === undefined ? '' : loginOf(me.value);
  const name = useOwnName() || login;
  const isOther = name !== login;
  if (isAnonymous.value)
    return (
      <a class="button" href={signInAddress()}>
        Sign in
      </a>
    );
  return (
    <Menu
      label={isOther ? `Account of ${name} (${login})` : `Account of ${name}`}
      items={[
        { label: 'Preferences and sessions', run: () => go(places.account()) },
        { label: theme.value === 'dark' ? 'Light colours' : 'Dark colours', run: switchTheme },
        { label: 'Documentation of the APIs', run: () => location.assign(`${prefix}/docs`) },
        { label: 'Sign out', run: () => location.assign(`${prefix}/logout`) },
      ]}
    >
      <span class="avatar" data-letters={initialsOf(name)} />
      <bdi class="cut account-name" title={isOther ? login : undefined}>
        {name}
      </bdi>
    </Menu>
  );
}

/** What people call the caller. Undefined until the server has answered, and for callers who are no stored users. */
function useOwnName(): string | undefined {
  const users = ownResource('iam', 'users');
  const { uid = '', username = '' } = me.value ?? {};
  const path = users === undefined || uid === '' || username.startsWith('system:') ? '' : objectPath(users, '', uid);
  const load = async (signal: AbortSignal): Promise<string | undefined> =>
    path === '' ? undefined : (await get<KubeObject<{ name?: string }>>(path, undefined, signal)).spec?.name;
  return useLoad(load, [path]).state.value.value;
}

/** The first letters of the first two words of a name. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('')
    .toUpperCase();
}
