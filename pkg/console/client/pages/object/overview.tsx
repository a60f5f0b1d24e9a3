import { call } from '../../lib/api.js';
import { objectPath } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import type { KubeObject } from '../../lib/object.js';
import { AS_TABLE } from '../../lib/table-titles.js';
import { Card, Fact } from '../../ui/card.js';
import { Skeleton } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { FolderTitle } from '../folders/folder-title.js';
import { isInFolders } from '../folders/model/kinds.js';
import { BindingCell, referenceIn } from '../kinds/binding-cell.js';
import { Value } from '../kinds/grid.js';
import { type Cell, type Column, type Row, tableReader } from '../kinds/table.js';
import { Tree } from './tree.js';
import type { Place } from './use-object.js';

/** Members that have their own sections. */
const ELSEWHERE = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status']);

export function Overview({ place, object }: { readonly place: Place; readonly object: KubeObject }) {
  const { metadata, spec, status } = object;
  const others = Object.entries(object).filter(([name]) => !ELSEWHERE.has(name));
  return (
    <div class="object-overview">
      <div class="stack">
        <Card title="Facts">
          <Facts place={place} object={object} />
        </Card>
        <Conditions status={status} />
        <Card title="Labels">
          <Labels labels={metadata.labels} />
        </Card>
        <Card title="Annotations">
          <Pairs pairs={metadata.annotations} />
        </Card>
      </div>
      <div class="stack">
        {spec !== undefined && (
          <Card title="Spec">
            <Tree value={spec} label="Spec" />
          </Card>
        )}
        {status !== undefined && (
          <Card title="Status">
            <Tree value={status} label="Status" />
          </Card>
        )}
        {others.length > 0 && (
          <Card title="Content">
            <Tree value={Object.fromEntries(others)} label="Content" />
          </Card>
        )}
      </div>
    </div>
  );
}

interface ValueProps {
  readonly resource: Place['resource'];
  readonly namespace: string;
  readonly column: Column;
  readonly cell: Cell;
}

/** A folder, and whom a binding names, by the title. */
function FactValue({ resource, namespace, column, cell }: ValueProps) {
  if (column.name === 'Folder' && isInFolders(resource))
    return <FolderTitle namespace={namespace} name={String(cell)} />;
  const reference = referenceIn(resource, column, cell);
  return reference === undefined ? (
    <Value cell={cell} column={column} />
  ) : (
    <BindingCell text={reference} namespace={namespace} hasWord={reference === cell} />
  );
}

/** The cells of the table of the server, and the metadata. */
function Facts({ place: { resource, namespace, name }, object: { metadata } }: { place: Place; object: KubeObject }) {
  const { state } = useLoad(
    async (signal) => {
      let columns: readonly Column[] = [];
      const options = { accept: AS_TABLE, signal };
      const { body } = await call<unknown>('GET', objectPath(resource, namespace, name), options);
      const [row] = tableReader((read) => (columns = read))(body, false) as readonly Row[];
      return columns.map((column, at) => ({ column, cell: row?.cells[at] }));
    },
    [metadata.resourceVersion],
  );
  if (state.value.phase === 'loading') return <Skeleton rows={5} label="Loading the facts" />;
  const cells = (state.value.value ?? []).filter(
    ({ column, cell }) => column.name !== 'Name' && column.name !== 'Age' && cell !== '' && cell !== null,
  );
  return (
    <dl class="facts">
      {cells.map(({ column, cell }) => (
        <Fact key={column.name} name={column.name} title={column.description}>
          <FactValue resource={resource} namespace={namespace} column={column} cell={cell} />
        </Fact>
      ))}
      <Fact name="Created">
        <Time at={metadata.creationTimestamp} />
      </Fact>
      <Fact name="Generation">{metadata.generation}</Fact>
      <Fact name="Version">
        <span class="mono">{metadata.resourceVersion}</span>
      </Fact>
      <Fact name="UID">
        <span class="mono">{metadata.uid}</span>
      </Fact>
      {(metadata.finalizers ?? []).length > 0 && <Fact name="Finalizers">{metadata.finalizers?.join(', ')}</Fact>}
    </dl>
  );
}

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

function Conditions({ status }: { readonly status: KubeObject['status'] }) {
  const all = status?.['conditions'];
  if (!Array.isArray(all) || all.length === 0) return null;
  return (
    <Card title="Conditions">
      <ul class="object-list">
        {(all as readonly Condition[]).map(({ type, status: is, reason, message, lastTransitionTime }) => (
          <li key={type}>
            <div class="row">
              <strong>{type}</strong>
              <span class={`chip ${is === 'True' ? 'ok' : is === 'False' ? 'warn' : ''}`}>{is}</span>
              <span class="muted">
                {reason} <Time at={lastTransitionTime} />
              </span>
            </div>
            {message !== undefined && message !== '' && <p dir="auto">{message.slice(0, 1000)}</p>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Labels({ labels = {} }: { readonly labels: KubeObject['metadata']['labels'] | undefined }) {
  const all = Object.entries(labels);
  if (all.length === 0) return <p class="muted">None</p>;
  return (
    <ul class="row object-labels">
      {all.map(([name, value]) => (
        <li key={name} class="chip">
          {name}
          {value === '' ? '' : ` = ${value}`}
        </li>
      ))}
    </ul>
  );
}

function Pairs({ pairs = {} }: { readonly pairs: KubeObject['metadata']['annotations'] | undefined }) {
  const all = Object.entries(pairs);
  if (all.length === 0) return <p class="muted">None</p>;
  return <Tree value={Object.fromEntries(all)} label="Annotations" />;
}
