import { expect } from 'chai';
import { Any } from './protobuf-parts.js';

describe('a value of any type in an OpenAPI document in protobuf', () => {
  it('is YAML in block style, whose text some clients of Kubernetes compare', () => {
    const texts = [[{ fieldPath: 'spec.color' }, { fieldPath: 'spec.size' }], 'on', 1, true, {}, []].map((value) => {
      const [tag, length, ...yaml] = Any(value);
      expect([tag, length]).to.deep.equal([0x12, yaml.length]);
      return Buffer.from(yaml).toString();
    });
    expect(texts).to.deep.equal([
      '- fieldPath: spec.color\n- fieldPath: spec.size\n',
      '"on"\n',
      '1\n',
      'true\n',
      '{}\n',
      '[]\n',
    ]);
  });
});
