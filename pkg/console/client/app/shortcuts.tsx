import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isUncovered } from '../lib/layers.js';
import { isTyped } from '../lib/typing.js';
import { Icon } from '../ui/icon.js';
import { lazyDialog } from './lazy.js';

type Opened = 'palette' | 'keys';

const opened = signal<Opened | undefined>(undefined);
const close = (): void => {
  opened.value = undefined;
};

interface DialogProps {
  readonly onClose: () => void;
}

const Palette = lazyDialog<DialogProps>(async () => (await import('./palette/palette.js')).Palette);
const KeysHelp = lazyDialog<DialogProps>(async () => (await import('./palette/keys-help.js')).KeysHelp);

const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl-';
/** Opens the palette by Ctrl-K, and the list of keys by `?`, unless a dialog is open. */
export function Shortcuts() {
  useEffect(() => {
    const keyed = (event: KeyboardEvent): void => {
      const wish = wishOf(event);
      if (wish === undefined || !isUncovered.peek() || event.defaultPrevented) return;
      event.preventDefault();
      opened.value = wish;
    };
    addEventListener('keydown', keyed);
    return () => removeEventListener('keydown', keyed);
  }, []);
  if (opened.value === 'palette') return <Palette onClose={close} />;
  return opened.value === 'keys' ? <KeysHelp onClose={close} /> : null;
}

function wishOf(event: KeyboardEvent): Opened | undefined {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !event.shiftKey) return 'palette';
  return key === '?' && !ctrlKey && !metaKey && !altKey && !isTyped(event) ? 'keys' : undefined;
}

/** Opens the palette. */
export function FindButton() {
  return (
    <button
      type="button"
      class="button quiet find-button"
      aria-keyshortcuts="Control+K"
      onClick={() => (opened.value = 'palette')}
    >
      <Icon name="find" />
      <span class="find-words">Find anything</span>
      <kbd class="find-words">{MOD}K</kbd>
    </button>
  );
}
