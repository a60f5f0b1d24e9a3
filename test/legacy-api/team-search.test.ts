import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';
import { TEAM_NOT_FOUND, teamsOf } from './teams.js';

oneStore('the search for teams in the legacy API', (server) => {
  const { ask, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const { make } = teamsOf(server);
  const resources = iam(server);
  const search = async (query: string): Promise<Json> => ask(200, 'GET', `/teams/search?${query}`);
  const names = ({ teams }: Json): readonly string[] => teams.map(({ name }: Json) => name);

  // Promise: specification 2.4, specification 4.6, specification 8
  it('finds teams by a part of the name, in pages', async () => {
    const tag = fresh('find');
    for (const suffix of ['b', 'A', 'c (.*)']) await resources.made('Team', fresh('t'), { title: `${tag} ${suffix}` });
    const found = await search(`query=${tag.toUpperCase()}`);
    expect(found).to.include({ totalCount: 3, page: 1, perPage: 1000 });
    expect(names(found)).to.deep.equal([`${tag} A`, `${tag} b`, `${tag} c (.*)`]);
    expect(found.teams[0]).to.include.keys('id', 'uid', 'orgId', 'name', 'email', 'avatarUrl', 'memberCount');
    expect(names(await search(`query=${encodeURIComponent('c (.*)')}&teamId=`))).to.deep.equal([]);
    expect(names(await search(`query=${encodeURIComponent(`${tag} c (.*)`)}`))).to.deep.equal([`${tag} c (.*)`]);
    expect(names(await search(`query=${encodeURIComponent(`${tag}.*`)}`))).to.deep.equal([]);
    expect(names(await search(`query=${tag}&perpage=2&page=2`))).to.deep.equal([`${tag} c (.*)`]);
    expect(await search(`query=${tag}&perpage=2&page=3`)).to.deep.include({ teams: [], totalCount: 3, page: 3 });
  });

  // Promise: specification 4.6, specification 7
  it('finds exactly one team by name, and answers 404 if there is none', async () => {
    const { id, name } = await make();
    await make({ name: `${name} too` });
    const found = await search(`name=${name}`);
    expect(found).to.include({ totalCount: 1, page: 1, perPage: 1000 });
    expect(found.teams[0]).to.include({ id, name });
    await refused(404, TEAM_NOT_FOUND, 'GET', '/teams/search?name=nothing-has-this-name');
    await refused(404, TEAM_NOT_FOUND, 'GET', '/teams/search?name=.*');
  });

  // Promise: specification 4.6
  it('sorts by name, email and memberCount, also by several in the given order', async () => {
    const tag = fresh('sorted');
    const people = [await person(), await person()];
    const rows: readonly (readonly [string, string, number])[] = [
      ['a', 'y@x.org', 1],
      ['b', 'x@x.org', 1],
      ['c', 'z@x.org', 2],
    ];
    for (const [suffix, email, count] of rows) {
      const { id } = await make({ name: `${tag}-${suffix}`, email });
      for (const { id: userId } of people.slice(0, count)) await ask(200, 'POST', `/teams/${id}/members`, { userId });
    }
    const order = async (sort: string) =>
      names(await search(`query=${tag}&sort=${sort}`))
        .map((name) => name.at(-1))
        .join('');
    expect(await order('')).to.equal('abc');
    expect(await order('name-desc')).to.equal('cba');
    expect(await order('email-asc')).to.equal('bac');
    expect(await order('email-desc')).to.equal('cab');
    expect(await order('memberCount-asc')).to.equal('abc');
    expect(await order('memberCount-desc,name-desc')).to.equal('cba');
    expect(await order('memberCount-asc,email-asc')).to.equal('bac');
    const refusal = { statusCode: 400, messageId: 'unknown sorting option', message: 'BadRequest', extra: null };
    await refused(400, refusal, 'GET', '/teams/search?sort=login-asc');
  });
});
