import { useEffect } from 'preact/hooks';
import { Redirect, useLocation, useSearch } from 'wouter-preact';
import { groupIn, nameIn, places } from '../../app/places.js';
import { ownResource, resourceNamed } from '../../lib/discovery.js';
import { enter, namespace as shown } from '../../lib/namespace.js';
import { opened } from '../../lib/opened.js';
import { Empty } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { isFolders } from '../folders/model/kinds.js';
import { Gone } from './gone.js';
import { ObjectHead } from './head.js';
import { Part } from './part.js';
import { tabsOf } from './tab-names.js';
import { titleOf } from './title.js';
import { type Place, useObject } from './use-object.js';
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
  if (isFolders(resource)) return <ToFolder namespace={namespace} name={name} tab={tab} />;
  const place = { resource, namespace: namespace === '-' ? '' : namespace, name };
  return <Live key={`${group}/${version}/${plural}/${namespace}/${name}`} place={place} tab={tab} />;
}

/** A folder has one page, which is that of the tree. */
function ToFolder({
  namespace,
  name,
  tab,
}: {
  readonly namespace: string;
  readonly name: string;
  readonly tab: string;
}) {
  const query = new URLSearchParams(useSearch());
  query.set('tab', tab);
  const to = `${places.folders(name)}?${query}`;
  useEffect(() => {
    if (namespace !== shown.peek()) enter(namespace, to, { replace: true });
  }, [namespace, to]);
  return namespace === shown.value ? <Redirect to={to} replace /> : null;
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
            <Part place={place} tab={tab} found={found} />
          </section>
        </>
      )}
    </div>
  );
}
