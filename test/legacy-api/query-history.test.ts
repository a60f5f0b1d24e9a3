import { expect } from 'chai';
import { bodyOf } from '../harness/resource.js';
import { eachStore, oneStore } from '../harness/stores.js';
import { iam, until } from '../identity/iam.js';
import { type Json, legacyOf, shortened } from './legacy.js';
import { type Person, peopleOf } from './people.js';

const QUERIES = [
  { refId: 'A', key: 'Q-1', datasource: { type: 'prometheus', uid: 'prom' }, expr: 'up', deep: { kept: [1] } },
];
const RESOURCE = '/apis/queryhistory.svc.app/v1beta1/namespaces/default/queryhistories';
const UNKNOWN = '01arz3ndektsv4rrffq69g5fav';

eachStore('query history', (server) => {
  const { ask } = legacyOf(server);
  const { person } = peopleOf(server);
  let ada: Person;
  let bob: Person;
  before(async () => {
    ada = await person();
    bob = await person();
  });

  const as = (who: Person) => ({ user: who.info });
  const add = async (who: Person, datasourceUid: string, queries: unknown = QUERIES): Promise<Json> =>
    (await ask(200, 'POST', '/query-history', { datasourceUid, queries }, as(who))).result;
  const find = async (who: Person, query = ''): Promise<Json> =>
    (await ask(200, 'GET', `/query-history${query}`, undefined, as(who))).result;
  const uids = async (who: Person, query = ''): Promise<readonly string[]> =>
    (await find(who, query)).queryHistory.map(({ uid }: Json) => uid);

  // Promise: specification 2.8, specification 4.9
  it('POST returns the item with a uid, its time in seconds and its creator', async () => {
    const before = Math.floor(server().clock.now() / 1000);
    const item = await add(ada, 'prom');
    expect(item).to.deep.include({
      datasourceUid: 'prom',
      createdBy: ada.id,
      starred: false,
      comment: '',
      queries: QUERIES,
    });
    expect(item.uid).to.match(/^[0-9a-z]{26}$/);
    expect(item.createdAt)
      .to.be.at.least(before)
      .and.at.most(Math.ceil(server().clock.now() / 1000));
  });

  // Promise: specification 3, specification 4.9, specification 8
  it('PATCH changes the comment, and star and unstar the star', async () => {
    const { uid } = await add(ada, 'prom');
    const commented = await ask(200, 'PATCH', `/query-history/${uid}`, { comment: 'Which are up?' }, as(ada));
    expect(commented.result).to.deep.include({ uid, comment: 'Which are up?', starred: false });
    const starred = await ask(200, 'POST', `/query-history/star/${uid}`, undefined, as(ada));
    expect(starred.result).to.deep.include({ uid, comment: 'Which are up?', starred: true });
    expect(await uids(ada, '?onlyStarred=true')).to.deep.equal([uid]);
    const unstarred = await ask(200, 'DELETE', `/query-history/star/${uid}`, undefined, as(ada));
    expect(unstarred.result).to.deep.include({ uid, starred: false });
    expect(await find(ada, '?onlyStarred=true')).to.deep.equal({
      totalCount: 0,
      page: 1,
      perPage: 100,
      queryHistory: [],
    });
  });

  // Promise: specification 4.9
  it('DELETE removes the item and returns its number', async () => {
    const { uid } = await add(ada, 'prom');
    const answer = await ask(200, 'DELETE', `/query-history/${uid}`, undefined, as(ada));
    expect(answer).to.have.property('message', 'Query deleted');
    expect(answer.id).to.be.a('number').above(0);
    expect(await uids(ada)).to.not.include(uid);
  });

  // Promise: specification 4.9
  it('GET returns pages, the newest first, or the oldest first', async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      made.push((await add(bob, 'pages')).uid);
      server().clock.advance(1000);
    }
    const page = await find(bob, '?limit=2&page=2');
    expect(page).to.deep.include({ totalCount: 5, page: 2, perPage: 2 });
    expect(page.queryHistory.map(({ uid }: Json) => uid)).to.deep.equal([made[2], made[1]]);
    expect(await uids(bob)).to.deep.equal([...made].reverse());
    expect(await uids(bob, '?sort=time-asc')).to.deep.equal(made);
    expect(await uids(bob, '?page=9')).to.deep.equal([]);
  });

  // Promise: specification 1
  it('of others is neither shown nor counted, and cannot be changed', async () => {
    const carl = await person();
    const { uid } = await add(ada, 'prom');
    expect(await find(carl)).to.deep.include({ totalCount: 0, queryHistory: [] });
    for (const [method, path, message] of [
      ['PATCH', `/query-history/${uid}`, 'Failed to update comment of query in query history'],
      ['DELETE', `/query-history/${uid}`, 'Failed to delete query from query history'],
      ['POST', `/query-history/star/${uid}`, 'Failed to star query in query history'],
      ['DELETE', `/query-history/star/${uid}`, 'Failed to unstar query in query history'],
    ] as const) {
      expect(await ask(404, method, path, { comment: 'x' }, as(carl)), path).to.deep.equal({ message });
      const unknown = await ask(404, method, path.replace(uid, UNKNOWN), { comment: 'x' }, as(carl));
      expect(unknown, 'an unknown item').to.deep.equal({ message });
    }
  });

  it('that one API writes, the other one reads, with watch events', async () => {
    const { uid } = await add(ada, 'both');
    const object = bodyOf(await server().call('GET', `${RESOURCE}/${uid}`, as(ada)), 200);
    expect(object.spec).to.deep.equal({ datasourceUid: 'both', queries: QUERIES, comment: '', starred: false });
    const watch = await server().call(
      'GET',
      `${RESOURCE}?watch=true&resourceVersion=${object.metadata.resourceVersion}`,
      as(ada),
    );
    const patch = {
      body: { spec: { starred: true } },
      headers: { 'content-type': 'application/merge-patch+json' },
      ...as(ada),
    };
    bodyOf(await server().call('PATCH', `${RESOURCE}/${uid}`, patch), 200);
    expect((await find(ada, '?datasourceUid=both')).queryHistory[0]).to.deep.include({ uid, starred: true });
    const events = await watch.frames.until(({ type }) => type === 'MODIFIED');
    await watch.frames.close();
    expect(events.at(-1)?.object.metadata.name).to.equal(uid);
  });
});

