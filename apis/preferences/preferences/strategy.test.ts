import { expect } from 'chai';
import { contextWith, objectOfKind } from '../../../registry/testing/write-context.js';
import { dashboard } from '../../dashboard/dashboard/kind.js';
import { environmentWith } from '../../test-environment.js';
import { preferences } from './kind.js';
import { preferencesStrategy } from './strategy.js';

const ENVIRONMENT = environmentWith();
const DASHBOARDS = dashboard(ENVIRONMENT);
const KIND = preferences(ENVIRONMENT);
const CTX = contextWith([[DASHBOARDS, objectOfKind(DASHBOARDS, 'd', { title: 'D' })]]);

describe('preferences', () => {
  const of = (spec: object) => objectOfKind(KIND, 'user-ann', spec);
  const causes = (spec: object, old?: object) =>
    preferencesStrategy(ENVIRONMENT)
      .validate?.(of(spec), old && of(old), CTX)
      .map(({ field }) => field);

  // Promise: security rights
  it('name a home dashboard that the writer may view, or keep theirs', () => {
    const home = (name: string) => ({ homeDashboardUID: name });
    expect([causes({}), causes(home('')), causes(home('d')), causes(home('x'), home('x'))]).to.deep.equal([
      [],
      [],
      [],
      [],
    ]);
    for (const old of [undefined, {}, home('d')])
      expect(causes(home('x'), old)).to.deep.equal(['spec.homeDashboardUID']);
    expect(causes(home(''), home('x'))).to.deep.equal([]);
  });

  it('name a theme that there is', () => {
    for (const theme of ['', 'light', 'dark', 'system']) expect(causes({ theme }), theme).to.deep.equal([]);
    expect(causes({ theme: 'pink' })).to.deep.equal(['spec.theme']);
  });

  it('name a timezone that there is, and no offset', () => {
    for (const timezone of ['', 'utc', 'browser', 'Europe/Berlin', 'UTC'])
      expect(causes({ timezone }), timezone).to.deep.equal([]);
    for (const timezone of ['+01:00', 'Europe/Nowhere', 'x', '1'])
      expect(causes({ timezone }), timezone).to.deep.equal(['spec.timezone']);
  });
});
