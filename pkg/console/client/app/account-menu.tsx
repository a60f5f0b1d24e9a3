import { useLocation, useSearch } from 'wouter-preact';
import { prefix } from '../lib/api.js';
import { isAnonymous, loginOf, me, signInAddress } from '../lib/session.js';
import { Menu } from '../ui/menu.js';
import { places } from './places.js';
import { switchTheme, theme } from './theme.js';

export function AccountMenu() {
  const [, go] = useLocation();
  // The address of the sign-in page has the search of this one.
  useSearch();
  const name = me.value === undefined ? '' : loginOf(me.value);
  if (isAnonymous.value)
    return (
      <a class="button" href={signInAddress()}>
        Sign in
      </a>
    );
  return (
    <Menu
      label={`Account of ${name}`}
      items={[
        { label: 'Preferences and sessions', run: () => go(places.account()) },
        { label: theme.value === 'dark' ? 'Light colours' : 'Dark colours', run: switchTheme },
        { label: 'Documentation of the APIs', run: () => location.assign(`${prefix}/docs`) },
        { label: 'Sign out', run: () => location.assign(`${prefix}/logout`) },
      ]}
    >
      <span class="avatar" data-letters={initialsOf(name)} />
      <span class="cut account-name">{name}</span>
    </Menu>
  );
}

/** The first letters of the first two words of a login. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('')
    .toUpperCase();
}
