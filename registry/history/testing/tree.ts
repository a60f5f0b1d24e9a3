import type { World } from '../../testing/world.js';

/** A tree: book `on-low` on shelf `low` on shelf `top`, `sequel` of that book, and `likes`, which is like it. */
export async function tree(world: World): Promise<void> {
  const { kinds, put } = world;
  await put(kinds.shelf, 'top', { x: '1' }, { labels: { a: 'b' }, annotations: { c: 'd' } });
  await put(kinds.shelf, 'low', { on: 'top' });
  await put(kinds.book, 'on-low', { on: 'low' });
  await put(kinds.book, 'sequel', { after: 'on-low' });
  await put(kinds.book, 'likes', { like: 'on-low' });
}
