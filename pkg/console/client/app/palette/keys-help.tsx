import { Dialog } from '../../ui/dialog.js';
import './style.css';

const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl-';

const KEYS: readonly (readonly [place: string, keys: readonly (readonly [key: string, what: string])[]])[] = [
  [
    'Everywhere',
    [
      [`${MOD}K`, 'Find anything'],
      ['?', 'Show these keys'],
      ['/', 'Search folders, or kinds on their page'],
      ['Escape', 'Close a dialog or a list'],
    ],
  ],
  [
    'Tree of folders',
    [
      ['↑ ↓', 'Go to the next folder'],
      ['→ ←', 'Open and close a folder'],
      ['Enter', 'Show the folder'],
      ['Insert', 'New folder'],
    ],
  ],
  [
    'Folders and dashboards, in the tree, in lists and on their pages',
    [
      ['F2', 'Rename and describe'],
      ['Shift-F2', 'Move'],
      ['Delete', 'Delete'],
    ],
  ],
  [
    'Tables of kinds',
    [
      ['↑ ↓', 'Go to the next row'],
      ['Enter', 'Open the object'],
      ['Space', 'Select the row'],
    ],
  ],
  [
    'Editor',
    [
      [`${MOD}S`, 'Show what would change, and save'],
      [`${MOD}Space`, 'Propose fields'],
      [`${MOD}F`, 'Search'],
      ['Escape, Tab', 'Leave the editor'],
    ],
  ],
];

/** The keys of the console. */
export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div class="keys-help">
        {KEYS.map(([place, keys]) => (
          <section key={place} aria-label={place}>
            <h3>{place}</h3>
            <dl class="facts">
              {keys.map(([key, what]) => (
                <>
                  <dt key={key}>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
