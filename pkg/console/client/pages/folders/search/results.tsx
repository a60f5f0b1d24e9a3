import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { useChanges } from '../../../lib/changes.js';
import { Button } from '../../../ui/button.js';
import { Heading } from '../../../ui/heading.js';
import { Empty } from '../../../ui/states.js';
import { followedFor } from '../contents/followed.js';
import { FoundList } from '../contents/found-list.js';
import { pages, type Source } from '../contents/source.js';
import { useReload } from '../contents/use-reload.js';
import { type Desk, useDesk } from '../model/desk.js';
import { type Facet, find, type Hits } from '../model/find.js';
import { itemOf } from './item.js';
import { KindFilter } from './kind-filter.js';
import { useView } from './query.js';
import { TagFilter } from './tags.js';

const FACETS: readonly Facet[] = ['tags', 'resource'];
const TYPES: Readonly<Record<string, 'folder' | 'dashboard'>> = { folders: 'folder', dashboards: 'dashboard' };

interface Wanted {
  readonly words: string;
  readonly tags: readonly string[];
  readonly kind: string;
}

/** The folders and dashboards with these words in their titles, and with all of these tags, the best first. */
function found({ namespace, store }: Desk, { words, tags, kind }: Wanted, facets: Signal<Hits['facets']>): Source {
  const type = TYPES[kind];
  const query = { query: words, tag: tags, sort: 'rank', facet: FACETS, ...(type && { type }) } as const;
  return pages('found', async ({ offset, limit }, signal) => {
    const { hits, totalHits, facets: counts } = await find(namespace, { ...query, offset, limit }, signal);
    facets.value = counts;
    void store.learn(hits.map(({ folder = '' }) => folder)).catch(() => undefined);
    return { items: hits.map(itemOf), total: totalHits };
  });
}

/** The results of a search, with their folders. */
export function Results() {
  const desk = useDesk();
  const [{ words, tags, kind }, show] = useView();
  const facets = useSignal<Hits['facets']>(undefined);
  const keys = [desk, words, tags.join('\n'), kind];
  const source = useMemo(() => found(desk, { words, tags, kind }, facets), keys);
  useEffect(() => () => source.stop(), [source]);
  useChanges([followedFor('dashboards', desk, source)], [source]);
  useReload(source);
  const { total } = source.state.value;
  const filters = (
    <>
      <KindFilter counts={facets.value?.resource.terms ?? []} />
      <TagFilter counts={facets.value?.tags.terms ?? []} />
    </>
  );
  return (
    <section class="folder-panel results" aria-label="Search">
      <div class="panel-head">
        <Heading area="Folders">Search</Heading>
        <p class="muted" role="status">
          {total === undefined ? 'Searching…' : `${total.toLocaleString('en')} found`}
        </p>
        <span class="grow" />
        <Button onPress={() => show({ words: '', tags: [], kind: '' })}>Close the search</Button>
      </div>
      {total === 0 ? (
        <>
          {filters}
          <Empty title="Nothing is found">
            <p>All words must be in the title. Take fewer words or tags.</p>
          </Empty>
        </>
      ) : (
        <FoundList label="Found folders and dashboards" source={source} words={words.split(/\s+/)}>
          {filters}
        </FoundList>
      )}
    </section>
  );
}
