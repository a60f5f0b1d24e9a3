import { expect } from 'chai';
import { LAMP } from '../testing/house.js';
import { library } from '../testing/library.js';
import { defineKind, groupName } from './kind.js';

const NAMED = { group: 'house', version: 'v1', kind: 'Hut', resource: 'huts', singular: 'hut' };

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

describe('the definition of a kind', () => {
  it('has groups of members, and leaves out those that it does not need', () => {
    const identity = { ...NAMED, scope: 'Cluster', description: 'A kind of a test.' } as const;
    const small = defineKind({ domain: 'svc.app' }, { identity });
    expect(small).to.include({ kind: 'Hut', scope: 'Cluster', qualified: 'huts.house.svc.app', served: true });
    const groups = { storage: { internalId: true }, access: { isReadOnly: true }, serving: { served: false } };
    const large = defineKind({ domain: 'svc.app' }, { identity, ...groups, versions: { shape: 'a' } });
    expect(large).to.include({ kind: 'Hut', internalId: true, isReadOnly: true, served: false, shape: 'a' });
    expect(large).not.to.have.any.keys('identity', 'storage', 'access', 'serving', 'versions');
  });
});

describe('the status of a kind', () => {
  it('is a part that clients write, unless the server itself does', () => {
    const { book, set, shelf } = library();
    const verbsOf = ({ subresources }: typeof book) => subresources.find(({ name }) => name === 'status')?.verbs;
    expect(verbsOf(book)).to.deep.equal(['get', 'patch', 'update']);
    expect(verbsOf(set)).to.deep.equal(['get']);
    expect(verbsOf(shelf)).to.equal(undefined);
  });
});

describe('a kind that is stored as another one', () => {
  it('can be written if its objects can be made into those that are stored', () => {
    const verbsOf = (more: object) => {
      const conversion = { storageKind: LAMP.qualified, convert: (object: never) => object, ...more };
      const identity = { ...LAMP, group: 'house', kind: 'Light' };
      const definition = { identity, serving: { subresources: [] }, versions: { conversion } };
      return defineKind({ domain: 'svc.app' }, definition as never).verbs;
    };
    expect(verbsOf({})).to.deep.equal(['get', 'list', 'watch']);
    expect(verbsOf({ restore: (object: never) => object })).to.include.members(['create', 'update', 'delete']);
  });
});

describe('a kind whose collections cannot be deleted', () => {
  it('has all other verbs', () => {
    const { verbs } = defineKind(
      { domain: 'svc.app' },
      {
        identity: { ...LAMP, group: 'house' },
        access: { deletesCollections: false },
        serving: { subresources: [] },
      },
    );
    expect(verbs).to.deep.equal(LAMP.verbs.filter((verb) => verb !== 'deletecollection'));
    expect(LAMP.verbs).to.include('deletecollection');
  });
});
