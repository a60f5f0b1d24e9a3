import { useEffect, useMemo } from 'preact/hooks';
import { useChanges } from '../../../lib/changes.js';
import { Button } from '../../../ui/button.js';
import { Heading } from '../../../ui/heading.js';
import { Empty } from '../../../ui/states.js';
import { followedFor } from '../contents/followed.js';
import { ItemList } from '../contents/item-list.js';
import { pages, type Source } from '../contents/source.js';
import { type Desk, useDesk } from '../model/desk.js';
import { find } from '../model/find.js';
import { itemOf } from './item.js';
import { useView } from './query.js';
import { TagFilter } from './tags.js';

/** The folders and dashboards with these words in their titles, and with all of these tags. */
function found({ namespace, store }: Desk, words: string, tags: readonly string[]): Source {
  return pages('found', async ({ offset, limit }, signal) => {
    const { hits, totalHits } = await find(namespace, { query: words, tag: tags, offset, limit }, signal);
    void store.learn(hits.map(({ folder = '' }) => folder)).catch(() => undefined);
    return { items: hits.map(itemOf), total: totalHits };
  });
}

/** The results of a search, with their folders. */
export function Results() {
  const desk = useDesk();
  const [{ words, tags }, show] = useView();
  const keys = [desk, words, tags.join('\n')];
  const source = useMemo(() => found(desk, words, tags), keys);
  useEffect(() => () => source.stop(), [source]);
  useChanges([followedFor('dashboards', desk.namespace, source)], [source]);
  const [done, change] = [desk.done.value, desk.store.change.value];
  useEffect(() => {
    const timer = setTimeout(() => source.state.peek().total !== undefined && source.reload(), 300);
    return () => clearTimeout(timer);
  }, [done, change]);
  const { total } = source.state.value;
  const sources = useMemo(() => [source], [source]);
  return (
    <section class="folder-panel results" aria-label="Search">
      <div class="panel-head">
        <Heading>Search</Heading>
        <p class="muted" role="status">
          {total === undefined ? 'Searching…' : `${total.toLocaleString('en')} found`}
        </p>
        <span class="grow" />
        <Button onPress={() => show({ words: '', tags: [] })}>Close the search</Button>
      </div>
      <TagFilter />
      {total === 0 ? (
        <Empty title="Nothing is found">
          <p>All words must be in the title. Take fewer words or tags.</p>
        </Empty>
      ) : (
        <ItemList label="Found folders and dashboards" sources={sources} hasPlaces />
      )}
    </section>
  );
}
