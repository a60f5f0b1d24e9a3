/**
 * Keeps what was made of the current value until there is another value: not until it is changed, because values are not changed. `make` gets what was
 * made before, to keep parts of it. What was made stays if it throws, so that the next call tries again.
 */
export function following<T, R>(current: () => T, make: (value: T, before: R | undefined) => R): () => R {
  let kept: { readonly value: T; readonly made: R } | undefined;
  return () => {
    const value = current();
    if (kept === undefined || kept.value !== value) kept = { value, made: make(value, kept?.made) };
    return kept.made;
  };
}
