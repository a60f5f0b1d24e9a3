import { options, type VNode } from 'preact';
import { shownText } from '../lib/without-overrides.js';

/** Attributes that browsers show or read out. The values of fields stay as they are. */
const SHOWN = ['title', 'aria-label', 'alt'] as const;

/** Lets no text that is drawn turn around the order of letters, wherever it comes from. */
export function keepOrder(): void {
  const before = options.vnode;
  options.vnode = (node) => {
    const { type, props } = node as VNode<Record<string, unknown>>;
    // The props of a text are the text.
    if (type === null && typeof props === 'string') (node as { props: unknown }).props = shownText(props);
    else if (typeof type === 'string')
      for (const name of SHOWN) {
        const value = props[name];
        if (typeof value === 'string') props[name] = shownText(value);
      }
    before?.(node);
  };
}
