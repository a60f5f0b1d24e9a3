import { plainFailure } from '../../registry/legacy/errors.js';
import type { SearchMatch } from './search-items.js';

/** How well a title fits the words: it is equal, begins with them, has words that begin with them, or contains them. */
const RANKS = 4;
/** The last match that a page by rank may have. As many are kept of each rank. */
const MOST_RANKED = 10_000;

const PART_OF_WORD = /[\p{L}\p{N}]/u;
/** Whether each ASCII character is a part of a word, because a regular expression takes several times as long. */
const ASCII = Array.from({ length: 128 }, (_, code) => PART_OF_WORD.test(String.fromCharCode(code)));

function isPartOfWord(title: string, at: number): boolean {
  return ASCII[title.charCodeAt(at)] ?? PART_OF_WORD.test(title.charAt(at));
}

/** The rank of a folded title, which contains all of the words. 0 is the best. */
export function rankOf(title: string, words: readonly string[], phrase = words.join(' ')): number {
  if (title === phrase) return 0;
  if (title.startsWith(phrase)) return 1;
  return words.every((word) => beginsWord(title, word)) ? 2 : 3;
}

function beginsWord(title: string, word: string): boolean {
  for (let at = title.indexOf(word); at !== -1; at = title.indexOf(word, at + 1))
    if (at === 0 || !isPartOfWord(title, at - 1)) return true;
  return false;
}

/**
 * The matches of a page, the best first, and folders before dashboards of the same rank. It takes matches in any order,
 * and keeps those of one rank in this order.
 */
export class RankedPage {
  readonly #words: readonly string[];
  readonly #phrase: string;
  readonly #first: number;
  readonly #end: number;
  /** By rank, folders and then dashboards. */
  readonly #buckets = Array.from({ length: 2 * RANKS }, (): SearchMatch[] => []);

  /** Throws 400 for a page further back than the best 10,000. */
  constructor(words: readonly string[], { first, limit }: { readonly first: number; readonly limit: number }) {
    if (first + limit > MOST_RANKED)
      throw plainFailure(400, `offset and limit: at most the best ${MOST_RANKED} by rank`);
    this.#words = words;
    this.#phrase = words.join(' ');
    this.#first = first;
    this.#end = first + limit;
  }

  add(match: SearchMatch): void {
    const rank = rankOf(match.entry.attributes.text ?? '', this.#words, this.#phrase);
    const bucket = this.#buckets[2 * rank + (match.kind === 'folder/Folder' ? 0 : 1)];
    if (bucket !== undefined && bucket.length < this.#end) bucket.push(match);
  }

  matches(): readonly SearchMatch[] {
    return this.#buckets.flat().slice(this.#first, this.#end);
  }
}
