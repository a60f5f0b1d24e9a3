import { groupOf, pathOf, type Resource, resourceNamed } from '../../lib/discovery.js';
import { useLive } from '../../lib/live.js';
import type { KubeObject } from '../../lib/object.js';
import { LongText } from '../../ui/long-text.js';
import { ScrollBox } from '../../ui/scroll-box.js';
import { Empty, Failure, Skeleton } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import type { Place } from './use-object.js';

interface Event extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly action?: string;
  readonly note?: string;
  readonly eventTime?: string | null;
  readonly deprecatedLastTimestamp?: string | null;
  readonly deprecatedCount?: number;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
  readonly reportingController?: string;
  readonly deprecatedSource?: { readonly component?: string };
  readonly regarding?: { readonly apiVersion?: string; readonly uid?: string };
}

/**
 * Whether an event is about the kind in this group: kinds of several groups may have one name. Selectors know no group,
 * and some writers send none.
 */
function isAbout({ regarding }: Event, { group }: Resource): boolean {
  return regarding?.apiVersion === undefined || groupOf(regarding.apiVersion) === group;
}

/** The events about an object, the newest first, live. */
export function EventsTab({ place, uid }: { readonly place: Place; readonly uid: string | undefined }) {
  const { resource, namespace, name } = place;
  const events = resourceNamed('events.k8s.io', 'events');
  const fieldSelector = `regarding.name=${name},regarding.kind=${resource.kind}`;
  const path = events && pathOf(events, namespace);
  const state = useLive<Event>(path, { query: { fieldSelector } })?.state.value;
  if (events === undefined) return <Empty title="The server keeps no events" />;
  if (state?.phase === 'failed') return <Failure error={state.error} />;
  if (state === undefined || state.phase === 'loading') return <Skeleton rows={6} label="Loading events" />;
  const all = [...state.items.values()]
    .filter((one) => isAbout(one, resource))
    .sort((a, b) => lastOf(b).localeCompare(lastOf(a)));
  if (all.length === 0)
    return (
      <Empty title="No events">
        <p>Controllers report here what they did with this object. Events are kept for a limited time.</p>
      </Empty>
    );
  return (
    <ScrollBox label={`Events of ${name}`}>
      <table class="table object-events">
        <thead>
          <tr>
            <th scope="col">Last seen</th>
            <th scope="col">Type</th>
            <th scope="col">Reason</th>
            <th scope="col">Message</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {all.map((event) => (
            <Line
              key={event.metadata.uid}
              event={event}
              isEarlier={uid !== undefined && (event.regarding?.uid ?? uid) !== uid}
            />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function lastOf({ series, eventTime, deprecatedLastTimestamp, metadata }: Event): string {
  return series?.lastObservedTime || deprecatedLastTimestamp || eventTime || metadata.creationTimestamp || '';
}

function Line({ event, isEarlier }: { readonly event: Event; readonly isEarlier: boolean }) {
  const { type, reason, action, note, series, deprecatedCount } = event;
  const count = series?.count ?? deprecatedCount ?? 1;
  return (
    <tr>
      <td>
        <Time at={lastOf(event)} />
        {count > 1 && <span class="muted"> · {count.toLocaleString()} times</span>}
      </td>
      <td>
        <span class={`chip ${type === 'Warning' ? 'warn' : ''}`}>{type}</span>
      </td>
      <td class="reason">
        {reason}
        {action !== undefined && action !== '' && action !== reason && <span class="muted"> · {action}</span>}
      </td>
      <td dir="auto">
        <LongText text={note ?? ''} /> {isEarlier && <span class="chip">an earlier object of this name</span>}
      </td>
      <td class="from">{event.reportingController || event.deprecatedSource?.component}</td>
    </tr>
  );
}
