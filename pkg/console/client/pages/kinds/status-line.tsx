import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Resource } from '../../lib/discovery.js';
import { useLater } from '../../lib/later.js';
import type { Live, LiveState } from '../../lib/live.js';
import { namespace } from '../../lib/session.js';
import { useMay } from '../../lib/use-may.js';
import { Button } from '../../ui/button.js';
import { report } from '../../ui/toasts.js';
import { isInFolders } from '../folders/model/kinds.js';
import type { SelectedProps } from './props.js';
import { remove } from './removal.js';
import type { Column, Row } from './table.js';
import { LARGE_PAGE } from './use-rest.js';

interface Props {
  readonly resource: Resource;
  readonly state: LiveState<Row>;
  readonly more: Live<Row>['more'] | undefined;
  /** The number of rows that match the text filter. */
  readonly shown: number;
  /** Whether the rows are sorted or filtered here. This covers only loaded rows. */
  readonly isArranged: boolean;
  /** Whether the rest is being loaded without being asked for. */
  readonly isLoadingRest: boolean;
  readonly selected: readonly Row[];
  readonly columns: readonly Column[];
  readonly onDone: () => void;
}

/** How many objects are shown, and the actions on selected rows. */
export function StatusLine(props: Props) {
  const { resource, state, more, shown, isArranged, isLoadingRest, selected, columns, onDone } = props;
  return (
    <div class="kind-status">
      <p class="grow muted" role="status">
        {summaryOf(state, shown, isArranged)}
      </p>
      {state.hasMore && !isLoadingRest && <LoadAll state={state} more={more} />}
      {selected.length > 0 && (
        <>
          <span class="chip">{selected.length.toLocaleString()} selected</span>
          <Button look="quiet" onPress={onDone}>
            Clear
          </Button>
          <Selected resource={resource} selected={selected} onDone={onDone}>
            <Remove resource={resource} selected={selected} columns={columns} onDone={onDone} />
          </Selected>
        </>
      )}
    </div>
  );
}

/** The kinds that are changed together as in the list of a folder. */
const MOVABLE = new Set(['folders', 'dashboards']);

/** The actions on selected rows. */
function Selected(props: SelectedProps) {
  const { resource, children } = props;
  if (isInFolders(resource) && MOVABLE.has(resource.resource)) return <InFolders {...props} />;
  return children;
}

function InFolders(props: SelectedProps) {
  const { value: Loaded, error } = useLater(async () => (await import('../folders/selected.js')).SelectedInFolders)
    .state.value;
  if (Loaded !== undefined) return <Loaded {...props} />;
  return error === undefined ? null : props.children;
}

function summaryOf({ phase, items, remaining, hasMore }: LiveState<Row>, shown: number, isArranged: boolean): string {
  if (phase !== 'live') return '';
  const [loaded, all] = [items.size.toLocaleString(), (items.size + remaining).toLocaleString()];
  const matching = shown === items.size ? '' : `${shown.toLocaleString()} match. `;
  if (!hasMore) return `${matching}${loaded} ${items.size === 1 ? 'object' : 'objects'}`;
  // The server does not count the rest of a list with a selector.
  const rest = `${matching}${loaded} ${remaining === 0 ? 'loaded, and there are more' : `of ${all} loaded`}.`;
  return isArranged ? `${rest} Only these are sorted and filtered.` : rest;
}

function LoadAll({ state, more }: Pick<Props, 'state' | 'more'>) {
  const isRunning = useSignal(false);
  const latest = useRef(state);
  latest.current = state;
  useEffect(
    () => () => {
      isRunning.value = false;
    },
    [],
  );
  const load = async (): Promise<void> => {
    isRunning.value = true;
    try {
      while (isRunning.value && latest.current.hasMore) {
        await more?.(LARGE_PAGE);
        // Between two requests, the browser draws, so that the page stays usable.
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    } finally {
      isRunning.value = false;
    }
  };
  if (!isRunning.value) return <Button onPress={() => void load().catch(report)}>Load all</Button>;
  const { items, remaining } = state;
  return (
    <>
      <progress aria-label="Loaded" {...(remaining > 0 && { max: items.size + remaining, value: items.size })} />
      <Button onPress={() => (isRunning.value = false)}>Stop</Button>
    </>
  );
}

function Remove({ resource, selected, columns, onDone }: Pick<Props, 'resource' | 'selected' | 'columns' | 'onDone'>) {
  const { unavailable } = useMay('delete', resource, {
    namespace: resource.isNamespaced ? (selected[0]?.metadata.namespace ?? namespace.value) : '',
  });
  return (
    <Button
      look="danger"
      unavailable={unavailable}
      onPress={async () => {
        if (await remove(resource, selected, columns)) onDone();
      }}
    >
      Delete…
    </Button>
  );
}
