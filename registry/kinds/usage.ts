import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { IndexRow } from '../../storage/backend.js';
import type { Entry } from '../../storage/state/entry.js';
import { decodeTuple, encodeTuple } from '../../storage/state/tuple.js';
import type { Reader } from '../read/reader.js';
import type { Kind } from './kind.js';

/** The index of objects by who has to account for them, and by their size. */
const USAGE_INDEX = 'usage';
/** Objects count in whole units. So an account has few sizes, and their rows are counted without reading any object. */
const UNIT = 1024;

/** What an object takes of an account. */
interface Usage {
  readonly account: string;
  readonly bytes: number;
}

/** The row of an object, if its kind says to which account it belongs. */
export function usageRows(
  { chargedTo }: Pick<Kind, 'chargedTo'>,
  object: KubeObject,
  size: number,
): readonly IndexRow[] {
  const account = chargedTo?.(object) ?? '';
  return account === '' ? [] : [{ index: USAGE_INDEX, tuple: encodeTuple([account, Math.ceil(size / UNIT)]) }];
}

/** What a stored object takes. `undefined`: it belongs to no account. */
export function usageIn({ rows }: Entry): Usage | undefined {
  const row = rows.find(({ index }) => index === USAGE_INDEX);
  const [account, units] = (row && decodeTuple(row.tuple)) ?? [];
  return typeof account === 'string' && typeof units === 'number' ? { account, bytes: units * UNIT } : undefined;
}

/**
 * What all objects of some kinds take of an account. The work grows with the number of different sizes, and not with
 * the number of objects.
 */
export function usageOf(reader: Pick<Reader, 'counts'>, kinds: readonly Kind[], account: string): number {
  let bytes = 0;
  for (const { qualified } of kinds)
    for (const { tuple, count } of reader.counts(qualified, USAGE_INDEX, [account]))
      bytes += Number(tuple[1]) * UNIT * count;
  return bytes;
}
