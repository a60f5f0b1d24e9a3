import type { ReadonlySignal } from '@preact/signals';
import { useLocation } from 'wouter-preact';
import { namespace } from '../../lib/session.js';
import { Combobox } from '../../ui/combobox.js';
import { Dialog } from '../../ui/dialog.js';
import { Icon } from '../../ui/icon.js';
import { Marked } from '../../ui/marked.js';
import type { Options } from '../../ui/use-options.js';
import { actions, kinds, pages } from './commands.js';
import { type Entry, matching } from './entry.js';
import { contents, people } from './search.js';
import './style.css';

interface Props {
  /** What was typed before it was there. */
  readonly typed: ReadonlySignal<string>;
  readonly onClose: () => void;
}

/** Finds folders, dashboards, people, teams, kinds, pages and actions, and goes there. */
export function Palette({ typed, onClose }: Props) {
  const [path, go] = useLocation();
  const find = async (typed: string, signal: AbortSignal): Promise<Options<Entry>> => {
    const text = typed.trim();
    const own = async (): Promise<readonly Entry[]> => {
      const known = await Promise.all([pages(go), actions(go, path)]);
      return known.flatMap((entries) => (text === '' ? entries : matching(entries, text)));
    };
    if (text === '') return { items: await own() };
    const found = await Promise.all([contents(text, go, signal), own(), people(text, go, signal), kinds(text, go)]);
    return { items: found.flat() };
  };
  return (
    <Dialog title="Find anything" onClose={onClose}>
      <Combobox<Entry>
        label="Folders, dashboards, people, teams, kinds, pages and actions"
        isLabelHidden
        placeholder="Folders, dashboards, people, kinds, pages, actions"
        autofocus
        typed={typed.peek()}
        isInline
        about={namespace.value}
        find={find}
        keyOf={({ key }) => key}
        groupOf={({ group }) => group}
        render={(entry, text) => <Line entry={entry} text={text} />}
        onChoose={(entry) => {
          onClose();
          // The dialog gives the focus back first, so that what is opened can take it.
          setTimeout(() => entry.run(), 0);
        }}
        none="Nothing is called so."
      />
      <p class="hint palette-keys">
        <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> opens, <kbd>Escape</kbd> closes
      </p>
    </Dialog>
  );
}

function Line({ entry: { icon, title, note }, text }: { readonly entry: Entry; readonly text: string }) {
  return (
    <span class="palette-line">
      <Icon name={icon} />
      <span class="cut" dir="auto">
        <Marked text={title.slice(0, 300)} words={text.trim().split(/\s+/)} />
      </span>
      <span class="cut muted" dir="auto">
        {note?.slice(0, 200)}
      </span>
    </span>
  );
}
