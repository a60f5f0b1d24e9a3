import { expect } from 'chai';
import { z } from 'zod';
import { fieldsOf } from '../../pkg/fieldmanager/fields-of.js';
import { withoutUndeclared } from '../../pkg/fieldmanager/remove.js';
import { defineKind } from '../kind.js';
import { fieldTypeOf } from './field-types.js';

const Item = z.strictObject({ name: z.string(), value: z.string().optional() });

interface Tree {
  readonly label?: string | undefined;
  readonly child?: Tree | undefined;
}

const Tree: z.ZodType<Tree> = z.strictObject({ label: z.string().optional(), child: z.lazy(() => Tree.optional()) });

const KIND = defineKind(
  { domain: 'svc.app' },
  {
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
      tree: Tree,
    }),
  },
);

describe('types of fields', () => {
  const type = fieldTypeOf(KIND);
  const fields = (spec: object) => fieldsOf({ spec }, type)['f:spec'];

  it('follow from the schema', () => {
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
    expect(fields({ tree: { child: { label: 'x' } } })).to.deep.equal({
      'f:tree': { 'f:child': { 'f:label': {} } },
    });
  });

  it('of metadata are those of Kubernetes', () => {
    const owner = { apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' };
    const metadata = { finalizers: ['a.b/c'], labels: { x: 'y' }, ownerReferences: [owner] };
    const found = fieldsOf({ metadata }, type)['f:metadata'] ?? {};
    expect(found).to.deep.include({ 'f:finalizers': { 'v:"a.b/c"': {} }, 'f:labels': { 'f:x': {} } });
    expect(found['f:ownerReferences']).to.have.all.keys('k:{"uid":"u"}');
  });

  it('tell members that no schema has, and items that are twice in a list', () => {
    const { value, undeclared } = withoutUndeclared({ spec: { other: 1, loose: { any: 1 }, list: [{ x: 1 }] } }, type);
    expect([value, undeclared]).to.deep.equal([
      { spec: { loose: { any: 1 }, list: [{}] } },
      ['.spec.other', '.spec.list[0].x'],
    ]);
    const twice = { spec: { map: [{ name: 'a' }, { name: 'a' }] } };
    expect(() => withoutUndeclared(twice, type)).to.throw('duplicate entries for key .spec.map[name="a"]');
  });
});
