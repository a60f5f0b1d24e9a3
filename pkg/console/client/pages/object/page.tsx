import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { groupIn, nameIn, places } from '../../app/places.js';
import { ownResource, type Resource, resourceNamed } from '../../lib/discovery.js';
import { opened } from '../../lib/opened.js';
import { Empty, Failure, Skeleton } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { EventsTab } from './events.js';
import { extraFor } from './extras.js';
import { Gone } from './gone.js';
import { ObjectHead } from './head.js';
import { HistoryTab } from './history/tab.js';
import { ManagersTab } from './managers.js';
import { Overview } from './overview.js';
import type { TabProps } from './props.js';
import { RelationsTab } from './relations.js';
import { titleOf } from './title.js';
import { type Found, type Place, useObject } from './use-object.js';
import { YamlTab } from './yaml/tab.js';
import './style.css';
import { Heading } from '../../ui/heading.js';

interface PageProps {
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** An object of any kind, live. */
export function ObjectPage({ params }: PageProps) {
  const { group = '', version = '', resource: plural = '', tab = 'overview' } = params;
  const [namespace, name] = [nameIn(params['namespace']), nameIn(params['name'])];
  const resource = resourceNamed(groupIn(group), plural, version);
  if (resource === undefined)
    return (
      <div class="page">
        <Heading area="All kinds" dir="auto">
          {name}
        </Heading>
        <Empty title="The server has no such kind">
          <p>
            It does not serve {plural} in {group}/{version}.
          </p>
        </Empty>
      </div>
    );
  const place = { resource, namespace: namespace === '-' ? '' : namespace, name };
  return <Live key={`${group}/${version}/${plural}/${namespace}/${name}`} place={place} tab={tab} />;
}

function Live({ place, tab }: { readonly place: Place; readonly tab: string }) {
  const [, go] = useLocation();
  const found = useObject(place);
  const { resource, namespace, name } = place;
  const isSeen = found.object !== undefined && resource === ownResource('dashboard', 'dashboards');
  useEffect(() => {
    if (isSeen) opened.add(namespace, [{ kind: 'dashboards', name }]);
  }, [isSeen, namespace, name]);
  const tabs = tabsOf(resource);
  const label = tabs.find(([id]) => id === tab)?.[1] ?? tab;
  return (
    <div class="page object-page">
      <ObjectHead place={place} found={found} part={tab === 'overview' ? undefined : label} />
      {found.phase === 'gone' && <Gone place={place} wasSeen={found.object !== undefined} />}
      {(found.phase !== 'gone' || found.object !== undefined || resource.subresources.includes('history')) && (
        <>
          <Tabs
            label={`Parts of ${titleOf(found.object) ?? name}`}
            tabs={tabs}
            value={tab}
            onValue={(to) => go(places.object(resource, namespace, name, to === 'overview' ? undefined : to))}
          />
          <section aria-label={label} class="object-tab">
            <Tab place={place} tab={tab} found={found} />
          </section>
        </>
      )}
    </div>
  );
}

function tabsOf(resource: Resource): readonly (readonly [id: string, label: string])[] {
  const extra = extraFor(resource);
  const all: readonly (readonly [string, string])[] = [
    ['overview', 'Overview'],
    ['yaml', 'YAML'],
    ['events', 'Events'],
    ...(resource.subresources.includes('history') ? [['history', 'History'] as const] : []),
    ['relations', 'Owners and dependents'],
    ['managers', 'Managers'],
    ...(extra?.tabs ?? []).map(({ id, label }) => [id, label] as const),
  ];
  const order = extra?.order ?? [];
  const first = order.flatMap((id) => all.filter(([one]) => one === id));
  return [...first, ...all.filter(([id]) => !order.includes(id))];
}

function Tab({ place, tab, found: { phase, object, error } }: { place: Place; tab: string; found: Found }) {
  if (tab === 'events') return <EventsTab place={place} uid={object?.metadata.uid} />;
  if (tab === 'history') return <HistoryTab {...place} />;
  if (phase === 'loading') return <Skeleton rows={10} label={`Loading ${place.name}`} />;
  if (phase === 'failed') return <Failure error={error} />;
  // What was typed stays when the object is deleted.
  if (tab === 'yaml' && (phase === 'there' || object !== undefined)) return <YamlTab {...place} />;
  if (object === undefined || tab === 'yaml')
    return <Empty title="There is nothing to show">What an object was is in its history, if its kind has one.</Empty>;
  if (tab === 'relations') return <RelationsTab place={place} object={object} />;
  if (tab === 'managers') return <ManagersTab object={object} />;
  const extra = extraFor(place.resource);
  const Extra = extra?.tabs?.find(({ id }) => id === tab)?.Tab;
  if (Extra !== undefined) return <Extra place={place} object={object} />;
  if (extra === undefined) return <Overview place={place} object={object} />;
  return (
    <div class="stack">
      <extra.Summary place={place} object={object} />
      <AllFields place={place} object={object} />
    </div>
  );
}

/** The overview of any kind, below that of this one. It is drawn when it is opened. */
function AllFields(props: TabProps) {
  const isOpen = useSignal(false);
  return (
    <details class="card object-fields-all" onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>All fields of the object</summary>
      {isOpen.value && <Overview {...props} />}
    </details>
  );
}
