import { expect } from 'chai';
import { candidatesAfter } from '../../apis/authorization/access-review.js';
import { organizationBinding } from '../../apis/iam/organizationbinding/kind.js';
import { serviceAccount } from '../../apis/iam/serviceaccount/kind.js';
import { user } from '../../apis/iam/user/kind.js';
import { environmentWith } from '../../apis/test-environment.js';
import type { Kind } from '../../registry/kinds/kind.js';
import type { Reader } from '../../registry/read/reader.js';
import { readerOf } from '../../registry/testing/reader.js';
import { NAMESPACE, objectOfKind } from '../../registry/testing/write-context.js';

const ENVIRONMENT = environmentWith();
const [MEMBERS, ACCOUNTS, USERS] = [organizationBinding, serviceAccount, user].map((make) => make(ENVIRONMENT) as Kind);
const MEMBER_NAMES = Array.from({ length: 50 }, (_, at) => `m${String(at).padStart(2, '0')}`);

describe('the callers that a review looks at', () => {
  const make = (kind: Kind | undefined, name: string, spec: object) =>
    [kind as Kind, objectOfKind(kind as Kind, name, spec)] as const;
  const userNamed = (name: string, grafanaAdmin = false) =>
    make(USERS, name, { login: name, email: name, name: '', disabled: false, grafanaAdmin });
  const reader = readerOf([
    ...MEMBER_NAMES.map((name) => userNamed(name)),
    ...['a-root', 'm10', 'z-root'].map((name) => userNamed(name, true)),
    ...MEMBER_NAMES.map((name) => make(MEMBERS, name, { userRef: { name }, role: 'Viewer' })),
    make(ACCOUNTS, 'robot', { title: 'Robot', role: 'Viewer', disabled: false }),
  ]);
  let read = 0;
  const counting = new Proxy(reader, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      if (name !== 'inNamespace') return typeof member === 'function' ? member.bind(target) : member;
      return function* count(...args: Parameters<Reader['inNamespace']>) {
        for (const entry of target.inNamespace(...args)) {
          read++;
          yield entry;
        }
      };
    },
  });
  const from = (after: string, within: 'server' | 'organization' = 'server') =>
    candidatesAfter(after, counting, ENVIRONMENT.domain, { namespace: NAMESPACE, within });
  const names = (after: string, within?: 'server' | 'organization') =>
    [...from(after, within)].flatMap((one) => (one === undefined ? [] : `${one.kind} ${one.name}`));

  it('are in one order, each once, and go on after any of them', () => {
    const members = MEMBER_NAMES.map((name) => `User ${name}`);
    const rest = ['ServiceAccount robot', ...names('').filter((one) => one.startsWith('Anonymous'))];
    expect(names('')).to.deep.equal(['User a-root', ...members, 'User z-root', ...rest]);
    expect(names('', 'organization')).to.deep.equal([...members, ...rest]);
    expect(names('0/m48')).to.deep.equal(['User m49', 'User z-root', ...rest]);
  });

  it('are read one by one, because an organization may have very many', () => {
    read = 0;
    from('').next();
    from('0/m48').next();
    expect(read).to.be.lessThan(5);
  });
});
