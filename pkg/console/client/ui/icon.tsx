/** The icons of the navigation and of buttons: lines in a square of 16 by 16. */
const LINES = {
  folders:
    'M1.8 4.3a1.5 1.5 0 0 1 1.5-1.5h2.9l1.7 1.9h5a1.5 1.5 0 0 1 1.5 1.5v5.5a1.5 1.5 0 0 1-1.5 1.5H3.3a1.5 1.5 0 0 1-1.5-1.5z',
  home: 'M2.5 7 8 2.3 13.5 7v6.7H9.8V9.8H6.2v3.9H2.5z',
  trash: 'M2.5 4.3h11M6 4.3V2.5h4v1.8M4 4.3l.6 9.2h6.8l.6-9.2M6.7 6.8v4.2M9.3 6.8v4.2',
  kinds: 'M2.3 2.3h4.4v4.4H2.3zM9.3 2.3h4.4v4.4H9.3zM2.3 9.3h4.4v4.4H2.3zM9.3 9.3h4.4v4.4H9.3z',
  sets: 'M8 1.8 14.2 5 8 8.2 1.8 5zM1.8 8 8 11.2 14.2 8M1.8 11 8 14.2 14.2 11',
  plan: 'M4.5 1.8h7a1 1 0 0 1 1 1v10.4a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1V2.8a1 1 0 0 1 1-1zM8 4.5v3.8M6.1 6.4h3.8M6.1 11.2h3.8',
  mirrors: 'M8 1.8v12.4M5.8 4.2 2 11.8h3.8zM10.2 4.2 14 11.8h-3.8z',
  people:
    'M6 7.5a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2zM1.5 13.7c.2-2.7 1.8-4.2 4.5-4.2s4.3 1.5 4.5 4.2M10.5 2.6a2.5 2.5 0 0 1 0 4.8M12 9.8c1.5.5 2.4 1.8 2.5 3.9',
  access: 'M5.3 14a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.6zM7.7 8.3l5.8-5.8M10.5 5.5l2 2M12.3 3.7l1.5 1.5',
  server: 'M2.8 2.3h10.4v4.9H2.8zM2.8 8.8h10.4v4.9H2.8zM5 4.8h1.5M5 11.3h1.5',
  star: 'M8 2l1.85 3.9 4.15.55-3.05 2.9.8 4.15L8 11.45 4.25 13.5l.8-4.15L2 6.45l4.15-.55z',
  down: 'M4.5 6.3 8 9.8l3.5-3.5',
  menu: 'M2 4h12M2 8h12M2 12h12',
  find: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.6 10.6l3.6 3.6',
  check: 'M3 8.5 6.5 12 13 4.5',
} as const;

export type IconName = keyof typeof LINES;

/** A small picture beside words, which say what it means. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={LINES[name]} />
    </svg>
  );
}
