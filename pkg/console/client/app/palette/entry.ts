import type { IconName } from '../../ui/icon.js';

/** Something that the palette finds. */
export interface Entry {
  readonly key: string;
  readonly group: string;
  readonly title: string;
  /** Where it lies, or what it is. */
  readonly note?: string;
  readonly icon: IconName;
  readonly run: () => unknown;
}

/** Entries whose titles contain all words. Those that begin with the text come first. */
export function matching(entries: readonly Entry[], text: string): readonly Entry[] {
  const lower = text.trim().toLowerCase();
  const words = lower.split(/\s+/);
  const found = entries.filter(({ title, note = '' }) => {
    const about = `${title} ${note}`.toLowerCase();
    return words.every((word) => about.includes(word));
  });
  const rank = ({ title }: Entry): number => (title.toLowerCase().startsWith(lower) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b));
}
