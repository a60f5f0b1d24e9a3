import type { Signal } from '@preact/signals';
import { TextField } from '../../../ui/field.js';

/** Tags to add, as they are typed, and tags to take away. */
export interface TagChange {
  readonly added: Signal<string>;
  readonly removed: Signal<ReadonlySet<string>>;
}

interface Props extends TagChange {
  /** The tags that can be taken away. */
  readonly known: readonly string[];
  readonly autofocus?: boolean;
}

/** Adds tags, and takes others away. */
export function TagFields({ added, removed, known, autofocus = false }: Props) {
  const toggle = (tag: string): void => {
    const next = new Set(removed.value);
    if (!next.delete(tag)) next.add(tag);
    removed.value = next;
  };
  return (
    <>
      <TextField
        label="Add tags"
        hint="Several are separated by commas."
        value={added.value}
        onValue={(text) => (added.value = text)}
        autofocus={autofocus}
      />
      {known.length > 0 && (
        <fieldset class="tag-filter">
          <legend>Take tags away</legend>
          {known.map((tag) => (
            <button
              key={tag}
              type="button"
              class="chip tag"
              aria-pressed={removed.value.has(tag)}
              onClick={() => toggle(tag)}
            >
              <span class="cut" dir="auto">
                {tag}
              </span>
              {removed.value.has(tag) && <span aria-hidden="true">✕</span>}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
}

/** The tags after the change, each once. */
export function changedTags(tags: readonly string[], { added, removed }: TagChange): readonly string[] {
  const wanted = added
    .peek()
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return [...new Set([...tags.filter((tag) => !removed.peek().has(tag)), ...wanted])];
}
