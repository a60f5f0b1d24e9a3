import { useRef } from 'preact/hooks';
import { Button } from '../../../ui/button.js';
import { useDesk } from '../model/desk.js';
import type { Selection } from '../model/selection.js';

/** What can be done with the selected rows. */
export function SelectionBar({ selection }: { readonly selection: Selection | undefined }) {
  return selection === undefined ? null : <Bar selection={selection} />;
}

function Bar({ selection }: { readonly selection: Selection }) {
  const { task } = useDesk();
  const bar = useRef<HTMLDivElement>(null);
  const items = [...selection.chosen.value.values()];
  const dashboards = items.filter(({ kind }) => kind === 'dashboards');
  // The button goes with the selection, and the focus would go with it.
  const clear = (): void => {
    bar.current?.focus();
    selection.clear();
  };
  return (
    <div ref={bar} class="selection-bar" role="group" aria-label="Selected objects" tabIndex={-1}>
      <span role="status">{items.length === 0 ? '' : `${items.length} selected`}</span>
      {items.length > 0 && (
        <>
          <Button onPress={() => (task.value = { kind: 'moveMany', items })}>Move…</Button>
          <Button
            unavailable={dashboards.length === 0 ? 'Only dashboards have tags.' : undefined}
            onPress={() => (task.value = { kind: 'tagMany', items: dashboards })}
          >
            Tags…
          </Button>
          <Button look="danger" onPress={() => (task.value = { kind: 'deleteMany', items })}>
            Delete…
          </Button>
          <Button look="quiet" onPress={clear}>
            Clear
          </Button>
        </>
      )}
    </div>
  );
}
