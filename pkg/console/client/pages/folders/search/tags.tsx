import { useSignal } from '@preact/signals';
import type { TagCount } from '../model/find.js';
import { useView } from './query.js';

/** Tags that are offered at first. */
const OFFERED = 12;

/** The tags to filter by: the chosen ones, and those of the hits with their counts, the most used first. */
export function TagFilter({ counts }: { readonly counts: readonly TagCount[] }) {
  const [{ tags }, show] = useView();
  const isAll = useSignal(false);
  const offered = counts.filter(({ term }) => !tags.includes(term));
  const shown = offered.slice(0, isAll.value ? offered.length : OFFERED);
  if (offered.length === 0 && tags.length === 0) return null;
  return (
    <fieldset class="tag-filter">
      <legend class="sr-only">Tags of the dashboards that were found</legend>
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          class="chip tag on"
          aria-pressed="true"
          onClick={() => show({ tags: tags.filter((one) => one !== tag) })}
        >
          <span class="cut" dir="auto">
            {tag}
          </span>
          <span aria-hidden="true">✕</span>
        </button>
      ))}
      {shown.map(({ term, count }) => (
        <button
          key={term}
          type="button"
          class="chip tag"
          aria-pressed="false"
          onClick={() => show({ tags: [...tags, term], isStarred: false })}
        >
          <span class="cut" dir="auto">
            {term}
          </span>
          <span class="muted">{count}</span>
        </button>
      ))}
      {offered.length > shown.length && (
        <button type="button" class="chip tag" onClick={() => (isAll.value = true)}>
          {offered.length - shown.length} more
        </button>
      )}
    </fieldset>
  );
}
