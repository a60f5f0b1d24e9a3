import { useEffect, useId, useRef } from 'preact/hooks';

interface Props {
  readonly tabs: readonly (readonly [id: string, label: string])[];
  readonly value: string;
  readonly onValue: (id: string) => void;
  readonly label: string;
}

/** Tabs of a page. Arrow keys go from one to the next (WAI-ARIA, tabs). The caller shows the content of the tab. */
export function Tabs({ tabs, value, onValue, label }: Props) {
  const own = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = document.getElementById(`${own}-${value}`);
    if (list.current !== null && tab !== null) reveal(list.current, tab);
  }, [value, tabs.length]);
  const move = (event: KeyboardEvent, by: number): void => {
    const at = tabs.findIndex(([id]) => id === value);
    const [to] = tabs[(at + by + tabs.length) % tabs.length] ?? [value];
    event.preventDefault();
    onValue(to);
    document.getElementById(`${own}-${to}`)?.focus();
  };
  return (
    <div
      ref={list}
      class="tabs"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') move(event, 1);
        if (event.key === 'ArrowLeft') move(event, -1);
      }}
    >
      {tabs.map(([id, text]) => (
        <button
          key={id}
          id={`${own}-${id}`}
          type="button"
          role="tab"
          class="tab"
          aria-selected={id === value}
          tabIndex={id === value ? 0 : -1}
          onClick={() => onValue(id)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/**
 * Scrolls to the chosen tab, which may be outside of the view on a narrow screen. After `scrollIntoView`, Tab would
 * begin there, and not at the top of the page.
 */
function reveal(list: HTMLElement, tab: HTMLElement): void {
  const [outer, inner] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
  if (inner.left < outer.left) list.scrollLeft += inner.left - outer.left;
  else if (inner.right > outer.right) list.scrollLeft += inner.right - outer.right;
}
