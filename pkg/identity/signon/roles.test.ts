import { expect } from 'chai';
import type { Claims } from './claims.js';
import { evaluate } from './expression.js';
import { SignOnFailure } from './failure.js';
import { mapRights } from './roles.js';
import { OAuthSettings } from './settings.js';

const rights = (settings: object, claims: Claims, groups: readonly string[] = []) =>
  mapRights(OAuthSettings.parse(settings), claims, groups);
const inFirst = (role: string) => [{ organization: '', role }];

describe('mapped rights', () => {
  const path = "contains(groups || `[]`, 'ops') && 'Editor' || role";

  it('are the role of the attribute path, in any case, and Viewer without one', () => {
    expect(rights({ roleAttributePath: path }, { groups: ['ops'] }).memberships).to.deep.equal(inFirst('Editor'));
    expect(rights({ roleAttributePath: path }, { role: 'admin' }).memberships).to.deep.equal(inFirst('Admin'));
    expect(rights({ roleAttributePath: path }, { role: 'None' }).memberships).to.deep.equal(inFirst('None'));
    for (const role of ['Owner', '', 7, null, { Admin: true }, undefined])
      expect(rights({ roleAttributePath: path }, { role }).memberships).to.deep.equal(inFirst('Viewer'));
  });

  it('are refused with roleAttributeStrict if there is no role', () => {
    const strict = { roleAttributePath: path, roleAttributeStrict: true };
    expect(() => rights(strict, { role: 'Owner' })).to.throw(SignOnFailure, 'role_attribute_strict');
    expect(() => rights({ roleAttributeStrict: true }, { role: 'Admin' })).to.throw(SignOnFailure);
    expect(rights(strict, { role: 'Viewer' }).memberships).to.deep.equal(inFirst('Viewer'));
  });

  it('leave everything as it is without a mapping, and with skipOrgRoleSync', () => {
    const nothing = { memberships: [], isComplete: false, isServerAdministrator: undefined };
    expect(rights({}, { role: 'Admin', roles: ['Admin'] })).to.deep.equal(nothing);
    const skipping = { roleAttributePath: "'GrafanaAdmin'", skipOrgRoleSync: true, allowAssignGrafanaAdmin: true };
    expect(rights(skipping, {})).to.deep.equal(nothing);
  });

  it('make administrators of the server only with allowAssignGrafanaAdmin, and then take it away, too', () => {
    const admin = { roleAttributePath: 'role' };
    expect(rights(admin, { role: 'GrafanaAdmin' })).to.deep.include({
      memberships: inFirst('Admin'),
      isServerAdministrator: undefined,
    });
    const allowed = { ...admin, allowAssignGrafanaAdmin: true };
    expect(rights(allowed, { role: 'GrafanaAdmin' }).isServerAdministrator).to.equal(true);
    expect(rights(allowed, { role: 'Admin' }).isServerAdministrator).to.equal(false);
    expect(rights(allowed, {}).isServerAdministrator).to.equal(false);
    expect(rights({ allowAssignGrafanaAdmin: true }, { role: 'GrafanaAdmin' }).isServerAdministrator).to.equal(
      undefined,
    );
  });

  describe('by e-mail address', () => {
    const byEmail = {
      allowAssignGrafanaAdmin: true,
      roleAttributePath:
        "(email == 'root@corp.example' || preferred_username == 'root@corp.example') && 'GrafanaAdmin' || 'Viewer'",
    };
    const email = 'root@corp.example';

    it('make administrators of the server if the provider has verified the address', () => {
      expect(rights(byEmail, { email, email_verified: true }).isServerAdministrator).to.equal(true);
    });

    it('do not if it has not, or does not say so, or says so in other words', () => {
      for (const verified of [false, undefined, null, 'true', 1, 'yes']) {
        const { isServerAdministrator, memberships } = rights(byEmail, { email, email_verified: verified });
        expect([isServerAdministrator, memberships], String(verified)).to.deep.equal([false, inFirst('Viewer')]);
      }
    });

    it('do not if the address is in another claim than the verified one', () => {
      const claims = { email: 'me@evil.example', email_verified: true, preferred_username: email };
      expect(rights(byEmail, claims).isServerAdministrator).to.equal(false);
    });

    it('do not if the address is within another claim', () => {
      const paths = {
        "user.mail == 'root@corp.example'": { user: { mail: email } },
        "contains(emails, 'root@corp.example')": { emails: [email] },
        "list[?at == 'root@corp.example']": { list: [{ at: email }] },
      };
      for (const [test, claims] of Object.entries(paths)) {
        const settings = { allowAssignGrafanaAdmin: true, roleAttributePath: `${test} && 'GrafanaAdmin'` };
        expect(rights(settings, claims).isServerAdministrator, test).to.equal(false);
      }
      const byGroup = {
        allowAssignGrafanaAdmin: true,
        roleAttributePath: "contains(groups, 'ops@corp.example') && 'GrafanaAdmin'",
      };
      expect(rights(byGroup, { groups: ['ops@corp.example'] }).isServerAdministrator).to.equal(true);
    });

    it('give no role by an address that is not verified', () => {
      const settings = { roleAttributePath: "ends_with(email || '', '@corp.example') && 'Admin' || 'Viewer'" };
      expect(rights(settings, { email, email_verified: false }).memberships).to.deep.equal(inFirst('Viewer'));
      expect(rights(settings, { email, email_verified: true }).memberships).to.deep.equal(inFirst('Admin'));
    });
  });

  it('are in the organizations of the groups, and no others', () => {
    const settings = {
      orgMapping: 'ops:Main Org.:Editor, dev\\:1:2:Viewer, *:Guests:None, ops:2:Owner',
      roleAttributePath: 'role',
    };
    expect(rights(settings, {}, ['ops', 'dev:1'])).to.deep.equal({
      memberships: [
        { organization: 'Main Org.', role: 'Editor' },
        { organization: '2', role: 'Viewer' },
        { organization: 'Guests', role: 'None' },
      ],
      isComplete: true,
      isServerAdministrator: undefined,
    });
    expect(rights(settings, { role: 'Viewer' }, []).memberships).to.deep.equal([
      { organization: 'Guests', role: 'Viewer' },
    ]);
    const own = { orgMapping: '["a b:Main Org.:Admin"]', orgAttributePath: 'org.names' };
    expect(rights(own, { org: { names: ['a b'] } }, []).memberships).to.deep.equal([
      { organization: 'Main Org.', role: 'Admin' },
    ]);
    expect(rights(own, { org: { names: [] } }, ['a b'])).to.deep.include({
      memberships: inFirst('Viewer'),
      isComplete: true,
    });
  });

  // Promise: security work
  it('end an expression that takes too long', () => {
    const claims = { list: Array.from({ length: 9_000 }, (_, index) => `a${index}`) };
    const slow = "let $list = list in length(list[?length($list[?@ == 'x']) > `0`])";
    const begun = performance.now();
    expect(() => evaluate(slow, claims)).to.throw(SignOnFailure, 'takes too long');
    expect(performance.now() - begun).to.be.below(2_000);
    expect(evaluate('length(list)', claims)).to.equal(9_000);
  });

  it('ignore expressions that do not fit the claims', () => {
    for (const wrong of ["contains(groups, 'x')", 'a[', 'unknown(a)']) expect(evaluate(wrong, {})).to.equal(undefined);
  });
});
