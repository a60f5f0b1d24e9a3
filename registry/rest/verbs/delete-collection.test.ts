import { expect } from 'chai';
import { badRequest, notFound } from '../../../pkg/kube/status/errors.js';
import { StorageError } from '../../../storage/errors.js';
import { create, createMany, HOUSE, LAMP, pathTo, ROOM } from '../../testing/house.js';
import { type Received, type Served, senderTo, serve } from '../../testing/served.js';
import { resourceHandler } from '../router.js';

describe('DELETE of a large collection', () => {
  let served: Served;
  const names = Array.from({ length: 205 }, (_, i) => `n${i + 100}`);
  beforeEach(async () => {
    served = await serve(HOUSE);
    await create(served, ROOM, 'hall');
    await createMany(served, LAMP, names, { watts: 1 });
  });
  afterEach(() => served.close());

  /** Deletes it on a registry whose writer does something before each deletion. */
  const remove = (before: (count: number) => void, after: () => void = () => undefined): Promise<Received> => {
    const { writer } = served.registry;
    let count = 0;
    const transact = async (...given: Parameters<typeof writer.transact>) => {
      before(++count);
      try {
        return await writer.transact(...given);
      } finally {
        after();
      }
    };
    const registry = { ...served.registry, writer: { transact } } as unknown as Served['registry'];
    return senderTo(resourceHandler(registry))('DELETE', pathTo(LAMP));
  };
  const left = (): number => served.registry.reader.count(LAMP.qualified, 'hall');

  it('deletes a hundred objects at once, each of them once', async () => {
    let [now, most, all] = [0, 0, 0];
    const begin = () => {
      all++;
      most = Math.max(most, ++now);
    };
    const end = () => {
      now--;
    };
    const { status } = await remove(begin, end);
    expect([status, most, all, left()]).to.deep.equal([200, 100, 205, 0]);
  });

  it('skips objects that are gone meanwhile, but fails for any other reason', async () => {
    const refuse = (error: Error) => (count: number) => {
      if (count === 3) throw error;
    };
    const skipped = await remove(refuse(notFound(LAMP, 'n102')));
    expect([skipped.status, left()]).to.deep.equal([200, 1]);
    await createMany(served, LAMP, ['a', 'b', 'c'], { watts: 1 });
    expect((await remove(refuse(badRequest('no')))).status).to.equal(400);
  });

  // Promise: contract 6
  it('does not say that nothing was changed when the store fails after some deletions', async () => {
    const answer = await remove((count) => {
      if (count > 150) throw new StorageError('unavailable', 'no primary');
    });
    expect(left()).to.be.within(1, 204);
    expect([answer.status, answer.headers['retry-after']]).to.deep.equal([503, undefined]);
    expect(JSON.stringify(answer.body)).to.contain('some may be deleted');
  });
});
