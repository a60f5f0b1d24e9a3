import { expect } from 'chai';
import { type FieldType, SCALAR } from '../fieldmanager/type.js';
import { fieldTypeOf } from './field-type.js';
import type { JsonSchema } from './json-schema.js';

const PRESERVE = { 'x-kubernetes-preserve-unknown-fields': true };
const rootOf = (spec: JsonSchema, more: JsonSchema = {}): FieldType =>
  fieldTypeOf({ type: 'object', properties: { spec }, ...more });
const member = (type: FieldType | undefined, name: string): FieldType | undefined => type?.map?.fields.get(name)?.type;
const specOf = (spec: JsonSchema): FieldType | undefined => member(rootOf(spec), 'spec');

describe('the field type of a custom kind', () => {
  it('has the members of every object, with their types', () => {
    const type = rootOf({ type: 'string' }, { properties: { metadata: { type: 'object' } } });
    expect([...(type.map?.fields.keys() ?? [])]).to.have.members(['apiVersion', 'kind', 'metadata']);
    expect(member(type, 'kind')).to.equal(SCALAR);
    const metadata = member(type, 'metadata');
    expect(metadata?.map?.fields.get('finalizers')?.type.list).to.deep.include({ isAtomic: false, keys: [] });
    expect(metadata?.map?.fields.get('ownerReferences')?.type.list?.keys).to.deep.equal(['uid']);
    expect(type.map?.element).to.equal(undefined);
  });

  it('has lists that are atomic, sets, or maps with the defaults of their keys', () => {
    const listOf = (more: JsonSchema) => specOf({ type: 'array', items: { type: 'string' }, ...more })?.list;
    expect(listOf({})).to.deep.equal({ isAtomic: true, keys: [], element: SCALAR });
    expect(listOf({ 'x-kubernetes-list-type': 'set' })).to.deep.equal({ isAtomic: false, keys: [], element: SCALAR });
    const items = { type: 'object', properties: { port: { type: 'integer', default: 80 }, name: { default: null } } };
    const keyed = specOf({
      type: 'array',
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port'],
    })?.list;
    expect(keyed?.keys).to.deep.equal(['port']);
    expect(keyed?.element.map?.fields.get('port')).to.deep.equal({ type: SCALAR, default: 80 });
    expect(keyed?.element.map?.fields.get('name')).to.not.have.property('default');
  });

  it('has objects that are granular unless they are atomic', () => {
    const properties = { a: { type: 'string' } };
    expect(specOf({ type: 'object', properties })?.map?.isAtomic).to.equal(false);
    expect(specOf({ type: 'object', properties, 'x-kubernetes-map-type': 'atomic' })?.map?.isAtomic).to.equal(true);
    expect(specOf({ type: 'object', additionalProperties: { type: 'string' } })?.map?.element).to.equal(SCALAR);
  });

  it('takes unknown members where they are preserved, also within, and where no member is named', () => {
    const within = { type: 'object', properties: { a: { type: 'string' } } };
    const closed = specOf({ type: 'object', properties: { within } });
    expect([closed?.map?.element, member(closed, 'within')?.map?.element]).to.deep.equal([undefined, undefined]);
    const open = specOf({ type: 'object', properties: { within }, ...PRESERVE });
    expect(open?.map?.element?.isScalar).to.equal(true);
    expect(member(open, 'within')?.map?.element?.isScalar).to.equal(true);
    expect(specOf({ type: 'object' })?.map?.element?.isScalar).to.equal(true);
    expect(specOf({ type: 'object', additionalProperties: true })?.map?.element?.isScalar).to.equal(true);
    expect(specOf({ type: 'object', additionalProperties: false })?.map?.element).to.equal(undefined);
  });

  it('has every form for values without a type', () => {
    for (const type of [specOf(PRESERVE), specOf({ 'x-kubernetes-int-or-string': true })]) {
      expect(type?.isScalar).to.equal(true);
      expect(type?.list?.isAtomic).to.equal(true);
      expect(type?.map?.isAtomic).to.equal(false);
    }
  });

  it('has the members of every object in embedded resources', () => {
    const type = specOf({ type: 'object', 'x-kubernetes-embedded-resource': true, ...PRESERVE });
    expect(member(member(type, 'metadata'), 'labels')?.map?.element).to.equal(SCALAR);
    expect(member(type, 'metadata')?.map?.element).to.equal(undefined);
  });

  it('is made when it is needed, once', () => {
    let reads = 0;
    const schema = {
      type: 'object',
      get properties() {
        reads++;
        return {};
      },
    };
    const type = fieldTypeOf({ type: 'object', properties: { spec: schema } });
    expect(reads).to.equal(0);
    const spec = member(type, 'spec');
    expect(spec?.map).to.equal(spec?.map);
    expect(reads).to.equal(1);
  });
});
