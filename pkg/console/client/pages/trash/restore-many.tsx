import { wordsOf } from '../../lib/api.js';
import { useLoad } from '../../lib/load.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Failure, Skeleton } from '../../ui/states.js';
import { ComesBack } from '../object/history/comes-back.js';
import { type Restored, restore } from '../object/history/versions.js';
import { isFolderGone } from './gone-folder.js';
import { placeOf, said } from './restore-tree.js';
import { type Deleted, keyOf } from './trash.js';

interface Props {
  /** What was deleted at once. */
  readonly objects: readonly Deleted[];
  readonly namespace: string;
  readonly titles: ReadonlyMap<string, string>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Shows by dry runs what comes back of several objects that were deleted at once, and restores them. */
export function RestoreMany({ objects, namespace, titles, onClose, onDone }: Props) {
  const { state, reload } = useLoad(() => tryAll(objects, namespace), objects.map(keyOf));
  const { phase, value, error } = state.value;
  const run = async (): Promise<void> => {
    const { objects: count, leftOut } = await restoreAll(objects, namespace);
    said(count, leftOut.length);
    onDone();
  };
  return (
    <Dialog
      title="Bring all of it back?"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            look="primary"
            unavailable={value === undefined ? 'What comes back is not known yet.' : nothing(value)}
            onPress={run}
          >
            Restore
          </Button>
        </>
      }
    >
      <p>They were deleted at once.</p>
      {phase === 'loading' && <Skeleton rows={6} label="The server tries it" />}
      {phase === 'failed' && <Failure verb="restore" error={error} onRetry={reload} />}
      {value !== undefined && <ComesBack restored={value} titles={titles} />}
    </Dialog>
  );
}

const nothing = ({ objects }: Back): string | undefined => (objects === 0 ? 'Nothing of it can come back.' : undefined);

/** What came back of several deletions. */
type Back = Pick<Restored, 'objects' | 'restored' | 'leftOut'>;

const NOTHING: Back = { objects: 0, restored: [], leftOut: [] };

const sumOf = (a: Back, b: Back): Back => ({
  objects: a.objects + b.objects,
  restored: [...a.restored, ...b.restored],
  leftOut: [...a.leftOut, ...b.leftOut],
});

/**
 * What would come back. What lay in a folder that comes back, too, is counted alone: the server refuses it until then.
 */
async function tryAll(objects: readonly Deleted[], namespace: string): Promise<Back> {
  let sum = NOTHING;
  for (const one of objects) {
    const tried = await restore(placeOf(one, namespace), { isDryRun: true }).catch((error: unknown) =>
      isFolderGone(error) && objects.some(({ name }) => name === one.folder) ? alone(one) : refused(one, error),
    );
    sum = sumOf(sum, tried);
  }
  return sum;
}

function alone({ resource, name, title }: Deleted): Back {
  const apiVersion = `${resource.group}/${resource.version}`;
  return { objects: 1, restored: [{ apiVersion, kind: resource.kind, name, title }], leftOut: [] };
}

const refused = ({ title, name }: Deleted, error: unknown): Back => ({
  ...NOTHING,
  leftOut: [`${title || name}: ${wordsOf(error)}`],
});

/** Restores each. Those whose folder is not back yet are tried again after the others. */
async function restoreAll(objects: readonly Deleted[], namespace: string): Promise<Back> {
  let [sum, left] = [NOTHING, objects];
  for (let isProgress = true; isProgress && left.length > 0; ) {
    const later: Deleted[] = [];
    for (const one of left) {
      const done = await restore(placeOf(one, namespace), {}).catch((error: unknown) => {
        if (isFolderGone(error)) later.push(one);
        return isFolderGone(error) ? NOTHING : refused(one, error);
      });
      sum = sumOf(sum, done);
    }
    [isProgress, left] = [later.length < left.length, later];
  }
  return { ...sum, leftOut: [...sum.leftOut, ...left.map(({ title, name }) => title || name)] };
}
