import { expect } from 'chai';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Received, Sent } from '../../testing/served.js';
import { inShop, pathOf, type Shop, userOf } from '../testing/library.js';
import { failure, remove, written } from '../testing/past.js';

interface Version {
  readonly version: number;
  readonly isCurrent: boolean;
  readonly object?: KubeObject;
  readonly deleted?: object;
}

const TABLE = { headers: { accept: 'text/html' } };

describe('the history of an object', () => {
  const get = (shop: Shop, query = '', sent: Sent = {}, name = 'top') =>
    shop.send('GET', pathOf(shop.kinds.shelf, name, 'history'), { ...sent, query });
  const versionsOf = ({ status, body }: Received) => {
    expect(status, body.message).to.equal(200);
    return body as unknown as { readonly versions: readonly Version[]; readonly continue?: string };
  };
  const numbers = (answer: Received) => versionsOf(answer).versions.map(({ version }) => version);

  it(
    'has its versions, the newest first, without the objects',
    inShop(async (shop) => {
      await written(shop);
      const answer = await get(shop);
      expect(answer.body).to.deep.include({
        kind: 'History',
        apiVersion: 'history.svc.app/v1beta1',
        metadata: { name: 'top', namespace: 'default' },
      });
      expect(numbers(answer)).to.deep.equal([3, 2, 1]);
      const { versions, ...more } = versionsOf(answer);
      expect(versions.map(({ isCurrent }) => isCurrent)).to.deep.equal([true, false, false]);
      for (const one of versions) expect(one).to.not.have.property('object');
      expect(more).to.not.have.property('continue');
    }),
  );

  it(
    'has one version as a whole',
    inShop(async (shop) => {
      await written(shop);
      const { versions } = versionsOf(await get(shop, 'version=2'));
      expect(versions.map(({ version, object }) => [version, object?.spec])).to.deep.equal([[2, { x: '2' }]]);
      expect((await get(shop, 'version=9')).status).to.equal(404);
      expect((await get(shop, 'version=x')).status).to.equal(400);
    }),
  );

  it(
    'has pages of at most as many versions as the client asks for',
    inShop(async (shop) => {
      await written(shop);
      const first = await get(shop, 'limit=2');
      expect(numbers(first)).to.deep.equal([3, 2]);
      const token = versionsOf(first).continue;
      const rest = await get(shop, `limit=2&continue=${token}`);
      expect([numbers(rest), versionsOf(rest).continue]).to.deep.equal([[1], undefined]);
      for (const query of ['limit=0', 'limit=1000']) expect(numbers(await get(shop, query))).to.deep.equal([3, 2, 1]);
      expect(await failure(get(shop, `version=1&continue=${token}`))).to.deep.equal([
        400,
        'the query parameters version and continue exclude each other',
      ]);
      await shop.put(shop.kinds.shelf, 'low');
      expect((await get(shop, `continue=${token}`, {}, 'low')).status).to.equal(400);
      const ann = userOf(shop, 'shelves:read *', 'shelves:write *');
      expect((await get(shop, `continue=${token}`, { user: ann })).status).to.equal(400);
    }),
  );

  it(
    'has at most 50 versions on a page if the client does not say how many, and at most 100',
    inShop(
      async (shop) => {
        await shop.put(shop.kinds.shelf, 'top', { x: '0' });
        for (let x = 1; x < 110; x++) await shop.change(shop.kinds.shelf, 'top', { x: String(x) });
        expect(numbers(await get(shop))).to.have.length(50);
        expect(numbers(await get(shop, 'limit=0'))).to.have.length(50);
        expect(numbers(await get(shop, 'limit=1000'))).to.have.length(100);
      },
      { retention: { versions: 1000 } },
    ),
  );

  it(
    'is there after a deletion, for those who could view the object',
    inShop(async (shop) => {
      await written(shop);
      await remove(shop);
      const { versions } = versionsOf(await get(shop));
      expect(versions[0]).to.have.property('deleted');
      expect((await get(shop, '', { user: userOf(shop) })).status).to.equal(403);
      expect((await get(shop, '', {}, 'none')).status).to.equal(404);
      expect((await get(shop, '', TABLE)).status).to.equal(406);
    }),
  );
});
