import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Loading } from '../../lib/load.js';
import { focusIfLost } from '../../ui/focus.js';
import { Failure, Skeleton } from '../../ui/states.js';
import { useTitle } from '../../ui/title.js';

/** Shows a value that is loaded, or placeholder lines until then, or the error. */
export function Shown<Value>({
  loading: { state, reload },
  rows = 8,
  children,
}: {
  readonly loading: Loading<Value>;
  readonly rows?: number;
  readonly children: (value: Value) => ComponentChildren;
}) {
  const { phase, value, error } = state.value;
  if (phase === 'loading') return <Skeleton rows={rows} />;
  if (phase === 'there') return <>{children(value)}</>;
  return <Failure error={error} onRetry={reload} />;
}

/** The name of an item in a list, as a link. */
export function Name({ to, text, below }: { readonly to: string; readonly text: string; readonly below?: string }) {
  return (
    <>
      <Link href={to} class="clamped people-name">
        <span dir="auto">{text}</span>
      </Link>
      {below !== undefined && below !== '' && (
        <span class="clamped people-below muted" dir="auto">
          {below}
        </span>
      )}
    </>
  );
}

/** The head of an open item: a link back, its name, and its actions. */
export function OpenHead({
  back,
  to,
  title,
  children,
}: {
  readonly back: string;
  readonly to: string;
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(() => [title, back]);
  useEffect(() => focusIfLost(heading.current), []);
  return (
    <header class="stack tight">
      <Link href={to} class="people-back">
        ← {back}
      </Link>
      <div class="page-head">
        <h2 ref={heading} tabIndex={-1} class="clamped three" dir="auto">
          {title}
        </h2>
        <div class="row">{children}</div>
      </div>
    </header>
  );
}

/** The headings of cards: 2 where they are directly below that of the page. */
export const CardLevel = createContext<2 | 3>(3);

export function Card({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly action?: ComponentChildren;
}) {
  const level = useContext(CardLevel);
  return (
    <section class="card stack people-card">
      <header class="row apart">
        {level === 2 ? <h2 class="card-title">{title}</h2> : <h3>{title}</h3>}
        {action}
      </header>
      {children}
    </section>
  );
}
