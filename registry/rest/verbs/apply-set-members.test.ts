import { expect } from 'chai';
import type { Sent } from '../../testing/served.js';
import { inShop, type Shop, userOf } from '../testing/library.js';
import { apply, manifest, path } from '../testing/sets.js';

describe('the members of a set', () => {
  const members = async (shop: Shop, sent: Sent = {}) => {
    const { status, body } = await shop.send('GET', path(shop, 'fleet', 'members'), sent);
    expect(status, body.message).to.equal(200);
    return (body as unknown as { members: readonly object[] }).members;
  };
  const all = (shop: Shop) => {
    const { shelf, writer, slip } = shop.kinds;
    return apply(shop, [manifest(writer, 'ann'), manifest(slip, 's'), manifest(shelf, 'b'), manifest(shelf, 'a')]);
  };
  const group = 'library.svc.app';

  it(
    'are listed in order, with their places',
    inShop(async (shop) => {
      await all(shop);
      expect(await members(shop)).to.deep.equal([
        { group, kind: 'Shelf', namespace: 'default', name: 'a' },
        { group, kind: 'Shelf', namespace: 'default', name: 'b' },
        { group, kind: 'Slip', namespace: 'default', name: 's' },
        { group, kind: 'Writer', name: 'ann' },
      ]);
      const { body } = await shop.send('GET', path(shop, 'fleet', 'members'));
      expect(body).to.include({ kind: 'ApplySetMembers', apiVersion: 'apply.svc.app/v1beta1' });
    }),
  );

  it(
    'tell in which fields they drifted',
    inShop(async (shop) => {
      const { shelf } = shop.kinds;
      await apply(shop, [manifest(shelf, 'a', { x: '1' })]);
      await shop.change(shelf, 'a', { x: '2' });
      const [member] = await members(shop);
      expect(member).to.have.property('drift').that.includes('x');
    }),
  );

  it(
    'are those that the caller may view',
    inShop(async (shop) => {
      await all(shop);
      const onSet = 'applysets:read applysets:uid:fleet';
      expect(await members(shop, { user: userOf(shop, onSet) })).to.deep.equal([]);
      expect(await members(shop, { user: userOf(shop, onSet, 'shelves:read shelves:uid:b') })).to.deep.equal([
        { group, kind: 'Shelf', namespace: 'default', name: 'b' },
      ]);
      expect(await members(shop, { user: userOf(shop, onSet, 'slips:read slips:*') })).to.have.length(1);
      expect(await members(shop, { user: userOf(shop, onSet, 'slips:read slips:uid:none') })).to.deep.equal([]);
    }),
  );

  it(
    'are for callers who may view the set, and in JSON only',
    inShop(async (shop) => {
      await all(shop);
      const get = (sent: Sent, set = 'fleet') => shop.send('GET', path(shop, set, 'members'), sent);
      expect((await get({ user: userOf(shop) })).status).to.equal(403);
      expect((await get({}, 'none')).status).to.equal(404);
      expect((await get({ headers: { accept: 'text/html' } })).status).to.equal(406);
    }),
  );
});
