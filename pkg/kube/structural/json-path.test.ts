import { expect } from 'chai';
import { humanDuration } from '../../system/time/human-duration.js';
import { columnCell } from './column-cell.js';
import { compileJsonPath, JsonPathError } from './json-path.js';

const NOW = Date.parse('2026-01-02T00:00:00Z');
const object = {
  metadata: { creationTimestamp: '2026-01-01T21:00:00Z' },
  spec: { replicas: 3, ratio: 0.00001, none: null, list: [1, 2, 3], 'a.b': 'dotted', map: { b: '<', a: 1 } },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Synced', status: 'False', n: 2 },
    ],
  },
};

/** The paths, the type of the column, and what Kubernetes shows. */
const CELLS: readonly (readonly [path: string, type: string, cell: unknown])[] = [
  ['.spec.replicas', 'integer', 3],
  ['.spec.replicas', 'string', '3'],
  ['.spec.ratio', 'string', '1e-05'],
  ['.spec.ratio', 'integer', 0],
  ['.spec.none', 'string', '<no value>'],
  ['.spec.none', 'integer', null],
  ['.spec.list', 'string', '[1,2,3]'],
  ['.spec.list[-1]', 'integer', 3],
  ['.spec.list[1:]', 'integer', 2],
  ['.spec.list[0,2]', 'integer', 1],
  ['.spec.list[7]', 'integer', null],
  ['.spec.list[*]', 'integer', 1],
  [".spec['a\\.b']", 'string', 'dotted'],
  [".spec['a.b']", 'string', null],
  ['.spec.map', 'string', '{"a":1,"b":"\\u003c"}'],
  ['.spec.missing.more', 'string', null],
  ['.status.conditions[?(@.type=="Ready")].status', 'string', 'True'],
  ["..conditions[?(@.type!='Ready')].n", 'number', 2],
  ['.status.conditions[?(@.n>1)].type', 'string', 'Synced'],
  ['.status.conditions[?(@.n>"a")].type', 'string', null],
  ['.status.conditions[?(@.n)].type', 'string', 'Synced'],
  ['.metadata.creationTimestamp', 'date', '3h'],
  ['.spec.list[0]', 'date', null],
  ['.spec', 'boolean', null],
  ['.constructor.name', 'string', null],
];

describe('structural: printer columns', () => {
  for (const [path, type, cell] of CELLS) {
    it(`show ${JSON.stringify(cell)} for ${path} as ${type}`, () => {
      expect(columnCell(compileJsonPath(path), type, object, NOW)).to.equal(cell);
    });
  }

  for (const path of ['.a[', '.a[x]', '.a[?(@.b]', '.a[?(@.b==)', '.a....b', '#', ".a['b'", '.a "']) {
    it(`refuse the path ${path}`, () => {
      expect(() => compileJsonPath(path)).to.throw(JsonPathError);
    });
  }

  it('find nothing where a path would find more values than there can be', () => {
    let deep: unknown = {};
    for (let i = 0; i < 90; i++) deep = { a: deep, b: [deep === undefined ? 0 : 1, 2, 3] };
    expect(compileJsonPath('..a..a..a..a').find(deep)).to.equal(undefined);
  });

  it('show ages in at most two units', () => {
    const seconds = [0, 119, 120, 610, 11_000, 30_000, 100_000, 200_000, 900_000, 70_000_000, 300_000_000];
    expect(seconds.map((s) => humanDuration(s * 1000)).join(' ')).to.equal(
      '0s 119s 2m 10m 3h3m 8h 27h 2d7h 10d 2y80d 9y',
    );
    expect(humanDuration(-2000)).to.equal('<invalid>');
  });
});
