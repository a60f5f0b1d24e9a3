import { useEffect, useMemo } from 'preact/hooks';
import type { KubeObject } from '../../lib/object.js';
import { useMay } from '../../lib/use-may.js';
import { Button } from '../../ui/button.js';
import type { SelectedProps } from '../kinds/props.js';
import { type Desk, DeskContext, newDesk } from './model/desk.js';
import { find } from './model/find.js';
import { type Chosen, MOST_CHOSEN } from './model/selection.js';
import { Tasks } from './tasks.js';
import { follow } from './tree/follow.js';

const TOO_MANY = `At most ${MOST_CHOSEN} can be changed at once.`;
const MANY_PLACES = 'Select objects of one organization only.';

/** What can be done with selected folders or dashboards of a table: the same as in the list of a folder. */
export function SelectedInFolders({ resource, selected, onDone, children }: SelectedProps) {
  const [namespace = '', ...others] = new Set(selected.map(({ metadata }) => metadata.namespace ?? ''));
  const desk = useMemo(() => newDesk(namespace), [namespace]);
  useEffect(() => {
    const controller = new AbortController();
    // The folders to move to.
    follow(desk.store, controller.signal);
    return () => controller.abort();
  }, [desk]);
  useEffect(() => {
    if (desk.done.value > 0) onDone();
  }, [desk.done.value]);
  const kind = resource.resource === 'folders' ? 'folders' : 'dashboards';
  const { unavailable: refused } = useMay('update', resource, { namespace });
  const many = others.length > 0 ? MANY_PLACES : selected.length > MOST_CHOSEN ? TOO_MANY : undefined;
  const begin = async (task: 'moveMany' | 'tagMany' | 'deleteMany'): Promise<void> => {
    desk.task.value = { kind: task, items: await chosenOf(desk, kind, selected) };
  };
  return (
    <DeskContext.Provider value={desk}>
      <Button unavailable={many ?? refused} onPress={() => begin('moveMany')}>
        Move…
      </Button>
      {kind === 'dashboards' && (
        <Button unavailable={many ?? refused} onPress={() => begin('tagMany')}>
          Tags…
        </Button>
      )}
      {many === undefined ? <Delete {...{ resource, namespace }} onPress={() => begin('deleteMany')} /> : children}
      <Tasks shownFolder={undefined} />
    </DeskContext.Provider>
  );
}

interface DeleteProps extends Pick<SelectedProps, 'resource'> {
  readonly namespace: string;
  readonly onPress: () => Promise<void>;
}

function Delete({ resource, namespace, onPress }: DeleteProps) {
  const { unavailable } = useMay('delete', resource, { namespace });
  return (
    <Button look="danger" unavailable={unavailable} onPress={onPress}>
      Delete…
    </Button>
  );
}

/** The selected objects with their titles and tags of now. */
async function chosenOf(
  { namespace }: Desk,
  kind: Chosen['kind'],
  selected: readonly KubeObject<unknown>[],
): Promise<readonly Chosen[]> {
  const names = selected.map(({ metadata }) => metadata.name);
  const type = kind === 'folders' ? 'folder' : 'dashboard';
  const { hits } = await find(namespace, { type, name: names.join(','), limit: names.length });
  return hits.map(({ name, title, tags = [] }) => ({ kind, name, title, tags }));
}
