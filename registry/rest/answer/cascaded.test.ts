import { expect } from 'chai';
import { forbidden } from '../../../pkg/kube/status/errors.js';
import { StorageError } from '../../../storage/errors.js';
import type { RequestAttributes } from '../../kinds/authorizer.js';
import type { Kind } from '../../kinds/kind.js';
import type { Reader } from '../../read/reader.js';
import { CHEST, create, HOUSE, LAMP, pathTo, ROOM } from '../../testing/house.js';
import { ANN, requestTo, type Served, serve } from '../../testing/served.js';
import { parseRequestPath } from '../request-info.js';
import { deletedWithContainer } from './cascaded.js';

describe('the last state of an object that went with its container', () => {
  let served: Served;
  beforeEach(async () => {
    served = await serve(HOUSE);
    await create(served, ROOM, 'hall');
    await create(served, CHEST, 'oak');
    await create(served, LAMP, 'a', { watts: 5 }, { annotations: { in: 'oak' } });
    await served.send('DELETE', pathTo(CHEST, 'oak'));
  });
  afterEach(() => served.close());

  const asked: (readonly [RequestAttributes, Reader])[] = [];
  const find = async (authorize: (attributes: RequestAttributes, reader: Reader) => void, kind: Kind = LAMP) => {
    const registry = { ...served.registry, authorizer: { authorize } } as unknown as Served['registry'];
    const info = parseRequestPath(pathTo(LAMP, 'a'));
    const bytes = await deletedWithContainer(requestTo('DELETE', '', { user: ANN }), { registry, kind, info }, {});
    return bytes && JSON.parse(Buffer.from(bytes).toString()).metadata.name;
  };

  it('is for a caller who could have deleted it just before', async () => {
    expect(
      await find((attributes, reader) => {
        asked.push([attributes, reader]);
        expect(reader.entry(CHEST.qualified, 'hall', 'oak')).to.not.equal(undefined);
        expect(reader.entry(LAMP.qualified, 'hall', 'a')).to.not.equal(undefined);
      }),
    ).to.equal('a');
    const [attributes] = asked[0] ?? [];
    expect(attributes).to.include({ user: ANN, verb: 'delete', kind: LAMP, namespace: 'hall', name: 'a' });
    expect(attributes?.object).to.deep.include({ container: 'oak' });
  });

  it('is nothing for others, or if that state is no longer known', async () => {
    const refuse = (error: Error) => () => {
      throw error;
    };
    expect(await find(refuse(forbidden(LAMP, 'a', 'no')))).to.equal(undefined);
    expect(await find(refuse(new StorageError('compacted', 'too old')))).to.equal(undefined);
    const defect = await find(refuse(new TypeError('a defect'))).catch(({ message }: Error) => message);
    expect(defect).to.equal('a defect');
  });

  it('is nothing if its container went later, by another request', async () => {
    await create(served, CHEST, 'oak');
    await create(served, LAMP, 'a', { watts: 5 }, { annotations: { in: 'oak' } });
    await served.send('DELETE', pathTo(LAMP, 'a'));
    await served.send('DELETE', pathTo(CHEST, 'oak'));
    expect(await find(() => undefined)).to.equal(undefined);
  });

  it('is nothing for kinds that have no containers', async () => {
    const { containment: _, ...alone } = LAMP;
    expect(await find(() => undefined, alone as Kind)).to.equal(undefined);
  });

  it('is found among later changes, and is nothing if it was changed since', async () => {
    for (const name of ['b', 'c']) await create(served, LAMP, name, { watts: 1 });
    expect(await find(() => undefined)).to.equal('a');
    await create(served, LAMP, 'a', { watts: 1 });
    expect(await find(() => undefined)).to.equal(undefined);
  });
});
