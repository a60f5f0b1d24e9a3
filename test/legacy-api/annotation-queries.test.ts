import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../pkg/system/testing/runs.js';
import { addDashboard } from '../access/people.js';
import { changingNothing } from '../harness/resource.js';
import { eachStore, oneStore } from '../harness/stores.js';
import { type Json, legacyOf } from './legacy.js';
import { type Person, peopleOf } from './people.js';

const T = 1_700_000_000_000;
const MINUTE = 60_000;
const LENGTHS = [0, 1, MINUTE, MINUTE + 1, 3 * MINUTE, 40 * MINUTE, 600 * MINUTE, 60_000 * MINUTE];

/** An annotation as it is sent, with its id and its author. */
type Row = Json;

const endOf = ({ time, timeEnd = time }: Row): number => timeEnd;

function hasTag(row: Row, filter: string): boolean {
  const [key, value] = filter.split(':');
  return (row.tags ?? []).some((tag: string) => {
    const [ownKey, ownValue] = tag.split(':');
    return key === ownKey && (value === undefined || value === ownValue);
  });
}

/** The filters of queries, by their definition. */
const FILTERS: Readonly<Record<string, (row: Row, value: Json) => boolean>> = {
  dashboardUID: (row, uid) => row.dashboardUID === uid,
  panelId: (row, id) => row.panelId === id,
  userId: (row, id) => row.userId === id,
  alertId: (row, id) => row.alertId === id,
  type: (row, type) => (type === 'alert') === row.alertId > 0,
};

function expected(rows: readonly Row[], { from, to, tags, matchAny, limit, ...others }: Json): readonly number[] {
  const wanted = (row: Row): boolean =>
    (to === undefined || row.time <= to) &&
    (from === undefined || endOf(row) >= from) &&
    (tags.length === 0 || tags[matchAny ? 'some' : 'every']((tag: string) => hasTag(row, tag))) &&
    Object.entries(others).every(([name, value]) => value === undefined || FILTERS[name]?.(row, value));
  const sorted = rows.filter(wanted).sort((a, b) => endOf(b) - endOf(a) || b.time - a.time || b.id - a.id);
  return sorted.slice(0, limit ?? 100).map(({ id }) => id);
}

const QUERY = fc.record({
  from: fc.option(fc.integer({ min: -2, max: 300 }), { nil: undefined }),
  to: fc.option(fc.integer({ min: -2, max: 300 }), { nil: undefined }),
  tags: fc.uniqueArray(fc.constantFrom('a', 'k', 'k:1', 'k:2', 'z'), { maxLength: 3 }),
  matchAny: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
  dashboardUID: fc.option(fc.constantFrom('one', 'two', 'none'), { nil: undefined }),
  panelId: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
  userId: fc.option(fc.constantFrom(0, 1), { nil: undefined }),
  alertId: fc.option(fc.constantFrom(7, 8), { nil: undefined }),
  type: fc.option(fc.constantFrom('alert', 'annotation'), { nil: undefined }),
});

function queryText(query: Json): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query).flatMap(([key, values]) =>
    [values].flat().map((one) => [key, one]),
  ))
    if (value !== undefined) params.append(String(name), String(value));
  return params.toString();
}

eachStore('queries of annotations', (server) => {
  const { ask } = legacyOf(server);
  const { person } = peopleOf(server);
  const people: Person[] = [];
  const rows: Row[] = [];
  const COLLECTION = '/apis/annotation.svc.app/v1beta1/namespaces/default/annotations';

  /**
   * Creates an annotation. Those of alerts are created through the resource API, because the legacy API has no field
   * for them.
   */
  const add = async (i: number): Promise<Row> => {
    const pick = <Item>(items: readonly Item[], by: number): Item => items[Math.floor(i / by) % items.length] as Item;
    const time = T + (i % 50) * 5 * MINUTE;
    const row = {
      time,
      timeEnd: time + pick(LENGTHS, 1),
      tags: pick([undefined, ['a'], ['k:1'], ['a', 'k:2'], ['k']], 3),
      dashboardUID: pick([undefined, 'one', 'one', 'two'], 2),
      panelId: pick([undefined, 1, 2], 5),
      alertId: pick([0, 0, 7, 8], 7),
    };
    const author = pick(people, 4);
    const { panelId: panelID, alertId, ...spec } = { ...row, text: `${i}` };
    const body = {
      apiVersion: 'annotation.svc.app/v1beta1',
      kind: 'Annotation',
      metadata: { name: `row-${1000 + i}` },
      spec: { ...spec, ...(panelID && { panelID }), ...(alertId > 0 && { alertID: alertId }) },
    };
    const answer = await server().call('POST', COLLECTION, { body, user: author.info });
    expect(answer.status, answer.text).to.equal(201);
    const id = Number(answer.json().metadata.labels?.['svc.app/deprecatedInternalID']);
    return { ...row, id, userId: author.id };
  };

  before(async () => {
    people.push(await person({ role: 'Editor' }), await person({ role: 'Editor' }));
    for (const name of ['one', 'two']) await addDashboard(server(), name);
    for (let i = 0; i < 300; i++) rows.push(await add(i));
  });

  // Promise: specification 1, specification 4.5
  it('return what all filters together ask for, latest end first, then latest start', async () => {
    await fc.assert(
      fc.asyncProperty(QUERY, async ({ from, to, userId, ...others }) => {
        const [low, high] =
          from === undefined || to === undefined ? [from, to] : [Math.min(from, to), Math.max(from, to)];
        const query = {
          ...others,
          from: low === undefined ? undefined : T + low * MINUTE,
          to: high === undefined ? undefined : T + high * MINUTE,
          userId: userId === undefined ? undefined : people[userId]?.id,
        };
        const found = await ask(200, 'GET', `/annotations?${queryText(query)}`);
        expect(found.map(({ id }: Row) => id)).to.deep.equal(expected(rows, query));
      }),
      { numRuns: runs(25) },
    );
  });

  // Promise: specification 2.5, specification 4.5
  it('count tags over all annotations, in the order of key and value', async () => {
    const count = (filter: (tag: string) => boolean): number =>
      rows.filter(({ tags = [] }) => tags.some(filter)).length;
    const tags = ['a', 'k', 'k:1', 'k:2'].map((tag) => ({ tag, count: count((own) => own === tag) }));
    expect(await ask(200, 'GET', '/annotations/tags')).to.deep.equal({ result: { tags } });
    expect(await ask(200, 'GET', '/annotations/tags?tag=K&limit=2')).to.deep.equal({
      result: { tags: tags.slice(1, 3) },
    });
    expect(await ask(200, 'GET', '/annotations/tags?tag=none')).to.deep.equal({ result: { tags: [] } });
  });
});

