/** Adds all, however many: a call with that many arguments would overflow the stack. */
export function append<Item>(list: Item[], more: readonly Item[]): void {
  for (const item of more) list.push(item);
}
