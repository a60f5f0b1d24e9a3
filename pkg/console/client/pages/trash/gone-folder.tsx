import { useEffect, useMemo } from 'preact/hooks';
import { ApiError } from '../../lib/api.js';
import { ownKey } from '../../lib/discovery.js';
import { Button } from '../../ui/button.js';
import { Notice } from '../../ui/states.js';
import { FolderPicker } from '../folders/actions/picker.js';
import { DeskContext, newDesk } from '../folders/model/desk.js';
import { follow } from '../folders/tree/follow.js';
import type { Deleted } from './trash.js';
import { isFolder } from './trees.js';

/** Whether a restore was refused because the folder of the object is gone, too. */
export function isFolderGone(error: unknown): boolean {
  const field = `metadata.annotations[${ownKey('folder')}]`;
  return error instanceof ApiError && error.causes.some((cause) => cause.field === field);
}

/** The deleted folders that an object lay in, the nearest first, as far as they are in the trash. */
export function foldersAbove(object: Deleted, deleted: readonly Deleted[]): readonly Deleted[] {
  const above: Deleted[] = [];
  for (let name = object.folder; name !== ''; ) {
    const folder = deleted.find((one) => isFolder(one) && one.name === name);
    if (folder === undefined || above.includes(folder)) break;
    above.push(folder);
    name = folder.folder;
  }
  return above;
}

interface Props {
  readonly above: readonly Deleted[];
  readonly onBoth: () => Promise<unknown>;
  readonly onElsewhere: () => void;
}

/** Says that the folder of the object is gone, and offers the two ways on. */
export function FolderGone({ above, onBoth, onElsewhere }: Props) {
  const [nearest] = above;
  return (
    <Notice look="warn">
      <div class="stack tight grow">
        {nearest === undefined ? (
          <p>The folder that it was in is gone, and not in the trash.</p>
        ) : (
          <p>
            Its folder <b dir="auto">{nearest.title || nearest.name}</b> was deleted, too.
          </p>
        )}
        <div class="row">
          {nearest !== undefined && (
            <Button look="primary" onPress={onBoth}>
              {above.length === 1 ? 'Restore both' : `Restore it and ${above.length} folders`}
            </Button>
          )}
          <Button onPress={onElsewhere}>Restore to another folder…</Button>
        </div>
      </div>
    </Notice>
  );
}

interface OtherFolderProps {
  readonly namespace: string;
  /** A folder that is restored and cannot lie in itself. Empty for other objects. */
  readonly without: string;
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

/** Chooses the folder into which something comes back. */
export function OtherFolder({ namespace, ...choice }: OtherFolderProps) {
  const desk = useMemo(() => newDesk(namespace), [namespace]);
  useEffect(() => {
    const controller = new AbortController();
    follow(desk.store, controller.signal);
    return () => controller.abort();
  }, [desk]);
  return (
    <DeskContext.Provider value={desk}>
      <FolderPicker {...choice} />
    </DeskContext.Provider>
  );
}
