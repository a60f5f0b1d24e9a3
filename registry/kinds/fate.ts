/**
 * What became of a kind: it has the same objects in the same form, its definition has changed, or its definition is
 * gone.
 */
export type Fate = 'same' | 'changed' | 'gone';
