import { expect } from 'chai';
import { accessSummary } from '../../apis/authorization/access-summary.js';
import { grantSource } from '../../apis/authorization/grants.js';
import { folder } from '../../apis/folder/folder/kind.js';
import { organizationBinding } from '../../apis/iam/organizationbinding/kind.js';
import { roleBinding } from '../../apis/iam/rolebinding/kind.js';
import { teamBinding } from '../../apis/iam/teambinding/kind.js';
import { user } from '../../apis/iam/user/kind.js';
import { environmentWith } from '../../apis/test-environment.js';
import { AUTHENTICATED_GROUP } from '../../pkg/identity/authn/user.js';
import { createAuthorizer } from '../../registry/authorization/permission-authorizer.js';
import type { Kind } from '../../registry/kinds/kind.js';
import type { Registry } from '../../registry/kinds/registry.js';
import { readerOf } from '../../registry/testing/reader.js';
import { NAMESPACE, objectOfKind } from '../../registry/testing/write-context.js';

const OPTIONS = { ...environmentWith(), anonymousRole: 'None' as const };
const KINDS = [folder, organizationBinding, roleBinding, teamBinding, user].map((make) => make(OPTIONS) as Kind);
const named = (name: string): Kind => KINDS.find(({ kind }) => kind === name) as Kind;
const make = (kind: string, name: string, spec: object, annotations: Readonly<Record<string, string>> = {}) =>
  [named(kind), objectOfKind(named(kind), name, spec, { annotations })] as const;

describe('what somebody may do', () => {
  it('is some where too many objects to count are not all allowed, because some are private', async () => {
    const account = { login: 'vera', email: 'vera', name: '', disabled: false, grafanaAdmin: false };
    const extents = async (...privacy: readonly boolean[]) => {
      const reader = readerOf([
        make('User', 'vera', account),
        make('OrganizationBinding', 'vera', { userRef: { name: 'vera' }, role: 'Editor' }),
        ...privacy.map((isPrivate, i) =>
          make('Folder', `f${i}`, { title: `${i}` }, isPrivate ? { 'svc.app/basic-roles': 'none' } : {}),
        ),
      ]);
      const registry = { kinds: KINDS, reader, authorizer: createAuthorizer(KINDS, grantSource(OPTIONS)) };
      const vera = { name: 'vera', uid: 'vera', groups: [AUTHENTICATED_GROUP], extra: {} };
      const { kinds } = await accessSummary(registry as unknown as Registry, OPTIONS, vera, NAMESPACE, {}, 1);
      const { verbs = [] } = kinds.find(({ resource }) => resource === 'folders') ?? {};
      return ['get', 'list', 'create'].map((verb) => verbs.find((one) => one.verb === verb)?.extent);
    };
    expect(await extents(false, true)).to.deep.equal(['some', 'some', 'some']);
    expect(await extents(false, false)).to.deep.equal(['all', 'all', 'all']);
  });
});
