import { expect } from 'chai';
import type { Received, Sent } from '../../testing/served.js';
import { inShop, pathOf, type Shop, userOf } from '../testing/library.js';
import { failure, remove } from '../testing/past.js';

describe('the trash', () => {
  const SELECTED = 'labelSelector=svc.app/get-trash=true';
  const list = (shop: Shop, query = SELECTED, sent: Sent = {}, path = pathOf(shop.kinds.shelf)) =>
    shop.send('GET', path, { ...sent, query });
  const names = ({ status, body }: Received) => {
    expect(status, body.message).to.equal(200);
    return body.items.map(({ metadata }) => metadata.name);
  };
  const trashed = async (shop: Shop): Promise<void> => {
    for (const name of ['a', 'b', 'c']) {
      await shop.put(shop.kinds.shelf, name, {}, { labels: { at: name } });
      await remove(shop, name);
      shop.clock.time += 1000;
    }
    await shop.put(shop.kinds.shelf, 'here');
  };

  it(
    'is listed by a label, the last deleted object first',
    inShop(async (shop) => {
      await trashed(shop);
      const answer = await list(shop);
      expect(names(answer)).to.deep.equal(['c', 'b', 'a']);
      expect(answer.body.kind).to.equal('ShelfList');
      expect(answer.body.metadata).to.deep.equal({ resourceVersion: String(shop.registry.cacher.state.revision) });
      for (const query of ['labelSelector=svc.app/get-trash in (true)', `${SELECTED.replace('=true', '==true')}`])
        expect(names(await list(shop, query)), query).to.deep.equal(['c', 'b', 'a']);
      expect(names(await list(shop, `${SELECTED},at=b`))).to.deep.equal(['b']);
      expect(names(await list(shop, `${SELECTED}&fieldSelector=metadata.name=a`))).to.deep.equal(['a']);
    }),
  );

  it(
    'is not listed by other labels, nor of kinds that have none',
    inShop(async (shop) => {
      await trashed(shop);
      for (const selector of ['svc.app/get-trash=false', 'svc.app/get-trash', 'svc.app/get-trash in (false)'])
        expect(names(await list(shop, `labelSelector=${selector}`)), selector).to.deep.equal([]);
      for (const selector of ['', '!svc.app/get-trash', 'svc.app/get-trash!=true', 'svc.app/get-trash notin (true)'])
        expect(names(await list(shop, `labelSelector=${selector}`)), selector).to.deep.equal(['here']);
      await shop.put(shop.kinds.writer, 'ann');
      expect(names(await list(shop, SELECTED, {}, pathOf(shop.kinds.writer)))).to.deep.equal([]);
    }),
  );

  it(
    'has pages, whose tokens belong to the list and the caller',
    inShop(async (shop) => {
      await trashed(shop);
      const first = await list(shop, `${SELECTED}&limit=2`);
      expect(names(first)).to.deep.equal(['c', 'b']);
      const token = first.body.metadata.continue;
      const rest = await list(shop, `${SELECTED}&limit=2&continue=${token}`);
      expect([names(rest), rest.body.metadata.continue]).to.deep.equal([['a'], undefined]);
      expect((await list(shop, `${SELECTED},at=a&continue=${token}`)).status).to.equal(400);
      const ann = userOf(shop, 'shelves:read *', 'shelves:delete *', 'shelves:create *');
      expect((await list(shop, `${SELECTED}&continue=${token}`, { user: ann })).status).to.equal(400);
      expect((await list(shop, `${SELECTED}&continue=none`)).status).to.equal(400);
    }),
  );

  it(
    'is listed in one namespace, and cannot be watched',
    inShop(async (shop) => {
      await trashed(shop);
      expect(await failure(list(shop, `${SELECTED}&watch=true`))).to.deep.equal([400, 'the trash cannot be watched']);
      expect(await failure(list(shop, SELECTED, {}, `/apis/${shop.kinds.shelf.apiVersion}/shelves`))).to.deep.equal([
        400,
        'the trash is listed in one namespace',
      ]);
      expect((await list(shop, SELECTED, { user: userOf(shop) })).status).to.equal(403);
    }),
  );
});
