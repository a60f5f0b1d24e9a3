import { expect } from 'chai';
import { contextWith, objectOfKind, thrown } from '../../../registry/testing/write-context.js';
import { organization } from '../../iam/organization/kind.js';
import { environmentWith } from '../../test-environment.js';
import { alertRule } from './kind.js';
import { alertRuleStrategy } from './strategy.js';

const ENVIRONMENT = environmentWith();
const ORGANIZATIONS = organization(ENVIRONMENT);
const KIND = alertRule(ENVIRONMENT);
const IN_A_FOLDER = { annotations: { 'svc.app/folder': 'ops' } };
const queries = (...refIds: readonly string[]) => refIds.map((refId) => ({ refId }));

describe('an alert rule', () => {
  const causes = (spec: object, metadata: object = IN_A_FOLDER) =>
    alertRuleStrategy(ENVIRONMENT)
      .validate?.(objectOfKind(KIND, 'r', spec, metadata), undefined, contextWith())
      .map(({ field, reason }) => `${field} ${reason}`);

  it('lies in a folder, and its condition is one of its queries', () => {
    expect(causes({ data: queries('A', 'B'), condition: 'B' })).to.deep.equal([]);
    expect(causes({ data: queries('A'), condition: 'A' }, {})).to.deep.equal([
      'metadata.annotations[svc.app/folder] FieldValueRequired',
    ]);
    expect(causes({ data: queries('A'), condition: 'B' })).to.deep.equal(['spec.condition FieldValueInvalid']);
    expect(causes({ data: queries('A') })).to.deep.equal(['spec.condition FieldValueRequired']);
    expect(causes({ data: queries('A'), condition: '' })).to.deep.equal(['spec.condition FieldValueRequired']);
    expect(causes({ data: [], condition: 'A' })).to.deep.equal(['spec.data FieldValueRequired']);
  });

  it('needs no condition if it records', () => {
    expect(causes({ data: queries('A'), record: { metric: 'm', from: 'A' } })).to.deep.equal([]);
    expect(causes({ data: queries('A'), record: { metric: 'm', from: 'A' }, condition: 'B' })).to.deep.equal([
      'spec.condition FieldValueInvalid',
    ]);
  });

  it('may have any condition on servers for existing clients', () => {
    const rule = objectOfKind(KIND, 'r', { data: queries('A'), condition: 'B' }, IN_A_FOLDER);
    const strategy = alertRuleStrategy({ ...ENVIRONMENT, compatibility: 'clients' });
    expect(strategy.validate?.(rule, undefined, contextWith())).to.deep.equal([]);
  });

  it('has each query once', () => {
    const twice = ['spec.data[1].refId FieldValueDuplicate', 'spec.data[3].refId FieldValueDuplicate'];
    expect(causes({ data: queries('A', 'A', 'B', 'B'), condition: 'B' })).to.deep.equal(twice);
    expect(causes({ data: queries('A', 'A', 'B', 'B') })).to.deep.equal([
      ...twice,
      'spec.condition FieldValueRequired',
    ]);
  });

  describe('goes with its folder', () => {
    const refusal = ({
      rule = IN_A_FOLDER as object,
      going = 'ops',
      option = '',
      alerting = true,
      ending = false,
    } = {}) => {
      const metadata = ending ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
      const ctx = contextWith([[ORGANIZATIONS, objectOfKind(ORGANIZATIONS, 'default', { title: 'Main' }, metadata)]], {
        isGoing: (resource, namespace, name) =>
          resource === 'folders.folder.svc.app' && namespace === 'default' && name === going,
      });
      const options = new Map(option === '' ? [] : [['forceDeleteRules', option]]);
      const strategy = alertRuleStrategy(environmentWith({ alerting }));
      return thrown(() => strategy.validateDelete?.(objectOfKind(KIND, 'r', {}, rule), ctx, options));
    };

    it('only if the caller says so', () => {
      expect(refusal()).to.match(/^400 folder cannot be deleted/);
      expect(refusal({ option: 'false' })).to.match(/^400/);
      expect(refusal({ option: 'true' })).to.equal('');
    });

    it('or if it is deleted alone, is terminating already, or alerting is off', () => {
      expect(refusal({ going: 'other' })).to.equal('');
      expect(refusal({ rule: { ...IN_A_FOLDER, deletionTimestamp: '2026-01-01T00:00:00Z' } })).to.equal('');
      expect(refusal({ alerting: false })).to.equal('');
      expect(refusal({ ending: true }), 'all goes').to.equal('');
    });
  });
});
