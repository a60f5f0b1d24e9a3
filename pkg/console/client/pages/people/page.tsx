import { useLocation } from 'wouter-preact';
import { places } from '../../app/places.js';
import { isAnonymous } from '../../lib/session.js';
import { Empty } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { AccountsTab } from './accounts/tab.js';
import { RolesTab } from './roles/tab.js';
import { SignOnTab } from './signon/tab.js';
import { TeamsTab } from './teams/tab.js';
import { UsersTab } from './users/tab.js';
import './style.css';
import { Heading } from '../../ui/heading.js';

const TABS = [
  ['users', 'Users'],
  ['teams', 'Teams'],
  ['accounts', 'Service accounts'],
  ['roles', 'Roles'],
  ['sign-on', 'Sign-on'],
] as const;

/** Users, teams, service accounts, roles and sign-on. */
export function PeoplePage({
  params: { tab = 'users' },
}: {
  readonly params: Readonly<Record<string, string | undefined>>;
}) {
  const [, go] = useLocation();
  return (
    <div class="page">
      <Heading>People</Heading>
      {isAnonymous.value ? (
        <Empty title="People can be seen after signing in">
          <p>You use the server without an account. Sign in to see users, teams and roles.</p>
        </Empty>
      ) : (
        <>
          <Tabs tabs={TABS} value={tab} label="Kinds of people" onValue={(id) => go(places.people(id))} />
          <section class="people-tab" aria-label={TABS.find(([id]) => id === tab)?.[1] ?? tab}>
            <Tab name={tab} />
          </section>
        </>
      )}
    </div>
  );
}

function Tab({ name }: { readonly name: string }) {
  switch (name) {
    case 'users':
      return <UsersTab />;
    case 'teams':
      return <TeamsTab />;
    case 'accounts':
      return <AccountsTab />;
    case 'roles':
      return <RolesTab />;
    case 'sign-on':
      return <SignOnTab />;
    default:
      return <Empty title="There is no such tab" />;
  }
}
