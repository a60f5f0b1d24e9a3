import type { ComponentChildren } from 'preact';

/** A part of a page with its heading. */
export function Card({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="card stack tight" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface FactProps {
  readonly name: string;
  /** What the name means. */
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** An entry of a list of facts, which is a `dl`. */
export function Fact({ name, title, children }: FactProps) {
  return (
    <>
      <dt title={title}>{name}</dt>
      <dd dir="auto">{children}</dd>
    </>
  );
}
