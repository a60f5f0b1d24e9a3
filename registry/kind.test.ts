import { expect } from 'chai';
import { groupName } from './kind.js';

describe('the name of a group', () => {
  it('ends with the domain, also if it has several parts', () => {
    expect(groupName('folder', 'svc.app')).to.equal('folder.svc.app');
    expect(groupName('rules.alerting', 'svc.app')).to.equal('rules.alerting.svc.app');
  });

  it('is the name itself for the groups of Kubernetes', () => {
    expect(groupName('', 'svc.app')).to.equal('');
    expect(groupName('coordination.k8s.io', 'svc.app')).to.equal('coordination.k8s.io');
  });
});
