import { expect } from 'chai';
import { z } from 'zod';
import { fieldsOf } from '../../pkg/kube/fieldmanager/fields-of.js';
import { withoutUndeclared } from '../../pkg/kube/fieldmanager/remove.js';
import { DEDUCED, SCALAR } from '../../pkg/kube/fieldmanager/type.js';
import { defineKind, type Kind } from '../kinds/kind.js';
import { fieldTypeOf } from './field-types.js';

const Item = z.strictObject({ name: z.string(), value: z.string().optional() });

/** It has a name of its own in the document, so others refer to it. */
const Named = z.strictObject({ b: Item }).meta({ id: 'NamedPart', description: 'A part.' });

interface Tree {
  readonly label?: string | undefined;
  readonly child?: Tree | undefined;
}

const Tree: z.ZodType<Tree> = z.strictObject({ label: z.string().optional(), child: z.lazy(() => Tree.optional()) });

const KIND = defineKind(
  { domain: 'svc.app' },
  {
    identity: {
      group: 'test',
      version: 'v1',
      kind: 'Typed',
      resource: 'typed',
      singular: 'typed',
      scope: 'Namespaced',
      description: 'A kind for tests.',
      spec: z.strictObject({
        list: z.array(Item),
        set: z.array(z.string()).meta({ 'x-kubernetes-list-type': 'set' }),
        map: z.array(Item).meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
        whole: z.strictObject({ a: z.string() }).meta({ 'x-kubernetes-map-type': 'atomic' }),
        record: z.record(z.string(), z.string()),
        loose: z.looseObject({ title: z.string() }),
        nullable: z.strictObject({ a: z.string() }).nullish(),
        described: Named.optional().describe('A part with a text of its own.'),
        tree: Tree,
        keyed: z
          .array(z.strictObject({ port: z.int(), protocol: z.string().default('TCP') }))
          .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'protocol'] }),
        items: z.record(z.string(), Item),
        several: z.union([z.strictObject({ a: z.string() }), z.array(z.string()), z.null()]),
        any: z.unknown(),
      }),
    },
  },
);

