import { expect } from 'chai';
import { activeOrganization } from './active-organization.js';

const DEFAULT = { namespace: 'default', id: 1 };
const SECOND = { namespace: 'org-2', id: 2 };
const TENTH = { namespace: 'org-10', id: 10 };
const NAMED = { namespace: 'acme', id: 11 };

describe('activeOrganization', () => {
  it('is the chosen one of the memberships', () => {
    expect(activeOrganization('org-10', [DEFAULT, TENTH, SECOND])).to.equal(TENTH);
  });

  it('is the one with the lowest number when none was chosen, whatever the order and the names', () => {
    expect(activeOrganization(undefined, [TENTH, SECOND])).to.equal(SECOND);
    expect(activeOrganization(undefined, [NAMED, TENTH])).to.equal(TENTH);
    expect(activeOrganization('', [TENTH, SECOND, DEFAULT])).to.equal(DEFAULT);
  });

  it('is the one with the lowest number when the user left the chosen one', () => {
    expect(activeOrganization('org-3', [TENTH, SECOND])).to.equal(SECOND);
  });

  it('is none for a user without memberships', () => {
    expect(activeOrganization('default', [])).to.equal(undefined);
  });
});
