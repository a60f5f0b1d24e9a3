import type { Container } from './pointer.js';

/**
 * Changes of a container at the place that the last token of a path names, which was found before. `__proto__` is never
 * a token.
 */

/** Adds an element before the one at the index, or adds or replaces a member. */
export function insert(container: Container, path: readonly string[], value: unknown): void {
  const token = lastOf(path);
  if (!Array.isArray(container)) container[token] = value;
  else if (token === '-') container.push(value);
  else container.splice(Number(token), 0, value);
}

export function replace(container: Container, path: readonly string[], value: unknown): void {
  const token = lastOf(path);
  if (Array.isArray(container)) container[Number(token)] = value;
  else container[token] = value;
}

export function remove(container: Container, path: readonly string[]): void {
  const token = lastOf(path);
  if (Array.isArray(container)) container.splice(Number(token), 1);
  else delete container[token];
}

function lastOf(path: readonly string[]): string {
  return path.at(-1) ?? '';
}
