import { expect } from 'chai';
import { grantsOf } from '../../pkg/identity/authz/grants.js';
import type { ResolvedGrants } from '../kinds/authorizer.js';
import type { Reader } from '../read/reader.js';
import { withRightsBefore } from './rights-before.js';
import { granted, USER } from './testing/decisions.js';

const rights = (...texts: readonly string[]): ResolvedGrants => {
  const grants = grantsOf(granted(texts));
  return { grants: () => grants, isMember: () => false, isCurrent: () => true };
};

/** What a caller has after each write, for a reader of a transaction, or of what is published. */
function actionsAfterEach(writes: readonly ResolvedGrants[], published: object | undefined): readonly string[] {
  const reader = { published } as unknown as Reader;
  let now = 0;
  const source = withRightsBefore({ resolve: () => writes[now] as ResolvedGrants });
  return writes.map((_, i) => {
    now = i;
    const { permissions } = source.resolve(USER, reader).grants('default');
    return permissions.map(({ action }) => action).join(' ');
  });
}

describe('the rights of a caller who writes several times in one transaction', () => {
  const writes = [rights('first *'), rights('second *'), rights('third *')];

  it('are those from before the first write, with those of the moment', () => {
    expect(actionsAfterEach(writes, undefined)).to.deep.equal(['first', 'first second', 'first third']);
  });

  it('are those of the moment outside of it', () => {
    expect(actionsAfterEach(writes, {})).to.deep.equal(['first', 'second', 'third']);
  });
});
