import { expect } from 'chai';
import { contextWith, objectOfKind } from '../../../registry/testing/write-context.js';
import { dashboard } from '../../dashboard/dashboard/kind.js';
import { environmentWith } from '../../test-environment.js';
import { annotation } from './kind.js';
import { annotationStrategy } from './strategy.js';

const ENVIRONMENT = environmentWith();
const DASHBOARDS = dashboard(ENVIRONMENT);
const KIND = annotation(ENVIRONMENT);
const CTX = contextWith([[DASHBOARDS, objectOfKind(DASHBOARDS, 'd', { title: 'D' })]]);
const KEY = 'svc.app/dashboard';

const noted = (dashboardUID: string | undefined, note?: string) =>
  objectOfKind(KIND, 'a', { dashboardUID }, note === undefined ? {} : { annotations: { [KEY]: note } });

describe('an annotation', () => {
  const strategy = () => annotationStrategy(ENVIRONMENT);
  const created = (spec: object) => strategy().prepareForCreate?.(objectOfKind(KIND, 'a', spec), CTX);
  const updated = (sent: ReturnType<typeof noted>, old: ReturnType<typeof noted>) =>
    strategy().prepareForUpdate?.(sent, old, CTX)?.metadata.annotations?.[KEY];

  it('is of the dashboard that had the name when it was set', () => {
    const noteOf = (dashboardUID?: string) => created({ dashboardUID })?.metadata.annotations?.[KEY];
    expect([noteOf('d'), noteOf('none'), noteOf(''), noteOf()]).to.deep.equal(['d-uid', '', undefined, undefined]);
    expect(updated(noted('d'), noted('d', 'before'))).to.equal('before');
    expect(updated(noted('d', 'sent'), noted('d', 'before'))).to.equal('before');
    expect(updated(noted('d', 'sent'), noted('e', 'before'))).to.equal('d-uid');
    expect(updated(noted(undefined, 'sent'), noted('d', 'before'))).to.equal(undefined);
    expect(updated(noted(undefined, 'sent'), noted(''))).to.equal(undefined);
  });

  it('has normalized tags', () => {
    expect(created({ tags: [' a : b ', 'a:b', '', 'c'] })?.spec?.tags).to.deep.equal(['a:b', 'c']);
    expect(created({})?.spec).to.not.have.property('tags');
    expect(
      strategy().prepareForUpdate?.(objectOfKind(KIND, 'a', { tags: [' x '] }), noted(''), CTX)?.spec?.tags,
    ).to.deep.equal(['x']);
  });

  it('does not end before it begins, and has not too many tags', () => {
    const causes = (spec: object) =>
      strategy()
        .validate?.(objectOfKind(KIND, 'a', spec), undefined, CTX)
        .map(({ field }) => field);
    expect([causes({ time: 5 }), causes({ time: 5, timeEnd: 5 }), causes({ time: 5, timeEnd: 6 })]).to.deep.equal([
      [],
      [],
      [],
    ]);
    expect(causes({ time: 5, timeEnd: 4 })).to.deep.equal(['spec.timeEnd']);
    const fits = 'x'.repeat(496);
    expect(causes({ time: 5, tags: [fits] })).to.deep.equal([]);
    expect(causes({ time: 5, tags: [`${fits}x`] })).to.deep.equal(['spec.tags']);
    expect(causes({ time: 5, tags: ['é'.repeat(249)] })).to.deep.equal(['spec.tags']);
  });
});
