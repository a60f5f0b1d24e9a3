/**
 * Keeps what `make` made of the current value until there is another value. Values are never changed in place. `make`
 * gets what it made before, to keep parts of it. If it throws, that stays, and the next call tries again.
 */
export function following<T, R>(current: () => T, make: (value: T, before: R | undefined) => R): () => R {
  let kept: { readonly value: T; readonly made: R } | undefined;
  return () => {
    const value = current();
    if (kept === undefined || kept.value !== value) kept = { value, made: make(value, kept?.made) };
    return kept.made;
  };
}
