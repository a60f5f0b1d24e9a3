import { expect } from 'chai';
import { z } from 'zod';
import { forbidden } from '../../../pkg/kube/status/errors.js';
import type { Kind } from '../../kinds/kind.js';
import { create, HOUSE, LAMP, pathTo, ROOM } from '../../testing/house.js';
import { type Received, type Served, serve } from '../../testing/served.js';

/** A lamp whose watts nobody can say. The lamp `sun` stays. */
const GLOW = {
  ...LAMP,
  kind: 'Glow',
  resource: 'glows',
  singular: 'glow',
  spec: z.strictObject({}),
  acceptsStrategicMerge: true,
  conversion: {
    storageKind: LAMP.qualified,
    convert: (lamp: object) => ({ ...lamp, kind: 'Glow', spec: {} }),
    restore: ({ metadata }: { readonly metadata: object }) => ({ apiVersion: LAMP.apiVersion, kind: 'Lamp', metadata }),
    hiddenDefaults: (name: string) => ({ spec: { watts: 7, colour: name } }),
  },
} as unknown as Kind;
const lamps = HOUSE.map((kind) => {
  if (kind !== LAMP) return kind;
  const validateDelete: NonNullable<Kind['strategy']>['validateDelete'] = ({ metadata: { name } }) => {
    if (name === 'sun') throw forbidden(LAMP, name, 'it stays');
  };
  return { ...kind, uniques: { byWatts: { field: 'spec.watts', message: 'taken' } }, strategy: { validateDelete } };
});

describe('a request about a kind that is stored as another one, and has no words for its spec', () => {
  let served: Served;
  beforeEach(async () => {
    served = await serve([...lamps, GLOW]);
    await create(served, ROOM, 'hall');
  });
  afterEach(() => served.close());

  const glow = (metadata: object) => ({ apiVersion: LAMP.apiVersion, kind: 'Glow', metadata, spec: {} });
  const send = (
    method: string,
    name: string,
    body?: unknown,
    type = 'application/json',
    query = '',
  ): Promise<Received> => served.send(method, pathTo(GLOW, name), { body, query, headers: { 'content-type': type } });
  const apply = (metadata: object, name = 'a'): Promise<Received> =>
    send('PATCH', name, glow({ name, ...metadata }), 'application/apply-patch+yaml', 'fieldManager=me');
  const stored = async (name = 'a') => (await served.send('GET', pathTo(LAMP, name))).body;

  it('makes the stored object with a spec, when the name is known', async () => {
    const { status, body } = await send('POST', '', glow({ generateName: 'g-' }));
    expect([status, body.kind]).to.deep.equal([201, 'Glow']);
    expect((await stored(body.metadata.name)).spec).to.deep.equal({ watts: 7, colour: body.metadata.name });
  });

  it('keeps the spec in later writes, and what its manager has applied to it', async () => {
    await create(served, LAMP, 'a', { watts: 9 });
    for (const write of [
      () => send('PUT', 'a', glow({ name: 'a', labels: { n: '1' } })),
      () => send('PATCH', 'a', { metadata: { labels: { n: '2' } } }, 'application/merge-patch+json'),
      () => apply({ labels: { m: '3' } }),
    ]) {
      expect((await write()).status).to.equal(200);
      expect((await stored()).spec).to.deep.equal({ watts: 9 });
    }
    const lamp = {
      apiVersion: LAMP.apiVersion,
      kind: 'Lamp',
      metadata: { name: 'b' },
      spec: { watts: 3, colour: 'red' },
    };
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    await served.send('PATCH', pathTo(LAMP, 'b'), { body: lamp, query: 'fieldManager=me', headers });
    expect((await apply({ labels: { m: '3' } }, 'b')).status).to.equal(200);
    expect((await stored('b')).spec).to.deep.equal({ watts: 3, colour: 'red' });
  });

  it('manages none of the spec that an apply makes', async () => {
    const { body } = await apply({ labels: { m: '3' } });
    expect(JSON.stringify(body.metadata.managedFields)).to.not.include('f:spec');
    expect((await stored()).spec).to.deep.equal({ watts: 7, colour: 'a' });
  });

  // Promise: contract 7
  it('is refused as one about its own kind, and says where the spec comes from', async () => {
    await create(served, LAMP, 'sun', { watts: 7 });
    const taken = await send('POST', '', glow({ name: 'a' }));
    expect(taken.body.message).to.equal(
      'Glow.house.svc.app "a" is invalid: spec.watts: taken; a Glow does not say this field, so it is made of the name: write the Lamp (house.svc.app/v1) instead',
    );
    expect([taken.status, taken.body.details.kind]).to.deep.equal([422, 'Glow']);
    const texts = [
      [await send('POST', '', glow({ name: 'sun' })), 'glows.house.svc.app "sun" already exists'],
      [await send('GET', 'no'), 'glows.house.svc.app "no" not found'],
      [await send('PUT', 'no', glow({ name: 'no' })), 'glows.house.svc.app "no" not found'],
      [await send('DELETE', 'no'), 'glows.house.svc.app "no" not found'],
    ] as const;
    for (const [{ body }, text] of texts) expect([body.message, body.details.kind]).to.deep.equal([text, 'glows']);
  });

  it('obeys the rules of the stored kind in deletions', async () => {
    await create(served, LAMP, 'sun', { watts: 7 });
    const { status, body } = await send('DELETE', 'sun');
    expect([status, body.message]).to.deep.equal([403, 'glows.house.svc.app "sun" is forbidden: it stays']);
    expect((await served.send('DELETE', pathTo(GLOW))).status).to.equal(403);
  });
});
