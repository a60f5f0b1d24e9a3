import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { get } from '../../../lib/api.js';
import { objectPath } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import { Author } from '../../../ui/author.js';
import { Elsewhere } from '../../../ui/elsewhere.js';
import { Heading } from '../../../ui/heading.js';
import { Empty } from '../../../ui/states.js';
import { Time } from '../../../ui/time.js';
import { useDesk } from '../model/desk.js';
import { folders } from '../model/kinds.js';

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
    <section class="folder-panel">
      <Heading area="Folders" dir="auto">
        {title ?? 'No such folder'}
      </Heading>
      <Empty
        title={
          title === undefined ? `There is no folder “${name}” that you may view` : 'This folder is not there any more'
        }
      >
        {deleted === undefined ? (
          <p>
            If it was deleted, it may come back from the <Link href={places.trash()}>trash</Link>.
          </p>
        ) : (
          <p>
            <Author by={deleted.by} in={{ resource: folders(), name }} /> has deleted it <Time at={deleted.at} />. It
            can be restored from the <Link href={places.trash()}>trash</Link>.
          </p>
        )}
        <Elsewhere resource={folders()} name={name} placeIn={() => places.folders(name)} />
      </Empty>
    </section>
  );
}

/** Who has deleted the folder, if the caller may know. */
function useDeletion(name: string): Deletion | undefined {
  const { namespace } = useDesk();
  const path = `${objectPath(folders(), namespace, name)}/history`;
  const { state } = useLoad((signal) => get<History>(path, {}, signal), [path]);
  return state.value.value?.versions.find((one) => one.deleted !== undefined)?.deleted;
}
