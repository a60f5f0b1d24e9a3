import { useLocation } from 'wouter-preact';
import { places } from '../../app/places.js';
import { isAnonymous } from '../../lib/session.js';
import { Refused } from '../../ui/refused.js';
import { Empty, Skeleton } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { AccountsTab } from './accounts/tab.js';
import { RolesTab } from './roles/tab.js';
import { SignOnTab } from './signon/tab.js';
import { useTabs } from './tabs.js';
import { TeamsTab } from './teams/tab.js';
import { UsersTab } from './users/tab.js';
import './style.css';
import { Heading } from '../../ui/heading.js';

/** Users, teams, service accounts, roles and sign-on. */
export function PeoplePage({
  params: { tab: asked },
}: {
  readonly params: Readonly<Record<string, string | undefined>>;
}) {
  const [, go] = useLocation();
  const tabs = useTabs();
  const tab = asked ?? tabs?.[0]?.[0];
  const label = tabs?.find(([id]) => id === tab)?.[1];
  return (
    <div class="page">
      <Heading part={label}>People</Heading>
      {isAnonymous.value ? (
        <Refused what="users, teams and roles" />
      ) : (
        <>
          <Tabs tabs={tabs ?? []} value={tab ?? ''} label="Kinds of people" onValue={(id) => go(places.people(id))} />
          {tab === undefined ? (
            <Skeleton />
          ) : (
            <section class="people-tab" aria-label={label ?? tab}>
              <Tab name={tab} />
            </section>
          )}
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
