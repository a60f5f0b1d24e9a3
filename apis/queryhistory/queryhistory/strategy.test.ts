import { expect } from 'chai';
import { contextWith, objectOfKind, thrown } from '../../../registry/testing/write-context.js';
import { eventStrategy } from '../../events/event/strategy.js';
import { organizationBinding } from '../../iam/organizationbinding/kind.js';
import { environmentWith } from '../../test-environment.js';
import { queryHistory } from './kind.js';
import { queryHistoryStrategy } from './strategy.js';

const MEMBERS = organizationBinding(environmentWith());
const KIND = queryHistory(environmentWith());
const CTX = contextWith([[MEMBERS, objectOfKind(MEMBERS, 'ann', { userRef: { name: 'ann' }, role: 'Viewer' })]]);

describe('an item of the query history', () => {
  const of = (note?: string) =>
    objectOfKind(KIND, 'q', {}, note === undefined ? {} : { annotations: { 'svc.app/membership': note } });
  const noteOf = ({ metadata }: ReturnType<typeof of>) => metadata.annotations?.['svc.app/membership'];
  const created = (name: string, uid: string) => {
    const sent = of('sent');
    return noteOf(
      queryHistoryStrategy('svc.app').prepareForCreate?.(sent, {
        ...CTX,
        user: { name, uid, groups: [], extra: {} },
      }) ?? sent,
    );
  };

  it('belongs to the membership of the user who creates it, for ever', () => {
    expect(created('ann', 'ann')).to.equal('ann-uid');
    expect(created('bob', 'bob')).to.equal(undefined);
    expect(created('system:serviceaccount:default:ann', 'ann')).to.equal(undefined);
    const updated = queryHistoryStrategy('svc.app').prepareForUpdate?.(of('sent'), of('before'), CTX);
    expect(noteOf(updated ?? of())).to.equal('before');
  });
});

describe('the query history of a user', () => {
  const item = (queries: readonly object[]) => objectOfKind(KIND, 'q', { datasourceUid: 'x', queries });
  const holding = (count: number) => ({
    ...CTX,
    reader: { counts: () => [{ tuple: ['default', 'user:ann'], count }] } as unknown as typeof CTX.reader,
  });
  const validate = queryHistoryStrategy('svc.app').validate ?? (() => []);
  const of = (queries: readonly object[]) => item(queries) as Parameters<typeof validate>[0];
  const large = of([{ expr: 'x'.repeat(70_000) }]);

  // Promise: security work
  it('has at most 10,000 items, which other users do not count for', () => {
    expect(validate(of([]), undefined, holding(9_999))).to.deep.equal([]);
    expect(thrown(() => validate(of([]), undefined, holding(10_000)))).to.match(/^403 .*nobody keeps more than 10000/);
    expect(validate(of([]), of([]), holding(10_000))).to.deep.equal([]);
  });

  // Promise: security work
  it('has items of at most 64 KiB; those that were larger before keep their size', () => {
    expect(validate(large, undefined, holding(0)).map(({ field }) => field)).to.deep.equal(['spec.queries']);
    expect(validate(large, large, holding(0))).to.deep.equal([]);
    expect(validate(large, of([]), holding(0))).to.have.length(1);
  });
});

describe('an event', () => {
  it('is in the namespace of its object, if that has one', () => {
    const causes = (involvedObject: object) => {
      const event = { ...objectOfKind(KIND, 'e'), involvedObject };
      return eventStrategy.validate?.(event, undefined, CTX).map(({ field }) => field);
    };
    expect([causes({}), causes({ namespace: '' }), causes({ namespace: 'default' })]).to.deep.equal([[], [], []]);
    expect(causes({ namespace: 'other' })).to.deep.equal(['involvedObject.namespace']);
  });
});
