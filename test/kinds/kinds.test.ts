import { expect } from 'chai';
import { kinds } from '../../apis/kinds.js';
import { ENVIRONMENT } from '../harness/server.js';
import { alertRule } from './examples/alert-rule.js';
import { annotation } from './examples/annotation.js';
import { applySet } from './examples/apply-set.js';
import { dashboard } from './examples/dashboard.js';
import { folder } from './examples/folder.js';
import { lease } from './examples/lease.js';
import { libraryElement } from './examples/library-element.js';
import { namespace } from './examples/namespace.js';
import { organization } from './examples/organization.js';
import { organizationBinding } from './examples/organization-binding.js';
import { preferences } from './examples/preferences.js';
import { queryHistory } from './examples/query-history.js';
import { role } from './examples/role.js';
import { roleBinding } from './examples/role-binding.js';
import { serviceAccount } from './examples/service-account.js';
import { ssoSetting } from './examples/sso-setting.js';
import { stars } from './examples/stars.js';
import { team } from './examples/team.js';
import { teamBinding } from './examples/team-binding.js';
import { user } from './examples/user.js';
import type { KindExamples } from './examples.js';
import { kindSuite } from './kind-suite.js';

const EXAMPLES: Readonly<Record<string, KindExamples>> = {
  Annotation: annotation,
  ApplySet: applySet,
  Dashboard: dashboard,
  AlertRule: alertRule,
  Folder: folder,
  Lease: lease,
  LibraryElement: libraryElement,
  Namespace: namespace,
  Organization: organization,
  OrganizationBinding: organizationBinding,
  Preferences: preferences,
  QueryHistory: queryHistory,
  Role: role,
  RoleBinding: roleBinding,
  ServiceAccount: serviceAccount,
  SSOSetting: ssoSetting,
  Stars: stars,
  Team: team,
  TeamBinding: teamBinding,
  User: user,
};

/** The suite runs on every store for this kind only, because it does not depend on the kind what a store could break. */
const EVERYWHERE = 'Folder';

/** Kinds without spec, and those whose objects are cleaned up before they are deleted, have their own tests. */
const served = kinds(ENVIRONMENT).filter(
  (kind) => kind.served && kind.verbs.includes('create') && kind.spec && kind.cleanup === undefined,
);

describe('examples for the conformance suite', () => {
  it('exist for exactly the served kinds that can be written', () => {
    expect(Object.keys(EXAMPLES)).to.have.members(served.map(({ kind }) => kind));
  });
});

for (const kind of served) {
  const examples = EXAMPLES[kind.kind];
  if (examples !== undefined) kindSuite(kind, examples, { onEveryStore: kind.kind === EVERYWHERE });
}
