import { useSignal } from '@preact/signals';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter-preact';
import { hasEnded, isReachable } from '../lib/api.js';
import { isUncovered } from '../lib/layers.js';
import { noSuchOrganization } from '../lib/own-organization.js';
import { namespace, other } from '../lib/session.js';
import { isReplaced } from '../lib/version.js';
import { isInFolders } from '../pages/folders/model/kinds.js';
import { extraFor } from '../pages/object/extras.js';
import { Button } from '../ui/button.js';
import { Confirmation } from '../ui/confirmation.js';
import { AtopDialogs } from '../ui/dialog.js';
import { Heading } from '../ui/heading.js';
import { Icon } from '../ui/icon.js';
import { Empty } from '../ui/states.js';
import { Toasts } from '../ui/toasts.js';
import { useRefusedPlaces } from './allowed.js';
import { GuessablePassword } from './guessable.js';
import { Head } from './head.js';
import { NAVIGATION } from './navigation.js';
import { NoSuchOrganization } from './no-such-organization.js';
import { OtherPerson } from './other-person.js';
import { places } from './places.js';
import { ROUTES } from './routes.js';
import { Shortcuts } from './shortcuts.js';
import { SignInAgain } from './sign-in-again.js';

/** The frame of all pages: the head, the navigation, the banners and the page. */
export function Shell() {
  const isOpen = useSignal(false);
  return (
    <AtopDialogs.Provider value={Banners}>
      <OtherPerson />
      <div class={`shell ${other.value === undefined ? '' : 'covered'}`}>
        <button type="button" class="button skip" onClick={skip}>
          Skip to the content
        </button>
        <Head isOpen={isOpen.value} onToggle={() => (isOpen.value = !isOpen.value)} />
        <Navigation isOpen={isOpen.value} onChoice={() => (isOpen.value = false)} />
        <div class="banners">
          <Banners />
          <GuessablePassword />
        </div>
        <main class="main" id="main" tabIndex={-1}>
          {noSuchOrganization.value === namespace.value ? <NoSuchOrganization /> : <Pages />}
        </main>
        <Shortcuts />
        <Confirmation />
        <Toasts isShown={isUncovered.value} />
      </div>
    </AtopDialogs.Provider>
  );
}

/** A page of another organization is another page, which shows nothing of this one. */
function Pages() {
  return (
    <Switch key={namespace.value}>
      {ROUTES.map(([path, Page]) => (
        <Route key={path} path={path}>
          {(params) => <Page params={params} />}
        </Route>
      ))}
      <Route path="/">
        <Redirect to={places.folders()} replace />
      </Route>
      <Route>
        <NoSuchPage />
      </Route>
    </Switch>
  );
}

/** A link to `#main` would leave the page, because it has a base address. */
function skip(): void {
  document.getElementById('main')?.focus();
}

function NoSuchPage() {
  return (
    <div class="page">
      <Heading>There is no such page</Heading>
      <Empty title="The console has no page at this address">
        <p>The address may be mistyped, or the link may be old.</p>
        <Link class="button" href={places.folders()}>
          All folders
        </Link>
      </Empty>
    </div>
  );
}

function Navigation({ isOpen, onChoice }: { readonly isOpen: boolean; readonly onChoice: () => void }) {
  const [location] = useLocation();
  const refused = useRefusedPlaces();
  return (
    <nav class={`nav ${isOpen ? 'open' : ''}`} aria-label="Main">
      {NAVIGATION.map((group) => (
        <ul key={group[0]?.[0]}>
          {group
            .filter(([to]) => !refused.has(to))
            .map(([to, label, icon]) => (
              <li key={to}>
                <Link href={to} onClick={onChoice} {...(isIn(location, to) && { 'aria-current': 'page' })}>
                  <Icon name={icon} />
                  {label}
                </Link>
              </li>
            ))}
        </ul>
      ))}
    </nav>
  );
}

function isIn(location: string, place: string): boolean {
  if (location === place || location.startsWith(`${place}/`)) return true;
  const [, group = '', resource = ''] = /^\/objects\/([^/]+)\/[^/]+\/([^/]+)\//.exec(location) ?? [];
  // Dashboards, and what else lies in folders.
  if (isInFolders({ group, resource })) return place === places.folders();
  return place === extraFor({ group, resource })?.list?.place;
}

/** Problems of the connection, the session or the page. They lose nothing that was typed. */
function Banners() {
  return (
    <div aria-live="polite">
      {!isReachable.value && (
        <div class="banner" role="status">
          The server cannot be reached. What is shown may be old. It is tried again until the server answers.
        </div>
      )}
      {hasEnded.value && <SignInAgain />}
      {isReplaced.value && (
        <div class="banner" role="status">
          <span class="grow">The server has a new version of the console.</span>
          <Button look="primary" onPress={() => location.reload()}>
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}
