import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { addPeople, person } from '../access/people.js';
import { oneStore } from '../harness/stores.js';

const many = (count: number, make: (i: number) => string, separator: string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join(separator);

/** Limits on the work that a caller with few rights can ask for. */
oneStore('the work of a request', (server) => {
  before(() => addPeople(server()));

  const asViewer = (): UserInfo => ({ ...person('vera'), extra: { 'svc.app/organization': ['default'] } });
  const ask = (path: string) => server().call('GET', path, { user: asViewer() });

  for (const [what, query, message] of [
    ['words', `query=${many(51, (i) => `w${i}`, '+')}`, 'at most 50 words in a search'],
    ['characters', `query=${many(10_001, () => 'a', '')}`, 'at most 10000 characters in a search'],
    ['tags', many(51, (i) => `tag=t${i}`, '&'), 'at most 50 tag'],
    ['uids of dashboards', `dashboardUIDs=${many(1001, String, ',')}`, 'at most 1000 dashboardUIDs'],
    ['numbers of dashboards', `dashboardIds=${many(1001, String, ',')}`, 'at most 1000 dashboardIds'],
    ['uids of folders', `folderUIDs=${many(1001, String, ',')}`, 'at most 1000 folderUIDs'],
    ['numbers of folders', `folderIds=${many(1001, String, ',')}`, 'at most 1000 folderIds'],
  ] as const) {
    // Promise: security work
    it(`a search for more than so many ${what} is refused`, async () => {
      const refused = await ask(`/api/search?${query}`);
      expect([refused.status, JSON.parse(refused.text).message]).to.deep.equal([400, message]);
    });
  }

  // Promise: security work
  it('a search counts words and names that are repeated once', async () => {
    for (const query of [`query=${many(5000, () => 'a', '+')}`, `folderUIDs=${many(5000, () => 'a', ',')}`])
      expect((await ask(`/api/search?${query}`)).status).to.equal(200);
  });
});