oneStore('queries of annotations at their bounds', (server) => {
  const { ask, refused } = legacyOf(server);
  const find = async (query: string): Promise<readonly string[]> =>
    (await ask(200, 'GET', `/annotations?${query}`)).map(({ text }: Row) => text);
  const make = (text: string, more: Json = {}) => ask(200, 'POST', '/annotations', { text, time: T, ...more });

  before(async () => {
    for (let i = 0; i < 120; i++) await make(`at ${i}`, { time: T + i, tags: ['many'] });
    await make('long', { time: 1, timeEnd: T + 1000, tags: ['region'] });
  });

  // Promise: specification 4.5, specification 8
  it('return 100 annotations without a limit, with a limit of 0, and with a negative one', async () => {
    for (const query of ['tags=many', 'tags=many&limit=0', 'tags=many&limit=-5', 'tags=many&limit='])
      expect(await find(query)).to.have.length(100);
    expect(await find('tags=many&limit=1000000')).to.have.length(120);
  });

  // Promise: specification 4.5, specification 8
  it('count 100 tags without a limit, and with a limit of 0', async () => {
    const tagged = (i: number) => Array.from({ length: 17 }, (_, k) => `bound:${i}-${k}`);
    for (let i = 0; i < 6; i++) await make('tagged', { tags: tagged(i) });
    const count = async (query: string) =>
      (await ask(200, 'GET', `/annotations/tags?tag=bound${query}`)).result.tags.length;
    for (const query of ['', '&limit=0']) expect(await count(query), query).to.equal(100);
    expect(await count('&limit=1000')).to.equal(102);
  });

  // Promise: specification 4.5, specification 4.12
  it('restrict the time by each end that is given', async () => {
    expect(await find('tags=many&from=1&limit=500')).to.have.length(120);
    expect(await find(`tags=many&to=${T - 1}&limit=500`)).to.deep.equal([]);
    expect(await find(`tags=many&to=${T}&limit=500`)).to.deep.equal(['at 0']);
    expect(await find(`tags=many&from=${T + 1000 * MINUTE}&limit=500`)).to.deep.equal([]);
    expect(await find(`tags=many&from=0&to=${T}&limit=500`)).to.deep.equal(['at 0']);
    expect(await find(`from=${T + 500}&to=${T + 501}`)).to.deep.equal(['long']);
    expect(await find('from=2&to=3')).to.deep.equal(['long']);
    expect(await find('from=0&to=0&tags=region')).to.deep.equal(['long']);
  });

  // Promise: specification 4.5
  it('find nothing for dashboards and users that do not exist', async () => {
    for (const query of ['dashboardUID=none', 'dashboardId=999999', 'userId=999999', 'alertId=999999', 'tags=none'])
      expect(await find(query), query).to.deep.equal([]);
  });

  it('see long tags, and count them', async () => {
    const tag = `${'k'.repeat(200)}:${'é'.repeat(100)}`;
    await make('tagged', { tags: [tag] });
    expect(await find(new URLSearchParams({ tags: tag }).toString())).to.deep.equal(['tagged']);
    expect(await find(`tags=${'k'.repeat(200)}`)).to.deep.equal(['tagged']);
    const { result } = await ask(200, 'GET', '/annotations/tags?tag=kkkk');
    expect(result.tags).to.deep.equal([{ tag, count: 1 }]);
  });

  it('refuse a range that ends before it begins, numbers that are none, an unknown type, and too many tags', async () => {
    const backwards = 'The time range ends before it begins: from must not be after to';
    const tags = Array.from({ length: 21 }, (_, i) => `tags=${i}`).join('&');
    await changingNothing(server(), async () => {
      await refused(400, { message: backwards }, 'GET', '/annotations?from=2&to=1');
      for (const name of ['from', 'limit', 'alertId', 'dashboardId', 'panelId', 'userId'])
        await refused(400, { message: `${name} is invalid` }, 'GET', `/annotations?to=1&${name}=1e3`);
      await refused(400, { message: 'type must be alert or annotation' }, 'GET', '/annotations?type=alerts');
      await refused(400, { message: 'A query has at most 20 tags' }, 'GET', `/annotations?${tags}`);
    });
  });
});
