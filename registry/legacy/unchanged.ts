import { conflict } from '../../pkg/status/errors.js';
import { ApiError } from '../../pkg/status/status.js';
import { partsOf } from '../../storage/key.js';
import { encodeTuple } from '../../storage/tuple.js';
import type { Kind } from '../kind.js';
import { objectKey } from '../registry.js';
import type { Plan } from '../transact.js';
import type { Range } from './objects.js';

/** What was decided on has changed since: the request is to be looked at again. */
class Changed extends ApiError {
  constructor({ code, reason, message, details = {} }: ApiError) {
    super({ code, reason, message, details });
  }
}

/**
 * Part of a transaction that writes nothing and refuses it unless exactly the objects of these names are in a range: for requests that say
 * how a whole range shall be. To be put before what writes to it.
 */
export function unchanged(kind: Kind, { index, prefix }: Range, names: readonly string[]): Plan {
  const expected = new Set(names);
  return (view) => {
    const found = view.range(kind.qualified, index, encodeTuple(prefix), expected.size + 1);
    const isSame = found.length === expected.size && found.every(({ key }) => expected.has(partsOf(key).name));
    if (!isSame) throw new Changed(conflict(kind, '', 'others have changed the same objects meanwhile; try again'));
    const metadata = { name: 'unchanged' };
    const { apiVersion, kind: name } = kind;
    return { key: objectKey(kind, '', metadata.name), object: { apiVersion, kind: name, metadata }, writes: [] };
  };
}

const ATTEMPTS = 8;

/** Does the work again for as long as what it was decided on has changed meanwhile; a few times at most. */
export async function whileUnchanged<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Changed) || attempt === ATTEMPTS) throw error;
    }
  }
}
