import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { groupIn, places } from '../../app/places.js';
import { ApiError, wordsOf } from '../../lib/api.js';
import { pathOf, type Resource, resourceNamed } from '../../lib/discovery.js';
import { type LiveState, useLive } from '../../lib/live.js';
import { namespace } from '../../lib/session.js';
import { AS_TABLE, isTitle } from '../../lib/table-titles.js';
import { useMay } from '../../lib/use-may.js';
import { Empty, Failure, Skeleton } from '../../ui/states.js';
import { report } from '../../ui/toasts.js';
import { Filters } from './filters.js';
import { KindGrid } from './grid.js';
import { KindHead } from './head.js';
import { useShownCells } from './shown-cells.js';
import { StatusLine } from './status-line.js';
import { arranged, type Column, type Row, tableReader } from './table.js';
import { useRest } from './use-rest.js';
import { useView, type View } from './view.js';
import './style.css';
import { Heading } from '../../ui/heading.js';

interface PageProps {
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** The objects of a kind, in the table that the server makes. */
export function KindPage({ params: { group = '', version = '', resource: plural = '' } }: PageProps) {
  const resource = resourceNamed(groupIn(group), plural, version);
  if (resource === undefined)
    return (
      <div class="page">
        <Heading area="All kinds">{plural}</Heading>
        <Empty title="The server has no such kind">
          <p>
            It does not serve {plural} in {group}/{version}. The definition of the kind may have been deleted.
          </p>
        </Empty>
      </div>
    );
  return <Objects key={`${group}/${version}/${plural}`} resource={resource} />;
}

function Objects({ resource }: { readonly resource: Resource }) {
  const view = useView();
  const columns = useSignal<readonly Column[]>([]);
  const optional = useSignal<ReadonlySet<string>>(new Set());
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const place = resource.isNamespaced && !view.isEverywhere ? namespace.value : '';
  const found = useLive<Row>(pathOf(resource, place), {
    accept: AS_TABLE,
    ...(view.labels !== '' && { query: { labelSelector: view.labels } }),
    read: tableReader((read) => (columns.value = read)),
  });
  const state = found?.state.value ?? NOTHING;
  const order = useMemo(() => orderOf(view, columns.value), [view.sort, columns.value]);
  const isArranged = view.text !== '' || order !== undefined;
  const { shown, version } = useShownCells(resource, columns.value, state.items, isArranged);
  const rows = useMemo(
    () => arranged(state.items.values(), view.text, order, shown),
    [state.items, view.text, order, version],
  );
  const isLoadingRest = useRest(state, found?.more, isArranged);
  const chosen = useComputed(() => new Set([...selected.value].filter((key) => found?.state.value.items.has(key))));
  const refused = state.error instanceof ApiError && state.error.code === 400 && view.labels !== '';
  return (
    <div class="page kind-page">
      <KindHead resource={resource} place={place} columns={columns.value} optional={optional} />
      <Filters resource={resource} view={view} problem={refused ? wordsOf(state.error) : undefined} />
      <StatusLine
        resource={resource}
        state={state}
        more={found?.more}
        shown={rows.length}
        isArranged={isArranged}
        isLoadingRest={isLoadingRest}
        selected={[...chosen.value].flatMap((key) => state.items.get(key) ?? [])}
        columns={columns.value}
        onDone={() => (selected.value = new Set())}
      />
      <Body {...{ resource, state, rows, view, isLoadingRest, isRefused: refused }}>
        <KindGrid
          resource={resource}
          rows={rows}
          columns={columns.value
            .map((column, at) => ({ column, at }))
            .filter(({ column: { priority, name } }) => priority === 0 || optional.value.has(name))
            .sort((a, b) => Number(isTitle(b.column)) - Number(isTitle(a.column)))}
          hasNamespaces={resource.isNamespaced && view.isEverywhere}
          total={view.text === '' ? state.items.size + state.remaining : rows.length}
          order={order}
          onOrder={(next) => {
            const name = next === undefined ? '' : (columns.value[next.column]?.name ?? '');
            view.set({ sort: next?.isDescending === true ? `-${name}` : name });
          }}
          selected={chosen.value}
          onSelected={(keys) => (selected.value = keys)}
          onEnd={view.text === '' && state.hasMore ? () => void found?.more().catch(report) : undefined}
        />
      </Body>
    </div>
  );
}

const NOTHING: LiveState<Row> = { phase: 'loading', items: new Map(), remaining: 0, hasMore: false };

function orderOf({ sort }: View, columns: readonly Column[]) {
  const isDescending = sort.startsWith('-');
  const column = columns.findIndex(({ name }) => name === sort.slice(isDescending ? 1 : 0));
  return sort === '' || column < 0 ? undefined : { column, isDescending };
}

interface BodyProps {
  readonly resource: Resource;
  readonly state: LiveState<Row>;
  readonly rows: readonly Row[];
  readonly view: View;
  readonly isRefused: boolean;
  readonly isLoadingRest: boolean;
  readonly children: ComponentChildren;
}

/** The table, or why there is none. */
function Body({ resource, state, rows, view, isRefused, isLoadingRest, children }: BodyProps) {
  const { phase, error, items, hasMore } = state;
  if (phase === 'loading') return <Skeleton rows={12} label={`Loading ${resource.resource}`} />;
  if (phase === 'failed')
    return isRefused ? <Empty title="The server does not understand the label filter" /> : <Failure error={error} />;
  if (rows.length > 0) return <>{children}</>;
  if (isLoadingRest) return <Skeleton rows={12} label="Loading the rest of the rows" />;
  if (items.size > 0)
    return (
      <Empty
        title={
          hasMore ? `None of the ${items.size.toLocaleString()} loaded rows has this text` : 'No row has this text'
        }
      >
        {hasMore && <p>There are more. “Load all” loads them.</p>}
        <button type="button" class="button" onClick={() => view.set({ text: '' })}>
          Show all rows
        </button>
      </Empty>
    );
  return (
    <Empty title={view.labels === '' ? `There are no ${resource.resource} here` : 'No object has these labels'}>
      {resource.verbs.includes('create') && view.labels === '' && <First resource={resource} />}
    </Empty>
  );
}

/** Is shown if there are no objects: how to create one, for callers who may. */
function First({ resource }: { readonly resource: Resource }) {
  const { allowed } = useMay('create', resource, { namespace: resource.isNamespaced ? namespace.value : '' });
  if (allowed !== true) return <p>You see those that you may view. Another organization may have some.</p>;
  return (
    <p>
      <Link href={places.create(resource)}>Create the first one</Link>
      {resource.isNamespaced && ', or choose another organization'}.
    </p>
  );
}
