import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import type { KubeObject } from '../../../lib/object.js';
import { Button } from '../../../ui/button.js';
import { type Counts, countsBelow } from '../model/find.js';
import { counted } from '../model/kinds.js';
import { setPrivate } from './change.js';
import type { FolderAccess } from './entries.js';
import { propose } from './propose.js';
import { targetOf } from './target.js';

interface Props {
  readonly folder: KubeObject;
  readonly access: FolderAccess;
  readonly onDone: () => void;
  readonly unavailable: string | undefined;
}

/** Whether the viewers and editors of the organization have access, and the one step that changes it. */
export function Privacy({ folder, access, onDone, unavailable }: Props) {
  const { isPrivate, privateAbove } = access;
  const { word } = targetOf(folder);
  const change = async (): Promise<void> => {
    const isDone = await propose(
      {
        change: setPrivate(folder, !isPrivate),
        title: isPrivate ? `Open this ${word} to the organization` : `Make this ${word} private`,
        action: isPrivate ? 'Open it' : 'Make it private',
        note: await belowWords(folder),
        done: isPrivate ? `The ${word} is no longer private by itself.` : `The ${word} is private.`,
      },
      access,
    );
    if (isDone) onDone();
  };
  const isClosed = isPrivate || privateAbove !== undefined;
  return (
    <div class="row apart access-privacy">
      <p class="grow">
        <span class={`chip ${isClosed ? 'warn' : ''}`}>{isClosed ? 'Private' : 'Open to the organization'}</span>{' '}
        <Words {...access} />
      </p>
      <Button unavailable={unavailable} onPress={change}>
        {isPrivate ? 'Open to the organization' : 'Make private'}
      </Button>
    </div>
  );
}

/** How much lies below a folder, for which the change holds, too. Undefined if nothing does, or if it is not known. */
async function belowWords(object: KubeObject): Promise<string | undefined> {
  const { namespace = '', name } = object.metadata;
  if (targetOf(object).word !== 'folder') return undefined;
  const { folders = 0, dashboards = 0 } = await countsBelow(namespace, name).catch((): Counts => ({}));
  if (folders + dashboards === 0) return undefined;
  const subfolders = folders === 1 ? '1 subfolder' : `${folders.toLocaleString('en')} subfolders`;
  const all = [
    ...(folders === 0 ? [] : [subfolders]),
    ...(dashboards === 0 ? [] : [counted('dashboards', dashboards)]),
  ];
  return `It holds for what lies in it, too: ${all.join(' and ')}.`;
}

function Words({ chain, isPrivate, privateAbove, isCut }: FolderAccess) {
  if (isPrivate)
    return (
      <>
        What viewers and editors of the organization may do by their role does not hold here, only what is listed below.{' '}
        {chain.length > 1 && 'Others keep what they have on the folders above. '}
        {privateAbove !== undefined && <Above folder={privateAbove} isToo />}
      </>
    );
  if (privateAbove !== undefined) return <Above folder={privateAbove} />;
  if (isCut) return <>A folder above this one is not shown to you. If it is private, this one is, too.</>;
  const words = 'Viewers of the organization may view, and editors may edit.';
  return <>{chain.length > 1 ? `${words} The folders above are open to it, too.` : words}</>;
}

/** Says that a folder above is private, which decides about this one. */
function Above({ folder, isToo = false }: { readonly folder: KubeObject; readonly isToo?: boolean }) {
  return (
    <>
      {isToo ? 'It also lies' : 'It lies'} in a private folder, where viewers and editors have no access by their role:{' '}
      <Link href={places.folders(folder.metadata.name)} dir="auto">
        {String(folder.spec?.['title'] ?? folder.metadata.name)}
      </Link>
      .
    </>
  );
}
