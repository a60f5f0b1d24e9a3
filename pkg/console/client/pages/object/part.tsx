import { useSignal } from '@preact/signals';
import { Empty, Failure, Skeleton } from '../../ui/states.js';
import { EventsTab } from './events.js';
import { extraFor } from './extras.js';
import { HistoryTab } from './history/tab.js';
import { ManagersTab } from './managers.js';
import { Overview } from './overview.js';
import type { TabProps } from './props.js';
import { RelationsTab } from './relations.js';
import { type Found, type Place, useObject } from './use-object.js';
import { YamlTab } from './yaml/tab.js';
import './style.css';

interface Props {
  readonly place: Place;
  readonly tab: string;
}

/** A tab of an object, on a page that has its own head. */
export function ObjectPart(props: Props) {
  return <Part {...props} found={useObject(props.place)} />;
}

/** The content of a tab. */
export function Part({ place, tab, found: { phase, object, error } }: Props & { readonly found: Found }) {
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
