import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { get } from '../../../lib/api.js';
import { objectPath } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import { Author } from '../../../ui/author.js';
import { Button } from '../../../ui/button.js';
import { Elsewhere } from '../../../ui/elsewhere.js';
import { Heading } from '../../../ui/heading.js';
import { Empty } from '../../../ui/states.js';
import { Time } from '../../../ui/time.js';
import { tell } from '../../../ui/toasts.js';
import { restore, subjectOf } from '../actions/requests.js';
import { useDesk } from '../model/desk.js';
import { folders } from '../model/kinds.js';
import { notBack, quoted } from '../model/words.js';

interface Deletion {
  readonly by?: string;
  readonly at?: string;
}

interface History {
  readonly versions: readonly { readonly deleted?: Deletion }[];
}

/** In place of a folder that is not there. `title` is that under which the person has seen it before. */
export function Gone({ name, title }: { readonly name: string; readonly title: string | undefined }) {
  const deleted = useDeletion(name);
  return (
    <>
      <Heading area="Folders" dir="auto">
        {title ?? (deleted === undefined ? 'No such folder' : 'A deleted folder')}
      </Heading>
      <Empty
        title={
          title === undefined && deleted === undefined
            ? `There is no folder “${name}” that you may view`
            : 'This folder is not there any more'
        }
      >
        {deleted === undefined ? (
          <p>
            If it was deleted, it may come back from the <Link href={places.trash()}>trash</Link>.
          </p>
        ) : (
          <>
            <p>
              <Author by={deleted.by} in={{ resource: folders(), name }} /> has deleted it <Time at={deleted.at} />. It
              can be restored from the <Link href={places.trash()}>trash</Link>, and its{' '}
              <Link href={`${places.folders(name)}?tab=history`}>history</Link> tells what it was.
            </p>
            <Restore name={name} title={title} />
          </>
        )}
        <Elsewhere resource={folders()} name={name} placeIn={() => places.folders(name)} />
      </Empty>
    </>
  );
}

/** Brings back the folder, with all that was deleted with it. */
function Restore({ name, title }: { readonly name: string; readonly title: string | undefined }) {
  const { namespace, done } = useDesk();
  const run = async (): Promise<void> => {
    const { leftOut } = await restore(subjectOf(namespace, { kind: 'folders', name }));
    done.value++;
    tell(`${quoted(title ?? name)} is back.${notBack(leftOut)}`);
  };
  return <Button onPress={run}>Restore</Button>;
}

/** Who has deleted the folder, if the caller may know. */
function useDeletion(name: string): Deletion | undefined {
  const { namespace } = useDesk();
  const path = `${objectPath(folders(), namespace, name)}/history`;
  const { state } = useLoad((signal) => get<History>(path, {}, signal), [path]);
  return state.value.value?.versions.find((one) => one.deleted !== undefined)?.deleted;
}
