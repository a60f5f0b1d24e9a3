import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isUncovered } from '../lib/layers.js';
import { isTyped } from '../lib/typing.js';
import { Icon } from '../ui/icon.js';
import { lazyDialog } from './lazy.js';

type Opened = 'palette' | 'keys';

const opened = signal<Opened | undefined>(undefined);
/** What was typed behind Ctrl-K while the palette was loaded. */
const typed = signal('');
const open = (wish: Opened): void => {
  typed.value = '';
  opened.value = wish;
};
const close = (): void => {
  opened.value = undefined;
};

interface DialogProps {
  readonly onClose: () => void;
}

const Palette = lazyDialog<DialogProps & { readonly typed: ReadonlySignal<string> }>(
  async () => (await import('./palette/palette.js')).Palette,
);
const KeysHelp = lazyDialog<DialogProps>(async () => (await import('./palette/keys-help.js')).KeysHelp);

const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl-';
/** Opens the palette by Ctrl-K, and the list of keys by `?`, unless a dialog is open. */
export function Shortcuts() {
  useEffect(() => {
    const keyed = (event: KeyboardEvent): void => {
      if (!isUncovered.peek() || event.defaultPrevented) return;
      const wish = wishOf(event);
      const isForPalette = opened.peek() === 'palette' && isLetter(event);
      if (isForPalette) typed.value += event.key;
      else if (wish !== undefined) open(wish);
      if (isForPalette || wish !== undefined) event.preventDefault();
    };
    addEventListener('keydown', keyed);
    return () => removeEventListener('keydown', keyed);
  }, []);
  if (opened.value === 'palette') return <Palette typed={typed} onClose={close} />;
  return opened.value === 'keys' ? <KeysHelp onClose={close} /> : null;
}

function wishOf(event: KeyboardEvent): Opened | undefined {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !event.shiftKey) return 'palette';
  return key === '?' && !ctrlKey && !metaKey && !altKey && !isTyped(event) ? 'keys' : undefined;
}

function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && !ctrlKey && !metaKey && !altKey;
}

/** Opens the palette. */
export function FindButton() {
  return (
    <button
      type="button"
      class="button quiet find-button"
      aria-keyshortcuts="Control+K"
      onClick={() => open('palette')}
    >
      <Icon name="find" />
      <span class="find-words">Find anything</span>
      <kbd class="find-words">{MOD}K</kbd>
    </button>
  );
}
