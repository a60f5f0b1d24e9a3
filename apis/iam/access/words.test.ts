import { expect } from 'chai';
import { contextWith, NAMESPACE, objectOfKind } from '../../../registry/testing/write-context.js';
import { environmentWith } from '../../test-environment.js';
import { role } from '../role/kind.js';
import { changeWarnings } from './words.js';

const environment = environmentWith();
const ROLES = role(environment);
const TITLED = 'role-ns5h6';
const UNTITLED = 'role-kk2x9';
const { reader } = contextWith([
  [ROLES, objectOfKind(ROLES, TITLED, { title: 'Ops writers', permissions: [] })],
  [ROLES, objectOfKind(ROLES, UNTITLED, { permissions: [] })],
]);
const context = { reader, namespace: NAMESPACE, environment };
const target = { kind: 'Folder', name: 'f' } as const;
const subject = { kind: 'BasicRole', name: 'Viewer' } as const;

function levelIn(from: string, to: string, more: object = {}): string {
  const [warning = ''] = changeWarnings(target, [{ subject, from, to }], { ...context, ...more }, false);
  return /BasicRole\/Viewer \((.*)\)$/.exec(warning)?.[1] ?? warning;
}

describe('the words about changed access', () => {
  it('call a custom role by its title, beside levels that are built in', () => {
    expect(levelIn('', TITLED)).to.equal('"Ops writers"');
    expect(levelIn('View', `Edit and ${TITLED} with more permissions`)).to.equal(
      'View -> Edit and "Ops writers" with more permissions',
    );
    expect(levelIn(`View and ${UNTITLED} and ${TITLED}`, '')).to.equal(`View and ${UNTITLED} and "Ops writers"`);
  });

  it('call it by its name if it has no title, or if the caller may not view it', () => {
    expect(levelIn('', UNTITLED)).to.equal(UNTITLED);
    expect(levelIn('', TITLED, { visible: () => undefined })).to.equal(TITLED);
  });

  it('call a role that is deleted by the title that it had', () => {
    expect(levelIn('gone', '', { role: { name: 'gone', title: 'Old hands' } })).to.equal('"Old hands"');
  });
});
