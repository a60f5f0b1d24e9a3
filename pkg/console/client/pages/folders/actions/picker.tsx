import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { useLoad } from '../../../lib/load.js';
import { TextField } from '../../../ui/field.js';
import { Failure } from '../../../ui/states.js';
import { useDesk } from '../model/desk.js';
import { find } from '../model/find.js';
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

/** Chooses a folder: by its title, or in the tree. */
export function FolderPicker({ without, chosen, onChoose }: Props) {
  const { store } = useDesk();
  const words = useSignal('');
  const view = useMemo(() => new TreeView(store, without), [store, without]);
  useEffect(() => {
    // What is chosen already, by a drag, can be seen in the tree.
    if (chosen !== undefined && chosen !== '') view.reveal(chosen).catch(() => undefined);
  }, [view]);
  return (
    <div class="folder-picker">
      <TextField
        label="Search folders by title"
        type="search"
        value={words.value}
        onValue={(text) => (words.value = text)}
        autofocus
      />
      <button
        type="button"
        class={`tree-line root ${chosen === '' ? 'chosen' : ''}`}
        aria-pressed={chosen === ''}
        onClick={() => onChoose('')}
      >
        <span class="folder-icon" aria-hidden="true" />
        All folders (no folder above)
      </button>
      {words.value.trim() === '' ? (
        <Tree view={view} label="Folders to move to" chosen={chosen} onChoose={onChoose} />
      ) : (
        <Found words={words.value.trim()} without={without} chosen={chosen} onChoose={onChoose} />
      )}
    </div>
  );
}

/** The folders that a search finds, with the folders in which they lie. */
function Found({ words, without, chosen, onChoose }: Props & { readonly words: string }) {
  const { namespace, store } = useDesk();
  const { state, reload } = useLoad(
    async (signal) => {
      const found = await find(namespace, { query: words, type: 'folder', sort: 'rank', limit: MOST_FOUND }, signal);
      await store.learn(found.hits.flatMap(({ name, folder = '' }) => [name, folder]));
      return found;
    },
    [namespace, words],
  );
  const { value, error } = state.value;
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  const hits = (value?.hits ?? []).filter(({ name }) => !store.knownPath(name).some((node) => node.name === without));
  const more = (value?.totalHits ?? 0) - (value?.hits.length ?? 0);
  return (
    <div class="folder-tree found">
      <p class="sr-only" role="status">
        {value === undefined ? '' : `${hits.length} found`}
      </p>
      {value !== undefined && hits.length === 0 && <p class="muted">No folder has these words in its title.</p>}
      <ul>
        {hits.map(({ name, title, folder = '' }) => (
          <li key={name}>
            <button
              type="button"
              class={`tree-line ${chosen === name ? 'chosen' : ''}`}
              aria-pressed={chosen === name}
              onClick={() => onChoose(name)}
            >
              <span class="folder-icon" aria-hidden="true" />
              <span class="cut" dir="auto">
                {title}
              </span>
              <span class="muted cut" dir="auto">
                {store
                  .knownPath(folder)
                  .map((node) => node.title.slice(0, 60))
                  .join(' / ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="muted">{more} more: type more of the title.</p>}
    </div>
  );
}
