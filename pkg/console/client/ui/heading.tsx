import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { focusIfLost } from './focus.js';
import { useTitle } from './title.js';

interface Props extends Pick<JSX.HTMLAttributes<HTMLHeadingElement>, 'class' | 'dir' | 'title'> {
  readonly children: ComponentChildren;
  /** What the page is a part of, for the title of the tab. */
  readonly area?: string;
  /** The part of the page that is shown, for the title of the tab. */
  readonly part?: string | undefined;
}

/** The heading of a page. The tab of the browser has the same title. */
export function Heading({ children, area, part = '', ...attributes }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(() => {
    const text = heading.current?.textContent.trim() ?? '';
    return [part, text, area ?? (part === '' ? 'Dashboards' : '')];
  });
  useEffect(() => focusIfLost(heading.current), []);
  return (
    <h1 ref={heading} tabIndex={-1} {...attributes}>
      {children}
    </h1>
  );
}
