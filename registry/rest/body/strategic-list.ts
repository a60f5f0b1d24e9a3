/** What a strategic merge patch does to a list whose elements have keys. */
export interface ListPatch<Element> {
  readonly keyOf: (element: Element) => string;
  /** Merges an element that is in the object and in the patch. */
  readonly merge: (old: Element, item: Element) => Element;
  readonly items: readonly Element[] | undefined;
  /** The whole old list is dropped. */
  readonly isWhole?: boolean;
  /** The keys that leave the list before the items come in. */
  readonly dropped?: ReadonlySet<string>;
  /** The keys that leave the list after the items came in. */
  readonly removed?: ReadonlySet<string>;
  /** The keys of the elements that the client knows, in its order. */
  readonly order: readonly string[] | undefined;
}

/**
 * Merges as Kubernetes' `strategicpatch` does. Changes neither argument. Undefined: there is no list before and after.
 */
export function mergeList<E>(old: readonly E[] | undefined, patch: ListPatch<E>): readonly E[] | undefined {
  const { keyOf, items = [], dropped, removed, order } = patch;
  if (old === undefined && patch.items === undefined) return undefined;
  const isWhole = old === undefined || patch.isWhole === true;
  const kept = isWhole ? [] : old.filter((element) => !dropped?.has(keyOf(element)));
  const united = isWhole ? items : unite(kept, items, patch);
  const arranged = isWhole ? items : arrange(united, keyOf, items.map(keyOf), kept.map(keyOf));
  // With an order, Kubernetes gives the places of dropped elements to new ones, as far as the old list reaches.
  const places = united.slice(0, old?.length ?? 0).map(keyOf);
  const ordered = order === undefined ? arranged : arrange(arranged, keyOf, order, places);
  return ordered.filter((element) => !removed?.has(keyOf(element)));
}

/** The old elements in their places, merged with the items that have their keys, and then the new items. */
function unite<E>(old: readonly E[], items: readonly E[], { keyOf, merge }: ListPatch<E>): readonly E[] {
  const united = [...old];
  const places = placesOf(old.map(keyOf));
  for (const item of items) {
    const place = places.get(keyOf(item));
    const found = place === undefined ? undefined : united[place];
    if (place === undefined || found === undefined) places.set(keyOf(item), united.push(item) - 1);
    else united[place] = merge(found, item);
  }
  return united;
}

/**
 * The elements with wanted keys in the order of these keys, and among them the others. An element that is not wanted
 * comes before a wanted one only if `places` has both in this order. So wanted elements that are new come as early as
 * they can.
 */
function arrange<E>(
  elements: readonly E[],
  keyOf: (element: E) => string,
  wanted: readonly string[],
  places: readonly string[],
): readonly E[] {
  const rank = placesOf(wanted);
  const rankOf = (element: E): number => rank.get(keyOf(element)) ?? 0;
  const first = elements.filter((element) => rank.has(keyOf(element))).sort((a, b) => rankOf(a) - rankOf(b));
  const others = elements.filter((element) => !rank.has(keyOf(element)));
  const place = placesOf(places);
  return interleave(others, first, (other, one) => {
    const [before, after] = [place.get(keyOf(other)), place.get(keyOf(one))];
    return before !== undefined && after !== undefined && before < after;
  });
}

/** Merges two lists, and keeps the order of each. */
function interleave<E>(left: readonly E[], right: readonly E[], isBefore: (l: E, r: E) => boolean): readonly E[] {
  const result: E[] = [];
  let next = 0;
  for (const item of right) {
    for (let other = left[next]; other !== undefined && isBefore(other, item); other = left[next]) {
      result.push(other);
      next++;
    }
    result.push(item);
  }
  return [...result, ...left.slice(next)];
}

/** The first place of each key. */
function placesOf(keys: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, key] of keys.entries()) if (!places.has(key)) places.set(key, place);
  return places;
}
