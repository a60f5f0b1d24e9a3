import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { isAnonymous } from '../../../lib/session.js';
import { Marked } from '../../../ui/marked.js';
import { Menu } from '../../../ui/menu.js';
import { report } from '../../../ui/toasts.js';
import { useDesk } from '../model/desk.js';
import type { Item } from '../model/elements.js';
import { onItemKey } from '../model/keys.js';
import { LOCKS, resourceFor, WORDS } from '../model/kinds.js';
import { useRefusals } from '../model/rights.js';
import { quoted } from '../model/words.js';
import { type Dragged, dragging } from '../tree/drag.js';
import { Choice, type Choosing } from './choice.js';
import { Columns } from './columns.js';
import { lockOf } from './lock.js';

const VERBS = ['update', 'delete'] as const;
const NONE = [] as const;
/** The most tags that a row shows. */
const MOST_TAGS = 3;

interface LineProps {
  readonly item: Item;
  readonly hasPlace: boolean;
  /** What was searched for. */
  readonly words?: readonly string[] | undefined;
  /** If rows can be selected. */
  readonly choosing?: Choosing | undefined;
}

export function ItemLine({ item, hasPlace, words = [], choosing }: LineProps) {
  const desk = useDesk();
  const { namespace, store } = desk;
  const { kind, name, title, tags = [], note } = item;
  const lock = lockOf(item, store);
  const resource = resourceFor(kind);
  const to = kind === 'folders' ? places.folders(name) : resource && places.object(resource, namespace, name);
  const own = kind === 'folders' || kind === 'dashboards' ? { kind, name, title } : undefined;
  const keyed = (event: KeyboardEvent): void => {
    if (own !== undefined && onItemKey(event, desk, own)) event.preventDefault();
  };
  return (
    // `li` must be a child of a list, but virtual rows are in other elements.
    <div class="item-line" role="listitem" {...(own && dragging(own))}>
      <span class="item-lead">
        {choosing !== undefined && <Choice item={item} {...choosing} />}
        <span
          class={`kind-icon ${kind} ${lock === undefined ? '' : `private ${lock}`}`}
          aria-hidden="true"
          {...(lock && { title: LOCKS[lock] })}
        />
      </span>
      <span class="item-text">
        <Link
          href={to ?? places.folders()}
          data-row
          class="item-title cut"
          title={title.slice(0, 300)}
          onKeyDown={keyed}
        >
          <span class="sr-only">{lock ? `private ${WORDS[kind][1]}` : WORDS[kind][1]}: </span>
          <bdi>
            <Marked text={title} words={words} />
          </bdi>
        </Link>
        {hasPlace && <Place folder={item.folder} />}
        {note !== undefined && <span class="muted cut item-note">{note}</span>}
      </span>
      <span class="item-tags">
        {tags.slice(0, MOST_TAGS).map((tag) => (
          <span key={tag} class="chip cut" dir="auto" title={tag}>
            {tag}
          </span>
        ))}
        {tags.length > MOST_TAGS && (
          <span class="chip" title={tags.slice(MOST_TAGS).join(', ')}>
            +{tags.length - MOST_TAGS}
          </span>
        )}
      </span>
      <Columns item={item} />
      {kind === 'dashboards' && !isAnonymous.value && <Star name={name} title={title} />}
      {own === undefined ? <span /> : <ItemMenu item={own} />}
    </div>
  );
}

function Place({ folder }: { readonly folder: string }) {
  const { store } = useDesk();
  store.version.value;
  const path = store.knownPath(folder);
  const words = folder === '' ? 'All folders' : path.map(({ title }) => title.slice(0, 60)).join(' / ') || '…';
  return (
    <span class="muted cut item-note">
      <bdi>{words}</bdi>
    </span>
  );
}

export function Star({ name, title }: { readonly name: string; readonly title: string }) {
  const { stars } = useDesk();
  const isStarred = stars.names.value.has(name);
  return (
    <button
      type="button"
      class={`icon-button star ${isStarred ? 'on' : ''}`}
      aria-pressed={isStarred}
      aria-label={`Star ${quoted(title)}`}
      title={isStarred ? 'Remove the star' : 'Star it'}
      onClick={() => void stars.set(name, !isStarred).catch(report)}
    />
  );
}

/** The actions on an object. The permissions are asked for when the menu opens, because there may be many rows. */
function ItemMenu({ item }: { readonly item: Dragged }) {
  const { task } = useDesk();
  const isOpened = useSignal(false);
  const { kind, name } = item;
  const { update, delete: remove } = useRefusals(isOpened.value ? VERBS : NONE, name, kind);
  return (
    <Menu
      label={`Actions on ${quoted(item.title)}`}
      onOpen={() => (isOpened.value = true)}
      items={[
        { label: 'Rename and describe…', unavailable: update, run: () => (task.value = { kind: 'edit', item }) },
        { label: 'Move to…', unavailable: update, run: () => (task.value = { kind: 'move', item }) },
        {
          label: 'Delete…',
          isDangerous: true,
          unavailable: remove,
          run: () => (task.value = { kind: 'delete', item }),
        },
      ]}
    />
  );
}
