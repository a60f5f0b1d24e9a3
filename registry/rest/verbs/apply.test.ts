import { expect } from 'chai';
import { LAMP, type LampSpec, LIGHT, pathTo } from '../../testing/house.js';
import type { Received, Sent } from '../../testing/served.js';
import { useHall } from '../testing/house.js';

const APPLY = 'application/apply-patch+yaml';

describe('an apply', () => {
  const served = useHall('test');

  const type = { apiVersion: LAMP.apiVersion, kind: 'Lamp' };
  const apply = (body: unknown, query = 'fieldManager=me', name = 'a', part = ''): Promise<Received> => {
    const sent: Sent = { body, query, headers: { 'content-type': APPLY } };
    return served().send('PATCH', pathTo(LAMP, name) + part, sent);
  };
  const lamp = (spec: Partial<LampSpec> & object = { watts: 1 }, metadata: object = { name: 'a' }) => ({
    ...type,
    metadata,
    spec,
  });
  const refusal = async (answer: Promise<Received>) => {
    const { status, body } = await answer;
    return [status, body.message];
  };
  const stored = async () => (await served().send('GET', pathTo(LAMP, 'a'))).body;

  it('creates the object, or changes what its manager applied, and answers with it', async () => {
    const made = await apply(lamp({ watts: 1, colour: 'red' }));
    expect([made.status, made.body.spec]).to.deep.equal([201, { watts: 1, colour: 'red' }]);
    expect(made.body.metadata.managedFields?.map(({ manager, operation }) => [manager, operation])).to.deep.equal([
      ['me', 'Apply'],
    ]);
    const changed = await apply(lamp({ watts: 2 }));
    expect([changed.status, changed.body.spec]).to.deep.equal([200, { watts: 2 }]);
    expect(await stored()).to.deep.equal(changed.body);
  });

  it('is read from JSON or YAML', async () => {
    const yaml = 'apiVersion: house.svc.app/v1\nkind: Lamp\nmetadata:\n  name: a\nspec:\n  watts: 3\n';
    expect((await apply(yaml)).body.spec).to.deep.equal({ watts: 3 });
    for (const body of ['', '{', 'a: [', '[]', 'text']) expect((await apply(body)).status, body).to.equal(400);
    expect(await refusal(apply(''))).to.deep.equal([400, 'the request needs a body']);
  });

  it('may have as many values as any body', async () => {
    const labels = Object.fromEntries(Array.from({ length: 44_000 }, (_, i) => [`k${i}`, '']));
    expect((await apply(lamp({ watts: 1 }, { name: 'a', labels }))).status).to.equal(422);
    for (let i = 0; i < 2000; i++) labels[`more${i}`] = '';
    expect((await apply(lamp({ watts: 1 }, { name: 'a', labels }))).status).to.equal(413);
    const deep = `{"spec":${'{"a":'.repeat(100)}1${'}'.repeat(100)}}`;
    expect((await apply(deep)).status).to.equal(400);
  });

  it('needs the name of a manager', async () => {
    for (const query of ['', 'fieldManager=']) {
      const { status, body } = await apply(lamp(), query);
      expect([body.message, body.details.group, body.details.kind]).to.deep.equal([
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
        'meta.k8s.io',
        'PatchOptions',
      ]);
      expect([status, body.details.causes]).to.deep.equal([
        422,
        [
          {
            reason: 'FieldValueRequired',
            message: 'Required value: is required for apply patch',
            field: 'fieldManager',
          },
        ],
      ]);
    }
  });

  it('is refused if another manager has a field, unless it is forced', async () => {
    await apply(lamp({ watts: 1 }));
    expect((await apply(lamp({ watts: 2 }), 'fieldManager=you')).status).to.equal(409);
    expect((await apply(lamp({ watts: 2 }), 'fieldManager=you&force=false')).status).to.equal(409);
    expect((await apply(lamp({ watts: 2 }), 'fieldManager=you&force=true')).body.spec).to.deep.equal({ watts: 2 });
  });

  it('changes nothing in a dry run', async () => {
    expect((await apply(lamp(), 'fieldManager=me&dryRun=All')).status).to.equal(201);
    expect((await served().send('GET', pathTo(LAMP, 'a'))).status).to.equal(404);
  });

  it('must be of the kind, and say so', async () => {
    for (const body of [{ ...lamp(), kind: 'Light' }, { ...lamp(), apiVersion: 'v1' }, { spec: { watts: 1 } }])
      expect((await apply(body)).status).to.equal(400);
    expect((await refusal(apply({ ...type, metadata: 'x', spec: { watts: 1 } })))[1]).to.equal(
      'metadata must be an object',
    );
  });

  it('must have the name of the path, and its namespace or none', async () => {
    expect(await refusal(apply(lamp({ watts: 1 }, { name: 'b' })))).to.deep.equal([
      400,
      'the name of the object (b) does not match the name on the URL (a)',
    ]);
    expect((await refusal(apply(lamp({ watts: 1 }, { name: 7 }))))[1]).to.include('(number)');
    expect((await refusal(apply(lamp({ watts: 1 }, { name: 'x'.repeat(1000) }))))[1]).to.have.length.below(400);
    expect((await apply(lamp({ watts: 1 }, { namespace: 'attic' }))).status).to.equal(400);
    for (const metadata of [{}, { name: null }, { name: '' }])
      expect(await refusal(apply(lamp({ watts: 1 }, metadata))), JSON.stringify(metadata)).to.deep.equal([
        400,
        'the name of the object (a based on URL) was undeterminable: name must be provided',
      ]);
    for (const metadata of [{ name: 'a' }, { name: 'a', namespace: 'hall' }, { name: 'a', namespace: '' }])
      expect((await apply(lamp({ watts: 1 }, metadata))).body.metadata.name, JSON.stringify(metadata)).to.equal('a');
  });

  it('must not have managed fields, which only the server sets', async () => {
    const metadata = { name: 'a', managedFields: [] };
    expect(await refusal(apply(lamp({ watts: 1 }, metadata)))).to.deep.equal([
      400,
      'metadata.managedFields must be nil',
    ]);
    expect((await apply(lamp({ watts: 1 }, { ...metadata, managedFields: null }))).status).to.equal(201);
  });

  it('with a uid or a version applies only to the object that has them', async () => {
    const { uid, resourceVersion } = (await apply(lamp())).body.metadata;
    for (const more of [{ uid: 'other' }, { resourceVersion: '1' }])
      expect((await apply(lamp({ watts: 2 }, { name: 'a', ...more }))).status, JSON.stringify(more)).to.equal(409);
    expect((await apply(lamp({ watts: 2 }, { name: 'a', uid, resourceVersion }))).status).to.equal(200);
    for (const more of [
      { uid: '' },
      { uid: 7 },
      { resourceVersion: '' },
      { resourceVersion: '0' },
      { resourceVersion: 7 },
    ])
      expect((await apply(lamp({ watts: 3 }, { name: 'a', ...more }))).status, JSON.stringify(more)).to.equal(200);
    expect((await stored()).metadata).to.include({ uid });
  });

  describe('with a field that the kind does not have', () => {
    const extra = lamp({ watts: 1, extra: 1 } as object);
    const untyped = 'failed to create typed patch object (a; house.svc.app/v1, Kind=Lamp): ';

    it('leaves it out with a warning', async () => {
      const { status, headers, body } = await apply(extra);
      expect([status, headers['warning'], body.spec]).to.deep.equal([
        201,
        ['299 - "unknown field \\"spec.extra\\""'],
        { watts: 1 },
      ]);
      expect((await apply(extra, 'fieldManager=me&fieldValidation=Ignore')).headers['warning']).to.equal(undefined);
    });

    it('is refused if the client is strict, or if a field is there twice', async () => {
      const strict = 'fieldManager=me&fieldValidation=Strict';
      expect(await refusal(apply(extra, strict))).to.deep.equal([
        400,
        `${untyped}.spec.extra: field not declared in schema`,
      ]);
      const twice = JSON.stringify(lamp()).replace('"watts":1', '"watts":1,"watts":2');
      expect((await apply(twice)).headers['warning']).to.deep.equal(['299 - "duplicate field \\"spec.watts\\""']);
      expect(await refusal(apply(twice, strict))).to.deep.equal([
        400,
        'error decoding the patch: strict decoding error: duplicate field "spec.watts"',
      ]);
      expect((await apply(lamp(), strict)).status).to.equal(200);
    });

    it('names at most a hundred of them, none at length', async () => {
      const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`k${i}`, 1]));
      const warnings = (await apply(lamp({ watts: 1, ...many }))).headers['warning'] ?? [];
      expect(warnings.length).to.be.within(50, 100);
      const long = { ['x'.repeat(1000)]: 1 };
      const { status, body } = await apply(lamp({ watts: 1, ...long }), 'fieldManager=me&fieldValidation=Strict');
      expect(status).to.equal(400);
      expect(body.message).to.have.length.below(500);
    });

    it('or one of the wrong type is refused', async () => {
      const owners = [{ apiVersion: 'v1', kind: 'X', name: 'x' }];
      const [status, message] = await refusal(apply(lamp({ watts: 1 }, { name: 'a', ownerReferences: owners })));
      expect(status).to.equal(400);
      expect(message).to.include(untyped).and.include('none of the keys');
      const other = await refusal(apply({ ...lamp(), spec: 'x' }));
      expect(other[0]).to.equal(400);
      expect(other[1]).to.include(untyped).and.include('.spec: expected map, got string');
    });
  });

  it('of the object leaves its status, and of the status leaves the object', async () => {
    await apply({ ...lamp({ watts: 1 }), status: { isLit: true } });
    expect(await stored()).to.not.have.property('status');
    const answer = await apply({ ...lamp({ watts: 9 }), status: { isLit: true } }, 'fieldManager=me', 'a', '/status');
    expect(answer.status).to.equal(200);
    expect(answer.body).to.deep.include({ status: { isLit: true }, spec: { watts: 1 } });
  });

  it('owns only what it names', async () => {
    await apply(lamp({ watts: 1 }, { name: 'a' }), 'fieldManager=first');
    const { status, body } = await apply({ ...type, metadata: { name: 'a', labels: { x: 'y' } } });
    expect([status, body.spec]).to.deep.equal([200, { watts: 1 }]);
    const own = body.metadata.managedFields?.find(({ manager }) => manager === 'me');
    expect(own?.fieldsV1).to.deep.equal({ 'f:metadata': { 'f:labels': { 'f:x': {} } } });
  });

  it('comes with advice about the object', async () => {
    const { headers } = await apply(lamp({ watts: 1 }, { name: 'a', annotations: { 'svc.app/none': 'x' } }));
    expect(headers['warning']?.[0]).to.include('svc.app/none');
  });

  it('may be of an object that is stored as another one', async () => {
    const body = { apiVersion: LIGHT.apiVersion, kind: 'Light', metadata: { name: 'l' }, spec: { power: 6 } };
    const sent: Sent = { body, query: 'fieldManager=me', headers: { 'content-type': APPLY } };
    const answer = await served().send('PATCH', pathTo(LIGHT, 'l'), sent);
    expect([answer.status, answer.body.kind, answer.body.spec]).to.deep.equal([201, 'Light', { power: 6 }]);
    expect((await served().send('GET', pathTo(LAMP, 'l'))).body.spec).to.deep.equal({ watts: 6 });
  });
});
