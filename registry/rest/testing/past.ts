import type { Received } from '../../testing/served.js';
import { pathOf, type Shop } from './library.js';

/** A shelf that was written three times. */
export const written = async (shop: Shop): Promise<void> => {
  const { shelf } = shop.kinds;
  await shop.put(shelf, 'top', { x: '1' });
  for (const x of ['2', '3']) await shop.change(shelf, 'top', { x });
};
export const remove = (shop: Shop, name = 'top') => shop.send('DELETE', pathOf(shop.kinds.shelf, name));
export const failure = async (answer: Promise<Received>): Promise<readonly unknown[]> => {
  const { status, body } = await answer;
  return [status, body.message];
};
