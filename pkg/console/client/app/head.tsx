import { Link, useLocation } from 'wouter-preact';
import { MARK } from '../../mark.js';
import { prefix } from '../lib/api.js';
import { enter } from '../lib/namespace.js';
import { namespace, organizations } from '../lib/session.js';
import { Icon } from '../ui/icon.js';
import { Menu } from '../ui/menu.js';
import { AccountMenu } from './account-menu.js';
import { pageIn, places } from './places.js';
import { FindButton } from './shortcuts.js';

interface Props {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** The head of all pages. On a narrow page, it has the button for the navigation. */
export function Head({ isOpen, onToggle }: Props) {
  return (
    <header class="head">
      <button
        type="button"
        class="icon-button nav-toggle"
        aria-label="Navigation"
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        <Icon name="menu" />
      </button>
      <Link href={places.folders()} class="brand" aria-label="Dashboards">
        <svg
          width="24"
          height="24"
          viewBox="0 0 24 24"
          fill="currentColor"
          aria-hidden="true"
          dangerouslySetInnerHTML={{ __html: MARK }}
        />
        <span class="brand-name">Dashboards</span>
      </Link>
      <OrganizationMenu />
      <span class="grow" />
      <FindButton />
      <a class="button quiet api-link" href={`${prefix}/docs`}>
        API
      </a>
      <AccountMenu />
    </header>
  );
}

/** The organization whose objects are shown, and the others of the caller. */
function OrganizationMenu() {
  const [path] = useLocation();
  const known = organizations.value;
  const shown = known.find(({ name }) => name === namespace.value)?.title ?? namespace.value;
  const title = (
    <span class="cut organization" dir="auto">
      {shown}
    </span>
  );
  if (known.length < 2 && known.every(({ name }) => name === namespace.value)) return title;
  return (
    <Menu
      label={`Organization: ${shown}`}
      items={known.map((one) => ({
        label: one.title,
        note: one.title === one.name ? undefined : one.name,
        isChosen: one.name === namespace.value,
        run: () => enter(one.name, pageIn(path)),
      }))}
    >
      {title}
      <Icon name="down" />
    </Menu>
  );
}
