import { expect } from 'chai';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { decodeYaml } from './decode.js';
import { toYaml, toYamlItem } from './to-yaml.js';

describe('toYaml', () => {
  it('writes members and lists as kubectl does', () => {
    const value = { kind: 'Folder', metadata: { name: 'a', labels: {} }, items: [{ a: 1, b: [true, null] }, 'x', []] };
    expect(toYaml(value)).to.equal(
      'kind: Folder\nmetadata:\n  name: a\n  labels: {}\nitems:\n- a: 1\n  b:\n  - true\n  - null\n- x\n- []\n',
    );
    expect(toYamlItem({ a: { b: [[1]] } })).to.equal('- a:\n    b:\n    - - 1\n');
  });

  it('quotes what YAML would read as another type, or could not read', () => {
    const texts = [
      'yes',
      'NO',
      'on',
      'null',
      '1',
      '1e3',
      '0x1f',
      '2020-01-01',
      '1:30',
      '~',
      '<<',
      '=',
      '',
      ' a',
      'a: b',
    ];
    for (const text of [...texts, 'a #b', 'a\u2028b', 'a\u0085', '\ufeff', '-', '- a', '*a', '&a', '!a', 'a:', '_1'])
      expect(decodeYaml(Buffer.from(toYaml({ text, [text]: 1 }))).value).to.deep.equal({ text, [text]: 1 });
  });

  // Promise: contract 1.6
  it('is read back as the same value, by the server and by another reader of YAML', () => {
    const keys = fc.string({ unit: 'grapheme' }).filter((key) => key !== '__proto__' && key !== '<<');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(keys, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const text = toYaml(value);
        expect(decodeYaml(Buffer.from(text)).value).to.deep.equal(value);
        expect(load(text)).to.deep.equal(value);
      }),
    );
  });
});
