import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { messageOf } from '../../system/errors/message.js';

/** Compiled patterns are large, and definitions often have the same ones, so they are shared. */
const MAX_COMPILED = 500;
const compiled = new LRUCache<string, Compiled>({ max: MAX_COMPILED });

interface Compiled extends PatternLimits {
  readonly matcher?: RE2JS;
  readonly problem?: string;
}

/**
 * What is wrong with the pattern, or undefined. RE2 takes linear time for any pattern and text, which JavaScript's own
 * patterns do not.
 */
export function patternProblem(pattern: string): string | undefined {
  return compiledOf(pattern).problem;
}

/** Whether a part of the text matches. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compiledOf(pattern).matcher?.test(text) === true;
}

/**
 * RE2 takes a step for each character and each instruction of the pattern, and cannot pause. So many take at most some
 * tens of milliseconds.
 */
const MOST_STEPS = 400_000;
/**
 * A pattern with few instructions soon has a state for each set of them, and then takes one step for each character.
 */
const FEW_INSTRUCTIONS = 16;
const LONGEST_OF_FEW = 256 * 1024;

export interface PatternLimits {
  /** The instructions of the pattern. */
  readonly size: number;
  /** The most characters that are compared with it. */
  readonly longest: number;
}

export function limitsOf(pattern: string): PatternLimits {
  return compiledOf(pattern);
}

function longestFor(size: number): number {
  return size <= FEW_INSTRUCTIONS ? LONGEST_OF_FEW : Math.floor(MOST_STEPS / size);
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
    const matcher = RE2JS.compile(pattern);
    const size = matcher.programSize();
    return { matcher, size, longest: longestFor(size) };
  } catch (error) {
    return { problem: messageOf(error), size: 0, longest: LONGEST_OF_FEW };
  }
}
