import type { ComponentChildren } from 'preact';

/** A table that may be wider than the page. It gets the focus, so that keys can scroll it, and therefore has a name. */
export function ScrollBox({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const reached = { role: 'region', tabIndex: 0, 'aria-label': label } as const;
  return (
    <div class="table-box" {...reached}>
      {children}
    </div>
  );
}
