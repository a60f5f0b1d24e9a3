import { expect } from 'chai';
import fc from 'fast-check';
import { exactInteger } from '../kube/json/exact.js';
import { changed, LARGE, read, yamlOf } from './client/editor/yaml.js';
import { arranged, type Row } from './client/pages/kinds/table.js';
import { manifestsIn } from './client/pages/sets/manifests.js';

const MAX = 9223372036854775807n;
const int64 = fc
  .oneof(
    ...[2n ** 53n, -(2n ** 53n), 2n ** 63n - 999n, 999n - 2n ** 63n].map((power) =>
      fc.bigInt({ min: -999n, max: 999n }).map((offset) => power + offset),
    ),
  )
  .map((one) => exactInteger(BigInt.asIntN(64, one)) as number | bigint);

describe('whole numbers of 64 bits in the console', () => {
  it('are exact in the text of an object, short or long, and in a plan', () => {
    fc.assert(
      fc.property(int64, (n) => {
        const object = {
          apiVersion: 'v1',
          kind: 'A',
          metadata: { name: 'a' },
          spec: { n, list: [n, 1], text: `${n}`, f: 1.5 },
        };
        const text = yamlOf(object);
        expect(read(text).value).to.deep.equal(object);
        expect(read(text, undefined).value).to.deep.equal(object);
        expect(manifestsIn(text).manifests?.[0]?.object).to.deep.equal(object);
        expect(JSON.stringify(read(text).value)).to.equal(JSON.stringify(object));
      }),
      { numRuns: 30 },
    );
    const long = `n: ${MAX}\nlist:\n${`- ${-MAX}\n`.repeat(LARGE / 20)}`;
    expect(read(long).value).to.deep.include({ n: MAX });
    expect(JSON.stringify(read('a: 99999999999999999999').value)).to.equal('{"a":99999999999999999999}');
  });

  it('stay in a text of which another field is changed', () => {
    const text = `# about\nn: ${MAX}\na: 1\n`;
    expect(changed(text, [{ path: ['a'], value: -MAX }])).to.equal(`# about\nn: ${MAX}\na: -${MAX}\n`);
  });

  it('are sorted as they are', () => {
    const rows = [MAX, 5, MAX - 1n, -MAX].map(
      (n, i): Row => ({ key: `${i}`, metadata: { name: `${i}` }, cells: [n] }) as Row,
    );
    const sorted = arranged(rows, '', { column: 0, isDescending: false }).map(({ cells }) => cells[0]);
    expect(sorted).to.deep.equal([-MAX, 5, MAX - 1n, MAX]);
  });
});
