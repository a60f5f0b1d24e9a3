import { expect } from 'chai';
import { DEFINITIONS, define, definitionOf, versionOf } from '../custom/definition.js';
import { bodyOf, changingNothing, expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

const FEW = { subresources: {}, selectableFields: [], additionalPrinterColumns: [] };
const LONG = { type: 'string', default: 'x'.repeat(10_000) };
const listOf = (properties: object) => ({ type: 'array', items: { type: 'object', properties } });
const specOf = (properties: object) => ({ type: 'object', properties });
const items = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const apply = { 'content-type': 'application/apply-patch+yaml' };

/**
 * A default of a list's items comes once for each of them, so a body of some kilobytes could become an object of many
 * megabytes.
 */
oneStore('defaults of the items of a long list', (server) => {
  // Promise: security work
  it('do not make a very large object of a small body, by any way to write', async () => {
    const spec = specOf({ list: listOf({ n: { type: 'integer' }, long: LONG }) });
    const { object, objects } = await define(server, { words: {}, versions: [versionOf('v1', spec, FEW)] });
    bodyOf(await objects.create(object('small', { list: items(3) })), 201);
    const large = { list: items(1000) };
    const applied = (name: string, more = '') =>
      server().call('PATCH', `${objects.path(name)}?fieldManager=m${more}`, {
        body: object(name, large),
        headers: apply,
      });
    for (const write of [
      () => objects.create(object('large', large)),
      () => objects.create(object('large', large), { query: { dryRun: 'All' } }),
      () => objects.put('small', object('small', large)),
      () => objects.merge('small', { spec: large }),
      () => objects.jsonPatch('small', [{ op: 'add', path: '/spec/list', value: large.list }]),
      () => applied('small', '&force=true'),
      () => applied('large'),
    ])
      expectStatus(await changingNothing(server(), write), 413, 'RequestEntityTooLarge', 'defaults of its schema');
  });

  it('that a definition gets later leave its objects as they are, if they are too many', async () => {
    const names = { plural: 'laters', kind: 'Later', words: {} };
    const before = specOf({ list: listOf({ n: { type: 'integer' } }) });
    const { object, objects } = await define(server, { ...names, versions: [versionOf('v1', before, FEW)] });
    bodyOf(await objects.create(object('small', { list: items(3) })), 201);
    bodyOf(await objects.create(object('large', { list: items(1000) })), 201);
    const after = specOf({ list: listOf({ n: { type: 'integer' }, long: LONG }) });
    const changed = definitionOf({ ...names, versions: [versionOf('v1', after, FEW)] });
    bodyOf(await server().call('PUT', `${DEFINITIONS}/${changed.metadata.name}`, { body: changed }), 200);
    const lengths = async (): Promise<unknown> =>
      bodyOf(await objects.list(), 200).items.map(({ metadata, spec }) => [metadata.name, JSON.stringify(spec).length]);
    const [large, small] = (await lengths()) as [string, number][];
    expect(large?.[0]).to.equal('large');
    expect(large?.[1]).to.be.lessThan(20_000);
    expect(small?.[1]).to.be.greaterThan(30_000);
    expectStatus(await objects.merge('large', { spec: { list: items(1001) } }), 413, 'RequestEntityTooLarge');
    bodyOf(await objects.remove('large'), 200);
  });
});
