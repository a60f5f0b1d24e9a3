import { useEffect, useMemo } from 'preact/hooks';
import { useChanges } from '../../../lib/changes.js';
import { getIn } from '../../../lib/organization.js';
import { Heading } from '../../../ui/heading.js';
import { Empty } from '../../../ui/states.js';
import { followedFor } from '../contents/followed.js';
import { FoundList } from '../contents/found-list.js';
import { pages } from '../contents/source.js';
import { useDesk } from '../model/desk.js';
import type { Item } from '../model/elements.js';

/** Users star at most a thousand dashboards. */
const MOST = 1000;

interface Starred {
  readonly uid: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly folderUid?: string;
}

/** The dashboards that the person has starred. */
export function StarredPanel() {
  const desk = useDesk();
  const { namespace, store, stars, done } = desk;
  const source = useMemo(
    () =>
      pages('starred', async (_, signal) => {
        const query = { starred: true, limit: MOST };
        const found = await getIn<readonly Starred[]>(namespace, '/api/search', query, signal);
        void store.learn(found.map(({ folderUid = '' }) => folderUid)).catch(() => undefined);
        const items = found.map(
          ({ uid, title, tags, folderUid = '' }): Item => ({
            kind: 'dashboards',
            name: uid,
            title,
            tags,
            folder: folderUid,
          }),
        );
        return { items, total: items.length };
      }),
    [namespace],
  );
  useEffect(() => () => source.stop(), [source]);
  useChanges([followedFor('dashboards', desk, source)], [source]);
  const [saved, changes] = [stars.saved.value, done.value];
  useEffect(() => {
    if (saved + changes > 0) source.reload();
  }, [saved, changes]);
  return (
    <section class="folder-panel" aria-label="Starred">
      <div class="panel-head">
        <Heading area="Folders">Starred</Heading>
      </div>
      {source.state.value.total === 0 ? (
        <Empty title="No dashboard has your star">
          <p>Press the star beside a dashboard, and it is here, wherever it lies.</p>
        </Empty>
      ) : (
        <FoundList label="Starred dashboards" source={source} />
      )}
    </section>
  );
}
