import type { Resource } from '../../lib/discovery.js';
import { extraFor } from './extras.js';

/** The tabs of an object, those that its kind puts first before the others. */
export function tabsOf(resource: Resource): readonly (readonly [id: string, label: string])[] {
  const extra = extraFor(resource);
  const all: readonly (readonly [string, string])[] = [
    ['overview', 'Overview'],
    ['yaml', 'YAML'],
    ['events', 'Events'],
    ...(resource.subresources.includes('history') ? [['history', 'History'] as const] : []),
    ['relations', 'Owners and dependents'],
    ['managers', 'Managers'],
    ...(extra?.tabs ?? []).map(({ id, label }) => [id, label] as const),
  ];
  const order = extra?.order ?? [];
  const first = order.flatMap((id) => all.filter(([one]) => one === id));
  return [...first, ...all.filter(([id]) => !order.includes(id))];
}
