import { Link } from 'wouter-preact';
import { member } from '../../../../dashboards/model.js';
import { places } from '../../app/places.js';
import { ownResource } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import { getIn } from '../../lib/organization.js';
import { Failure, Skeleton } from '../../ui/states.js';
import { PanelLine } from '../dashboard/panel-list.js';
import { panelOf, textOf } from '../dashboard/panels.js';
import { find, type Hit } from '../folders/model/find.js';
import type { TabProps } from '../object/props.js';
import '../dashboard/style.css';

/** The most dashboards that are shown. */
const MOST = 100;

/** A library element for reading: its panel with its queries, and the dashboards that show it. */
export function ElementSummary({ place, object: { spec, metadata } }: TabProps) {
  const isPanel = member(spec, 'kind') !== 2;
  const description = textOf(spec, 'description');
  return (
    <div class="object-overview">
      <Users namespace={place.namespace} name={metadata.name} />
      <section class="card stack tight" aria-label={isPanel ? 'Panel' : 'Variable'}>
        <h2>{isPanel ? 'Panel' : 'Variable'}</h2>
        <PanelLine panel={{ ...panelOf(member(spec, 'model')), description }} namespace={place.namespace} />
      </section>
    </div>
  );
}

interface Dashboards {
  readonly hits: readonly Hit[];
  readonly total: number;
}

async function usersOf(namespace: string, name: string, signal: AbortSignal): Promise<Dashboards> {
  const path = `/api/library-elements/${encodeURIComponent(name)}/connections`;
  type Connections = { readonly result: readonly { readonly connectionUid: string }[] };
  const { result } = await getIn<Connections>(namespace, path, {}, signal);
  const uids = result.slice(0, MOST).map(({ connectionUid }) => connectionUid);
  if (uids.length === 0) return { hits: [], total: 0 };
  const query = { type: 'dashboard', name: uids.join(','), limit: MOST } as const;
  return { hits: (await find(namespace, query, signal)).hits, total: result.length };
}

function Users({ namespace, name }: { readonly namespace: string; readonly name: string }) {
  const { state, reload } = useLoad((signal) => usersOf(namespace, name, signal), [namespace, name]);
  const { value, phase, error } = state.value;
  const dashboards = ownResource('dashboard', 'dashboards');
  return (
    <section class="card stack tight" aria-label="Used in">
      <h2>Used in</h2>
      {phase === 'loading' && <Skeleton rows={2} />}
      {phase === 'failed' && <Failure error={error} onRetry={reload} />}
      {value?.total === 0 && <p class="muted">No dashboard that you may view shows it.</p>}
      <ul class="object-list">
        {value?.hits.map((hit) => (
          <li key={hit.name} class="cut" dir="auto">
            {dashboards === undefined ? (
              hit.title
            ) : (
              <Link href={places.object(dashboards, namespace, hit.name)}>{hit.title.slice(0, 300)}</Link>
            )}
          </li>
        ))}
      </ul>
      {value !== undefined && value.total > value.hits.length && (
        <p class="muted">and {(value.total - value.hits.length).toLocaleString()} more</p>
      )}
    </section>
  );
}
