import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Props extends Pick<JSX.HTMLAttributes<HTMLHeadingElement>, 'class' | 'dir' | 'title'> {
  readonly children: ComponentChildren;
}

/** The heading of a page. The tab of the browser has the same title. */
export function Heading({ children, ...attributes }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const text = heading.current?.textContent.trim() ?? '';
    document.title = text === '' ? 'Dashboards' : `${text} · Dashboards`;
  });
  return (
    <h1 ref={heading} {...attributes}>
      {children}
    </h1>
  );
}
