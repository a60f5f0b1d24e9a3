import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.js';
import { report } from './toasts.js';

export interface MenuItem {
  readonly label: string;
  readonly run: () => unknown;
  readonly isDangerous?: boolean;
  /** Is shown beside the label, in small letters. */
  readonly note?: string | undefined;
  /** In a menu that chooses one of several: whether this one is chosen now. */
  readonly isChosen?: boolean;
  /** Why it cannot be used. */
  readonly unavailable?: string | undefined;
}

interface Props {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly children?: ComponentChildren;
  readonly look?: 'quiet' | 'primary';
  /** Is called when the menu opens, for example to ask which items can be used. */
  readonly onOpen?: () => void;
}

const ITEM = '[role^=menuitem]';

/** A button with a menu. Arrow keys go through it, Escape closes it (WAI-ARIA, menu button). */
export function Menu({ label, items, children, look = 'quiet', onOpen }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    if (list.current !== null && button.current !== null) place(list.current, button.current);
    const items = [...(list.current?.querySelectorAll<HTMLElement>(ITEM) ?? [])];
    (items.find((item) => item.ariaChecked === 'true') ?? items[0])?.focus();
    const away = (event: Event): void => {
      const inside = list.current?.contains(event.target as Node) || button.current?.contains(event.target as Node);
      if (inside !== true) setOpen(false);
    };
    const leave = (event: Event): void => {
      if (!(list.current?.contains(event.target as Node) ?? false)) setOpen(false);
    };
    document.addEventListener('pointerdown', away);
    document.addEventListener('scroll', leave, true);
    return () => {
      document.removeEventListener('pointerdown', away);
      document.removeEventListener('scroll', leave, true);
    };
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div class="menu">
      <button
        ref={button}
        type="button"
        class={children === undefined ? 'icon-button' : `button ${look}`}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          if (!isOpen) onOpen?.();
          setOpen(!isOpen);
        }}
      >
        {children ?? '⋯'}
      </button>
      <div
        ref={list}
        id={id}
        class="menu-list"
        popover="manual"
        role="menu"
        aria-label={label}
        hidden={!isOpen}
        onKeyDown={(event) => onKey(event, close)}
      >
        {items.map((item) => (
          <Item key={`${item.label} ${item.note ?? ''}`} item={item} onClose={close} />
        ))}
      </div>
    </div>
  );
}

function Item({ item, onClose }: { readonly item: MenuItem; readonly onClose: () => void }) {
  const { label, note, run, isDangerous = false, isChosen, unavailable } = item;
  return (
    <button
      type="button"
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      tabIndex={-1}
      class={isDangerous ? 'menu-item danger' : 'menu-item'}
      aria-disabled={unavailable !== undefined}
      title={unavailable}
      {...(isChosen !== undefined && { 'aria-checked': isChosen })}
      onClick={() => {
        onClose();
        if (unavailable !== undefined) report(unavailable);
        else Promise.resolve(run()).catch(report);
      }}
    >
      {isChosen !== undefined && <span class="menu-check">{isChosen && <Icon name="check" />}</span>}
      <span class="cut" dir="auto">
        {label}
      </span>
      {note !== undefined && <span class="muted cut menu-note">{note}</span>}
    </button>
  );
}

/** Shows the menu in the top layer, where nothing cuts it, below its button or above if there is no room. */
function place(list: HTMLElement, button: HTMLElement): void {
  list.showPopover();
  const [at, size] = [button.getBoundingClientRect(), list.getBoundingClientRect()];
  const below = at.bottom + size.height <= innerHeight || at.top < size.height;
  list.style.top = `${below ? at.bottom : at.top - size.height}px`;
  const left = at.left < innerWidth / 2 ? at.left : at.right - size.width;
  list.style.left = `${Math.max(0, Math.min(left, innerWidth - size.width))}px`;
}

/** Goes to the next or the previous item, or closes the menu. */
function onKey(event: KeyboardEvent, close: () => void): void {
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(ITEM)];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1 + items.length,
    Home: 0,
    End: items.length - 1,
  };
  if (event.key === 'Escape' || event.key === 'Tab') close();
  const to = steps[event.key];
  if (to === undefined && event.key !== 'Escape') return;
  event.preventDefault();
  event.stopPropagation();
  if (to !== undefined) items[to % items.length]?.focus();
}
