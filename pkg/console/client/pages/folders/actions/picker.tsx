import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Combobox } from '../../../ui/combobox.js';
import { Marked } from '../../../ui/marked.js';
import type { Options } from '../../../ui/use-options.js';
import { type Desk, useDesk } from '../model/desk.js';
import { find, type Hit } from '../model/find.js';
import { LOCKS } from '../model/kinds.js';
import { Tree } from '../tree/tree.js';
import { TreeView } from '../tree/view.js';

const MOST_FOUND = 50;

interface Props {
  /** This folder and those below it cannot be chosen. */
  readonly without: string;
  /** The name of the chosen folder. Empty for the root, undefined before the choice. */
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

/** Chooses a folder: by its title, or in the tree, which shows the chosen one. */
export function FolderPicker({ without, chosen, onChoose }: Props) {
  const desk = useDesk();
  const { store, namespace } = desk;
  const words = useSignal('');
  const view = useMemo(() => new TreeView(store, without), [store, without]);
  useEffect(() => {
    // A folder that cannot be revealed is still chosen.
    if (chosen) view.reveal(chosen).catch(() => undefined);
  }, [view, chosen]);
  return (
    <div class="folder-picker">
      <Combobox<Hit>
        label="Search folders by title"
        autofocus
        isInline
        about={`${namespace} ${without}`}
        find={(text, signal) => foldersNamed(desk, text.trim(), without, signal)}
        keyOf={({ name }) => name}
        render={(hit, text) => <FolderOption hit={hit} text={text} />}
        onText={(text) => (words.value = text)}
        onChoose={({ name }) => {
          words.value = '';
          onChoose(name);
        }}
        none={words.value.trim() === '' ? '' : 'No folder has these words in its title.'}
      />
      {words.value.trim() === '' && (
        <>
          <button
            type="button"
            class={`tree-line root ${chosen === '' ? 'chosen' : ''}`}
            aria-pressed={chosen === ''}
            onClick={() => onChoose('')}
          >
            <span class="folder-icon" aria-hidden="true" />
            All folders (no folder above)
          </button>
          <Tree view={view} label="Folders to move to" chosen={chosen} onChoose={onChoose} />
        </>
      )}
    </div>
  );
}

/** The folders that a search finds, the best first. Their places are loaded with them. */
async function foldersNamed(
  { namespace, store }: Desk,
  words: string,
  without: string,
  signal: AbortSignal,
): Promise<Options<Hit>> {
  if (words === '') return { items: [] };
  const query = { query: words, type: 'folder', sort: 'rank', limit: MOST_FOUND } as const;
  const { hits, totalHits } = await find(namespace, query, signal);
  await store.learn(hits.flatMap(({ name, folder = '' }) => [name, folder]));
  const items = hits.filter(({ name }) => !store.knownPath(name).some((node) => node.name === without));
  const more = totalHits - hits.length;
  if (items.length === 0 && hits.length > 0 && more === 0)
    return { items, note: 'The folders with these words are the one that you move and those in it.' };
  return { items, ...(more > 0 && { note: `${more} more: type more of the title.` }) };
}

function FolderOption({ hit: { name, title, folder = '' }, text }: { readonly hit: Hit; readonly text: string }) {
  const { store } = useDesk();
  const path = store.knownPath(folder).map((node) => node.title.slice(0, 60));
  const lock = store.lockOf(name);
  return (
    <span class="folder-option">
      <span
        class={`folder-icon ${lock === undefined ? '' : `private ${lock}`}`}
        aria-hidden="true"
        {...(lock && { title: LOCKS[lock] })}
      />
      <span class="cut" dir="auto">
        <Marked text={title} words={text.split(/\s+/)} />
      </span>
      <span class="muted cut" dir="auto">
        {path.join(' / ')}
      </span>
    </span>
  );
}
