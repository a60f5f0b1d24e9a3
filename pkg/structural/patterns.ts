import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { messageOf } from '../errors/message.js';

/** Compiled patterns are large, and definitions often have the same ones, so they are shared. */
const MAX_COMPILED = 500;
const compiled = new LRUCache<string, Compiled>({ max: MAX_COMPILED });

interface Compiled {
  readonly matcher?: RE2JS;
  readonly problem?: string;
}

/** What is wrong with the pattern, or undefined. RE2 takes linear time for any pattern and text, which JavaScript's own patterns do not. */
export function patternProblem(pattern: string): string | undefined {
  return compiledOf(pattern).problem;
}

/** Whether a part of the text matches. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compiledOf(pattern).matcher?.test(text) === true;
}

function compiledOf(pattern: string): Compiled {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = compile(pattern);
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): Compiled {
  try {
    return { matcher: RE2JS.compile(pattern) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