eachStore('an item of the query history', (server) => {
  const { ask } = legacyOf(server);
  const { person } = peopleOf(server);
  const { remove, made } = iam(server);
  const DAY = 24 * 3600 * 1000;
  const add = async ({ info }: Person): Promise<string> =>
    (await ask(200, 'POST', '/query-history', { datasourceUid: 'prom', queries: QUERIES }, { user: info })).result.uid;
  const stored = async (): Promise<readonly string[]> =>
    bodyOf(await server().call('GET', RESOURCE), 200).items.map(({ metadata }) => metadata.name);

  it('is removed after 14 days, unless it is starred', async () => {
    const ada = await person();
    const [plain, starred] = [await add(ada), await add(ada)];
    await ask(200, 'POST', `/query-history/star/${starred}`, undefined, { user: ada.info });
    server().clock.advance(13 * DAY);
    const later = await add(ada);
    expect(await stored()).to.have.members([plain, starred, later]);
    server().clock.advance(1.1 * DAY);
    await until(async () => !(await stored()).includes(plain));
    expect(await stored()).to.have.members([starred, later]);
    await ask(200, 'DELETE', `/query-history/star/${starred}`, undefined, { user: ada.info });
    server().clock.advance(3_600_000);
    await until(async () => !(await stored()).includes(starred));
  });

  it('ends with the membership of its owner, who has a new history after joining again', async () => {
    const bob = await person();
    const uid = await add(bob);
    expect(await stored()).to.include(uid);
    await remove('OrganizationBinding', bob.uid);
    expect(await stored()).to.not.include(uid);
    await ask(403, 'GET', '/query-history', undefined, { user: bob.info });
    await made('OrganizationBinding', bob.uid, { userRef: { name: bob.uid }, role: 'Viewer' });
    const { result } = await ask(200, 'GET', '/query-history', undefined, { user: bob.info });
    expect(result.queryHistory).to.deep.equal([]);
    await until(
      async () => (await ask(200, 'GET', '/query-history', undefined, { user: bob.info })).result.totalCount === 0,
    );
  });
});

