import { expect } from 'chai';
import type { JsonSchema } from './json-schema.js';
import { compile, memberOf, nodeOf } from './structural.js';

describe('compile', () => {
  it('gives a tree that can be walked with a value', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'string', nullable: true }, 'x-kubernetes-list-type': 'set' },
        map: { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } },
      },
      'x-kubernetes-validations': [{ rule: 'true' }],
    };
    const root = nodeOf(compile(schema));
    expect(root.rules).to.deep.equal([{ rule: 'true' }]);
    const list = memberOf(root, 'list');
    const map = memberOf(root, 'map');
    if (list === undefined || map === undefined) throw new Error('there is no schema');
    expect(nodeOf(list).listType).to.equal('set');
    expect(nodeOf(nodeOf(list).items ?? list).isNullable).to.equal(true);
    expect(nodeOf(memberOf(nodeOf(map), 'any') ?? map).isIntOrString).to.equal(true);
    expect(memberOf(root, 'constructor')).to.equal(undefined);
  });

  it('compiles a part when it is used, and that once', () => {
    const properties = new Proxy(
      {
        a: {
          type: 'object',
          get properties(): never {
            throw new Error('used');
          },
        },
      },
      {},
    );
    const structural = compile({ type: 'object', properties } as JsonSchema);
    const [a] = [...(nodeOf(structural).properties?.values() ?? [])];
    expect(nodeOf(structural)).to.equal(nodeOf(structural));
    expect(() => nodeOf(a ?? structural)).to.throw('used');
  });

  it('shares the nodes of parts that have a type and nothing else', () => {
    expect(nodeOf(compile({ type: 'string' }))).to.equal(nodeOf(compile({ type: 'string', description: 'x' })));
    expect(nodeOf(compile({ type: 'string' }))).not.to.equal(nodeOf(compile({ type: 'string', maxLength: 1 })));
  });
});
