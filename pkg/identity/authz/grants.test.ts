import { expect } from 'chai';
import { covers, grantsOf, NO_GRANTS, type Permission, widestPrefix } from './grants.js';

const has = (permissions: readonly Permission[], action: string, scope: string): boolean => {
  const scopes = grantsOf(permissions).scopesOf(action);
  return scopes !== undefined && covers(scopes, scope);
};

describe('grants', () => {
  const table: readonly [granted: string, on: string, action: string, scope: string, expected: boolean][] = [
    ['folders:read', 'folders:uid:a', 'folders:read', 'folders:uid:a', true],
    ['folders:read', 'folders:uid:a', 'folders:read', 'folders:uid:ab', false],
    ['folders:read', 'folders:uid:a', 'folders:write', 'folders:uid:a', false],
    ['folders:read', 'folders:*', 'folders:read', 'folders:uid:a', true],
    ['folders:read', 'folders:uid:*', 'folders:read', 'folders:uid:a', true],
    ['folders:read', 'folders:uid:*', 'folders:read', 'folders:id:1', false],
    ['folders:read', 'folders:*', 'folders:read', 'dashboards:uid:a', false],
    ['folders:read', '*', 'folders:read', 'dashboards:uid:a', true],
    ['folders:read', '', 'folders:read', 'folders:uid:a', true],
    ['folders:*', 'folders:uid:a', 'folders:delete', 'folders:uid:a', true],
    ['folders:*', 'folders:uid:a', 'folders.permissions:read', 'folders:uid:a', false],
    ['*', 'folders:uid:a', 'teams:read', 'folders:uid:a', true],
  ];
  for (const [granted, on, action, scope, expected] of table) {
    it(`${granted} on ${JSON.stringify(on)} ${expected ? 'is' : 'is not'} ${action} on ${scope}`, () => {
      expect(has([{ action: granted, scope: on }], action, scope)).to.equal(expected);
    });
  }

  it('are the union of all permissions', () => {
    const permissions = [
      { action: 'folders:read', scope: 'folders:uid:a' },
      { action: 'folders:*', scope: 'folders:uid:b' },
    ];
    expect(has(permissions, 'folders:read', 'folders:uid:a')).to.equal(true);
    expect(has(permissions, 'folders:read', 'folders:uid:b')).to.equal(true);
    expect(has(permissions, 'folders:write', 'folders:uid:a')).to.equal(false);
  });

  it('allow nothing if there are no permissions', () => {
    expect(NO_GRANTS.scopesOf('folders:read')).to.equal(undefined);
  });

  it('have the widest scope of their action', () => {
    expect(widestPrefix('teams.permissions:read')).to.equal('teams:');
    expect(widestPrefix('reports.example.com:read')).to.equal('reports.example.com:');
  });
});
