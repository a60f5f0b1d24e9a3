import { expect } from 'chai';
import type { Resource } from '../../pkg/scim/match.js';
import { listQuery } from '../../pkg/scim/query.js';
import { GROUP } from '../../pkg/scim/schema.js';
import type { Entry } from '../../registry/read/reader.js';
import { type Collection, listResponse } from './list.js';

const MEMBERS = Array.from({ length: 150_000 }, (_, i) => ({ value: `u${i}` }));

/** Two groups that are large, and what of them a list makes. */
function groups(): Collection {
  const entries = ['a', 'b'].map((name) => ({ key: `/teams/default/${name}` }) as unknown as Entry);
  const resource = (_entry: Entry, has: (name: string) => boolean): Resource => ({
    id: 'x',
    ...(has('members') && { members: MEMBERS }),
  });
  return { schema: GROUP, all: () => entries, indexed: new Set(), found: () => [], resource };
}

describe('a page of groups', () => {
  const page = (text: string) => listResponse(groups(), listQuery(new URLSearchParams(text), GROUP));

  it('has a bound of members of all groups together, and says how to ask', async () => {
    const failed = await page('').then(
      () => 'nothing',
      ({ scimType, message }) => `${scimType} ${message}`,
    );
    expect(failed).to.match(/^tooMany .*excludedAttributes=members/);
    expect((await page('count=1'))['itemsPerPage']).to.equal(1);
    expect((await page('excludedAttributes=members'))['itemsPerPage']).to.equal(2);
  });
});
