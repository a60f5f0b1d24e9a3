import { isDict } from '../values/dict.js';
import { mapKey, setKey } from '../values/equal.js';
import type { Meter } from '../values/meter.js';
import { isError, List, type Value } from '../values/value.js';

/**
 * `a + b` if `a` is a set or a list of type map. In a set, each element occurs once. In a list of type map, elements of
 * `b` replace those of `a` with the same key. Others follow. The result is a list of the same type.
 */
export function mergeLists(a: List, b: List, meter: Meter): Value {
  const merged = new Map<unknown, Value>();
  for (const list of [a, b]) {
    for (let i = 0; i < list.size; i++) {
      const value = list.get(i);
      if (isError(value)) return value;
      const key = keyIn(a, value, meter);
      if (a.json?.type === 'map' || !merged.has(key)) merged.set(key, value);
    }
  }
  const values = [...merged.values()];
  const items = values.map((value) => (isDict(value) ? value.json?.members : undefined));
  const { type = 'atomic', keys = [] } = a.json ?? {};
  return new List(values.length, (index) => values[index] as Value, { items, type, keys });
}

function keyIn(list: List, value: Value, meter: Meter): unknown {
  if (list.json?.type !== 'map') return setKey(value, meter);
  return isDict(value) ? mapKey(value.json?.members, list.json.keys, meter) : value;
}