oneStore('a request to the query history', (server) => {
  const { ask } = legacyOf(server);
  const { person, robot } = peopleOf(server);
  let ada: Person;
  const query = (uid: string, expr: string) => ({ refId: 'A', datasource: { type: 'x', uid }, expr });
  const names: Record<string, string> = {};
  const DAY = 24 * 3600 * 1000;

  before(async () => {
    ada = await person();
    const items: readonly (readonly [string, string, readonly unknown[]])[] = [
      ['up', 'prom', [query('prom', 'up == 0')]],
      ['logs', 'loki', [query('loki', '{app="Shop"}')]],
      ['mixed', 'mixed', [query('prom', 'rate(x)'), query('loki', '{}')]],
    ];
    for (const [name, datasourceUid, queries] of items) {
      const { result } = await ask(200, 'POST', '/query-history', { datasourceUid, queries }, { user: ada.info });
      names[result.uid] = name;
      if (name === 'logs')
        await ask(200, 'PATCH', `/query-history/${result.uid}`, { comment: 'The ORDERS' }, { user: ada.info });
      server().clock.advance(DAY);
    }
  });

  const found = async (text: string): Promise<readonly (string | undefined)[]> => {
    const { result } = await ask(200, 'GET', `/query-history?${text}`, undefined, { user: ada.info });
    expect(result.totalCount).to.equal(result.queryHistory.length);
    return result.queryHistory.map(({ uid }: Json) => names[uid]);
  };

  it('for a data source finds items that involve it, by themselves or by a query', async () => {
    expect(await found('datasourceUid=prom')).to.deep.equal(['mixed', 'up']);
    expect(await found('datasourceUid=mixed')).to.deep.equal(['mixed']);
    expect(await found('datasourceUid=nothing')).to.deep.equal([]);
  });

  // Promise: specification 4.9
  it('for several data sources finds items that involve all of them', async () => {
    expect(await found('datasourceUid=prom&datasourceUid=loki')).to.deep.equal(['mixed']);
    expect(await found('datasourceUid=prom&datasourceUid=nothing')).to.deep.equal([]);
  });

  // Promise: specification 4.9
  it('for a text looks in queries and comments, ignoring case', async () => {
    expect(await found('searchString=shop')).to.deep.equal(['logs']);
    expect(await found('searchString=orders')).to.deep.equal(['logs']);
    expect(await found('searchString=RATE(x')).to.deep.equal(['mixed']);
    expect(await found('searchString=up&datasourceUid=loki')).to.deep.equal([]);
  });

  it('for a text looks in the texts of queries, and not in their JSON', async () => {
    expect(await found(`searchString=${encodeURIComponent('{app="shop"}')}`)).to.deep.equal(['logs']);
    for (const none of ['refId', 'expr', '"A"', 'datasource', '\\"', '[{'])
      expect(await found(`searchString=${encodeURIComponent(none)}`), none).to.deep.equal([]);
  });

  // Promise: specification 4.9
  it('for a time takes milliseconds and relative times', async () => {
    const now = server().clock.now();
    expect(await found('from=now-36h')).to.deep.equal(['mixed']);
    expect(await found('from=now-60h&to=now-36h')).to.deep.equal(['logs']);
    expect(await found(`from=${now - 2.5 * DAY}&to=${now}`)).to.deep.equal(['mixed', 'logs']);
    expect(await found('to=now-49h')).to.deep.equal(['up']);
    expect(await found('from=0&to=0')).to.deep.equal(['mixed', 'logs', 'up']);
  });

  it('is refused for a time or an order of another form, and for a time range that ends before it begins', async () => {
    for (const [text, message] of [
      ['from=yesterday', 'from must be milliseconds since the epoch, or relative such as now-5m or now/d'],
      ['to=now-5x', 'to must be milliseconds since the epoch, or relative such as now-5m or now/d'],
      ['from=now&to=now-1h', 'from must not be later than to'],
      ['sort=name', 'sort must be time-asc or time-desc'],
    ]) {
      const answer = await ask(400, 'GET', `/query-history?${text}`, undefined, { user: ada.info });
      expect(answer, text).to.deep.equal({ message });
    }
  });

  // Promise: specification 4.9, specification 5
  it('is answered to persons only', async () => {
    const options = { user: await robot() };
    expect(await ask(403, 'GET', '/query-history', undefined, options)).to.deep.equal({
      message: 'Endpoint only available for users',
    });
    await ask(401, 'GET', '/query-history', undefined, { user: null });
  });

  // Promise: specification 4.9, specification 7
  it('with a wrong body or a wrong uid is refused, and changes nothing', async () => {
    const bodies = [
      {},
      { datasourceUid: '', queries: [] },
      { datasourceUid: 'x' },
      { datasourceUid: 'x', queries: 'up' },
      { datasourceUid: 7, queries: [] },
    ];
    const end = await server().end();
    for (const body of bodies) {
      const answer = await ask(400, 'POST', '/query-history', body, { user: ada.info });
      expect(shortened(answer), JSON.stringify(body)).to.deep.equal({ message: 'bad request data' });
    }
    await ask(400, 'PATCH', `/query-history/${Object.keys(names)[0]}`, {}, { user: ada.info });
    expect(await ask(404, 'DELETE', '/query-history/a%20b', undefined, { user: ada.info })).to.deep.equal({
      message: 'Query in query history not found',
    });
    expect(await server().end()).to.equal(end);
  });

  // Promise: specification 4.9
  it('for a second star, or to take away no star, is refused', async () => {
    const [uid] = Object.keys(names);
    const call = (method: string, status: number) =>
      ask(status, method, `/query-history/star/${uid}`, undefined, { user: ada.info });
    expect(await call('DELETE', 400)).to.deep.equal({ message: 'Failed to unstar query in query history' });
    await call('POST', 200);
    expect(await call('POST', 400)).to.deep.equal({ message: 'Failed to star query in query history' });
  });
});
