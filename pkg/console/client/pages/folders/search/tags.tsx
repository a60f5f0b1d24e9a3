import { useSignal } from '@preact/signals';
import { useLoad } from '../../../lib/load.js';
import { useDesk } from '../model/desk.js';
import { tagCounts } from '../model/find.js';
import { useView } from './query.js';

/** Tags that are offered at first. */
const OFFERED = 12;
const ALL = 200;

/**
 * The tags to filter by: the chosen ones, then those that contain the typed words, then the others. The most used come
 * first.
 */
export function TagFilter() {
  const { namespace, done } = useDesk();
  const [{ tags, words }, show] = useView();
  const isAll = useSignal(false);
  const { state } = useLoad((signal) => tagCounts(namespace, signal), [namespace, done.value]);
  const all = state.value.value ?? [];
  const others = all.filter(({ term }) => !tags.includes(term));
  const fitting = others.filter(({ term }) => words !== '' && term.toLowerCase().includes(words.toLowerCase()));
  const offered = [...new Set([...fitting, ...others])];
  const shown = offered.slice(0, isAll.value ? ALL : OFFERED);
  if (all.length === 0 && tags.length === 0) return null;
  return (
    <fieldset class="tag-filter">
      <legend class="sr-only">Tags of dashboards</legend>
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
      {offered.length > shown.length && !isAll.value && (
        <button type="button" class="chip tag" onClick={() => (isAll.value = true)}>
          {offered.length - shown.length} more
        </button>
      )}
    </fieldset>
  );
}
