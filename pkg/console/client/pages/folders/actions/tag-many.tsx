import { useSignal } from '@preact/signals';
import { call } from '../../../lib/api.js';
import { objectPath } from '../../../lib/discovery.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { tell } from '../../../ui/toasts.js';
import { type Desk, useDesk } from '../model/desk.js';
import { find } from '../model/find.js';
import type { Chosen } from '../model/selection.js';
import { each, isDone, type Outcome, summaryOf, tellDone } from './each.js';
import { subjectOf } from './requests.js';
import { changedTags, TagFields } from './tag-fields.js';

interface Props {
  /** Dashboards. */
  readonly items: readonly Chosen[];
  readonly onClose: () => void;
}

/** Adds tags to several dashboards, and takes others away. The message can undo it. */
export function TagMany({ items, onClose }: Props) {
  const desk = useDesk();
  const tags = { added: useSignal(''), removed: useSignal<ReadonlySet<string>>(new Set()) };
  const known = [...new Set(items.flatMap((item) => item.tags))].sort((a, b) => a.localeCompare(b));
  const save = async (): Promise<void> => {
    const before = await tagsOf(desk, items);
    const change = (old: readonly string[]): readonly string[] => changedTags(old, tags);
    const tagged = await each(items, (item) => {
      const old = before.get(item.name) ?? [];
      return setTags(desk, item, old, change(old)).then(() => old);
    });
    desk.done.value++;
    tellDone(tagged, 'tagged', () => undo(desk, tagged, change));
  };
  return (
    <FormDialog
      title={items.length === 1 ? 'Tags of 1 dashboard' : `Tags of ${items.length} dashboards`}
      action="Save"
      unavailable={
        tags.added.value.trim() === '' && tags.removed.value.size === 0 ? 'Nothing is changed yet.' : undefined
      }
      onClose={onClose}
      onSubmit={save}
    >
      {() => <TagFields {...tags} known={known} autofocus />}
    </FormDialog>
  );
}

/** The tags of now, because the list may be older. */
async function tagsOf({ namespace }: Desk, items: readonly Chosen[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = items.map(({ name }) => name);
  const { hits } = await find(namespace, { type: 'dashboard', name: names.join(','), limit: names.length });
  return new Map(hits.map(({ name, tags = [] }) => [name, tags]));
}

/** Sets the tags, if they are still the old ones. */
async function setTags(
  { namespace }: Desk,
  item: Chosen,
  old: readonly string[],
  value: readonly string[],
): Promise<void> {
  const { resource, name } = subjectOf(namespace, item);
  const path = '/spec/tags';
  // Without tags, the list may be absent, so there is nothing to compare.
  const test = old.length === 0 ? [] : [{ op: 'test', path, value: old }];
  await call('PATCH', objectPath(resource, namespace, name), {
    type: 'application/json-patch+json',
    body: [...test, { op: 'add', path, value }],
  });
}

async function undo(
  desk: Desk,
  tagged: readonly Outcome<Chosen, readonly string[]>[],
  change: (tags: readonly string[]) => readonly string[],
): Promise<void> {
  const back = await each(tagged.filter(isDone), ({ item, result = [] }) =>
    setTags(desk, item, change(result), result),
  );
  desk.done.value++;
  const outcomes = back.map(({ item, error }) => ({ item: item.item, error }));
  tell(summaryOf(outcomes, 'given their tags back'));
}