describe('types of fields', () => {
  // The type of a kind is remembered, so each test has a kind of its own.
  const typeNow = () => fieldTypeOf({ ...KIND });

  // Promise: contract 5.4
  it('follow from the schema', () => {
    const type = typeNow();
    const fields = (spec: object) => fieldsOf({ spec }, type)['f:spec'];
    const items = [{ name: 'a', value: 'b' }];
    expect(fields({ list: items })).to.deep.equal({ 'f:list': {} });
    expect(fields({ set: ['x'] })).to.deep.equal({ 'f:set': { 'v:"x"': {} } });
    const item = { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:value': {} } };
    expect(fields({ map: items })).to.deep.equal({ 'f:map': item });
    expect(fields({ whole: { a: 'b' } })).to.deep.equal({ 'f:whole': {} });
    expect(fields({ record: { a: 'b' } })).to.deep.equal({ 'f:record': { 'f:a': {} } });
    expect(fields({ loose: { title: 'a', more: { b: [1] } } })).to.deep.equal({
      'f:loose': { 'f:title': {}, 'f:more': { '.': {}, 'f:b': {} } },
    });
    expect(fields({ nullable: { a: 'b' } })).to.deep.equal({ 'f:nullable': { 'f:a': {} } });
    expect(fields({ described: { b: { name: 'x' } } })).to.deep.equal({ 'f:described': { 'f:b': { 'f:name': {} } } });
    const described = type.map?.fields.get('spec')?.type.map?.fields.get('described')?.type.map;
    expect([...(described?.fields.keys() ?? [])]).to.deep.equal(['b']);
    expect(fields({ tree: { child: { label: 'x' } } })).to.deep.equal({
      'f:tree': { 'f:child': { 'f:label': {} } },
    });
  });

  it('of metadata are those of Kubernetes', () => {
    const owner = { apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' };
    const metadata = { finalizers: ['a.b/c'], labels: { x: 'y' }, ownerReferences: [owner] };
    const found = fieldsOf({ metadata }, typeNow())['f:metadata'] ?? {};
    expect(found).to.deep.include({ 'f:finalizers': { 'v:"a.b/c"': {} }, 'f:labels': { 'f:x': {} } });
    expect(found['f:ownerReferences']).to.have.all.keys('k:{"uid":"u"}');
  });

  it('tell members that no schema has, and items that are twice in a list', () => {
    const type = typeNow();
    const { value, undeclared } = withoutUndeclared({ spec: { other: 1, loose: { any: 1 }, list: [{ x: 1 }] } }, type);
    expect([value, undeclared]).to.deep.equal([
      { spec: { loose: { any: 1 }, list: [{}] } },
      ['.spec.other', '.spec.list[0].x'],
    ]);
    const twice = { spec: { map: [{ name: 'a' }, { name: 'a' }] } };
    expect(() => withoutUndeclared(twice, type)).to.throw('duplicate entries for key .spec.map[name="a"]');
  });

  it('of lists are whole, sets or maps, with the defaults of the keys', () => {
    const spec = typeNow().map?.fields.get('spec')?.type.map;
    const listOf = (name: string) => spec?.fields.get(name)?.type.list;
    expect(['list', 'set', 'map'].map((name) => [listOf(name)?.isAtomic, listOf(name)?.keys])).to.deep.equal([
      [true, []],
      [false, []],
      [false, ['name']],
    ]);
    expect(listOf('keyed')?.element.map?.fields.get('protocol')?.default).to.equal('TCP');
    expect(listOf('keyed')?.element.map?.fields.get('port')).to.not.have.property('default');
    expect(spec?.fields.get('whole')?.type.map?.isAtomic).to.equal(true);
    expect(spec?.isAtomic).to.equal(false);
    expect(listOf('set')?.element).to.deep.equal({ isScalar: true });
  });

  it('of members without a schema are none in a strict object, deduced in a loose one, and those of a record', () => {
    const spec = typeNow().map?.fields.get('spec')?.type.map;
    const elementOf = (name: string) => spec?.fields.get(name)?.type.map?.element;
    expect(spec).to.not.have.property('element');
    expect(elementOf('whole')).to.equal(undefined);
    expect(elementOf('loose')).to.equal(DEDUCED);
    expect(elementOf('record')).to.deep.equal({ isScalar: true });
    expect(elementOf('items')?.map?.fields.get('name')?.type).to.deep.equal({ isScalar: true });
  });

  it('of values that may be several things are deduced, also if one of them is null', () => {
    const spec = typeNow().map?.fields.get('spec')?.type.map;
    expect(spec?.fields.get('several')?.type).to.equal(DEDUCED);
    expect(spec?.fields.get('any')?.type).to.equal(DEDUCED);
    expect([...(spec?.fields.get('nullable')?.type.map?.fields.keys() ?? [])]).to.deep.equal(['a']);
  });

  it('of a kind are those of its parts: spec and status, or the members that it has in place of a spec', () => {
    const parts = (kind: Kind) => [...(fieldTypeOf(kind).map?.fields.keys() ?? [])];
    expect(parts({ ...KIND })).to.deep.equal(['apiVersion', 'kind', 'metadata', 'spec']);
    const withStatus = { ...KIND, status: z.strictObject({ done: z.boolean() }) };
    expect(parts(withStatus)).to.deep.equal(['apiVersion', 'kind', 'metadata', 'spec', 'status']);
    expect([...(fieldTypeOf(withStatus).map?.fields.get('status')?.type.map?.fields.keys() ?? [])]).to.deep.equal([
      'done',
    ]);
    const members = z.strictObject({ reason: z.string(), count: z.int().optional() });
    const { spec: _, ...bare } = KIND;
    expect(parts({ ...bare, members })).to.deep.equal(['apiVersion', 'kind', 'metadata', 'reason', 'count']);
    expect(fieldTypeOf({ ...bare, members }).map?.fields.get('reason')?.type).to.deep.equal({ isScalar: true });
    expect(fieldTypeOf({ ...bare }).map?.fields.get('spec')?.type).to.equal(DEDUCED);
    expect(fieldTypeOf(bare).map?.fields.get('kind')?.type).to.equal(SCALAR);
    expect(fieldTypeOf(bare).map?.isAtomic).to.equal(false);
  });

  it('are made once for a kind', () => {
    const kind = { ...KIND };
    expect(fieldTypeOf(kind)).to.equal(fieldTypeOf(kind));
  });
});
