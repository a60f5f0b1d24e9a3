import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import type { KubeObject } from '../../../lib/object.js';
import { Button } from '../../../ui/button.js';
import { setPrivate } from './change.js';
import type { FolderAccess } from './entries.js';
import { propose } from './propose.js';

interface Props {
  readonly folder: KubeObject;
  readonly access: FolderAccess;
  readonly onDone: () => void;
  readonly unavailable: string | undefined;
}

/** Whether the viewers and editors of the organization have access, and the one step that changes it. */
export function Privacy({ folder, access, onDone, unavailable }: Props) {
  const { chain, isPrivate, isCut } = access;
  const top = chain.at(-1);
  if (isCut)
    return <p class="muted">A folder above this one is not shown to you. It decides whether this folder is private.</p>;
  const words = isPrivate
    ? 'Viewers and editors of the organization have no access by their role.'
    : 'Viewers of the organization may view, and editors may edit.';
  const change = async (): Promise<void> => {
    const isDone = await propose(
      {
        change: setPrivate(folder, !isPrivate),
        title: isPrivate ? 'Open this folder to the organization' : 'Make this folder private',
        action: isPrivate ? 'Make it public' : 'Make it private',
        done: isPrivate ? 'The folder is public in the organization.' : 'The folder is private.',
      },
      access,
    );
    if (isDone) onDone();
  };
  return (
    <div class="row apart access-privacy">
      <p class="grow">
        <span class={`chip ${isPrivate ? 'warn' : ''}`}>{isPrivate ? 'Private' : 'Public'}</span> {words}{' '}
        {top !== undefined && chain.length > 1 && (
          <>
            The folder at the top decides this for all that lies in it:{' '}
            <Link href={places.folders(top.metadata.name)} dir="auto">
              {String(top.spec?.['title'] ?? top.metadata.name)}
            </Link>
            .
          </>
        )}
      </p>
      {chain.length === 1 && (
        <Button unavailable={unavailable} onPress={change}>
          {isPrivate ? 'Make public' : 'Make private'}
        </Button>
      )}
    </div>
  );
}
