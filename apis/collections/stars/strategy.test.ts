import { expect } from 'chai';
import { contextWith, objectOfKind } from '../../../registry/testing/write-context.js';
import { dashboard } from '../../dashboard/dashboard/kind.js';
import { environmentWith } from '../../test-environment.js';
import { stars } from './kind.js';
import { starsStrategy } from './strategy.js';

const ENVIRONMENT = environmentWith();
const DASHBOARDS = dashboard(ENVIRONMENT);
const KIND = stars(ENVIRONMENT);
const CTX = contextWith(
  ['a', 'b'].map((name) => [DASHBOARDS, objectOfKind(DASHBOARDS, name, { title: name })] as const),
);

interface List {
  readonly group: string;
  readonly kind: string;
  readonly names: readonly string[];
}

const list = (names: readonly string[], { group = 'dashboard.svc.app', kind = 'Dashboard' } = {}): List => ({
  group,
  kind,
  names,
});
const starred = (...resource: readonly List[]) => objectOfKind(KIND, 'user-ann', { resource });
const names = ({ spec }: ReturnType<typeof starred>) => spec?.resource.map((one) => one.names);

describe('the stars of a user', () => {
  const strategy = () => starsStrategy(ENVIRONMENT);
  const created = (object: ReturnType<typeof starred>) => names(strategy().prepareForCreate?.(object, CTX) ?? object);
  const updated = (sent: ReturnType<typeof starred>, old: ReturnType<typeof starred>) =>
    names(strategy().prepareForUpdate?.(sent, old, CTX) ?? sent);
  const causes = (object: ReturnType<typeof starred>, old?: ReturnType<typeof starred>) =>
    strategy()
      .validate?.(object, old, CTX)
      .map(({ field }) => field);

  it('are one list for each kind, with each name once, and no empty list', () => {
    const other = { kind: 'Folder' };
    const sent = starred(list(['a', 'a']), list(['c'], other), list(['b', 'a']), list([], { kind: 'Empty' }));
    expect(created(sent)).to.deep.equal([['a', 'b'], ['c']]);
    expect(created(starred())).to.deep.equal([]);
  });

  it('are of dashboards that exist and that the user may view', () => {
    expect(causes(starred(list(['a', 'b'])))).to.deep.equal([]);
    expect(causes(starred(list(['a', 'c', 'd'])))).to.deep.equal([
      'spec.resource[0].names[1]',
      'spec.resource[0].names[2]',
    ]);
    expect(causes(starred(list(['a'], { kind: 'Folder' })))).to.deep.equal(['spec.resource[0]']);
    expect(causes(starred(list(['a']), list(['a'], { group: 'other.svc.app' })))).to.deep.equal(['spec.resource[1]']);
  });

  it('may stay on what is gone, until the next change', () => {
    const old = starred(list(['a', 'gone']));
    expect(causes(starred(list(['a', 'b', 'gone'])), old)).to.deep.equal([]);
    expect(updated(starred(list(['a', 'gone'])), old)).to.deep.equal([['a', 'gone']]);
    expect(updated(starred(list(['a', 'b', 'gone'])), old)).to.deep.equal([['a', 'b']]);
    expect(updated(starred(list(['gone'])), old)).to.deep.equal([]);
    expect(updated(starred(list(['a', 'new'])), old), 'unknown, but not known before').to.deep.equal([['a', 'new']]);
  });

  it('are at most a thousand, and a few causes say what is wrong', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`);
    const old = starred(list(many(1001)));
    expect(causes(starred(list(many(1000))), old)).to.deep.equal([]);
    expect(causes(old, old)).to.deep.equal(['spec.resource[0].names']);
    expect(causes(starred(list(many(20))))).to.have.length(10);
  });
});
