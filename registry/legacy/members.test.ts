import { expect } from 'chai';
import { z } from 'zod';
import { arrayOf } from '../../pkg/kube/meta/bounded.js';
import { allUnknown, ignoredMembersOf, namesIn, unknownIn, withKnownNames } from './members.js';

const Item = z.object({ userId: z.int().nullish(), permission: z.string().nullish() });
const Body = z.object({
  name: z.string().nullish(),
  kind: z.string().optional(),
  items: arrayOf(Item, 10).nullish(),
  nested: z.object({ homeTab: z.string() }).nullish(),
  model: z.looseObject({ uid: z.string().nullish() }).nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  both: z.int().nullish(),
  Both: z.int().nullish(),
});
const spelledTwice = (schema: z.ZodType, value: unknown): readonly string[] => {
  const paths: string[] = [];
  withKnownNames(schema, value, (path) => paths.push(path));
  return paths;
};
const read = (text: string): unknown => Body.parse(withKnownNames(Body, JSON.parse(text)));

describe('the names of members of a legacy body', () => {
  // Promise: specification 4.11
  it('are matched exactly, then without regard to case', () => {
    expect(read('{"Name":"a"}')).to.deep.equal({ name: 'a' });
    expect(read('{"NAME":"a"}')).to.deep.equal({ name: 'a' });
    expect(read('{"both":1,"Both":2}')).to.deep.equal({ both: 1, Both: 2 });
    expect(read('{"BOTH":1}')).to.deep.equal({ both: 1 });
  });

  it('may have the long s and the Kelvin sign, as in Go, but nothing else is folded', () => {
    expect(read('{"\u212aind":"a","item\u017f":[]}')).to.deep.equal({ kind: 'a', items: [] });
    expect(read('{"nàme":"a","na me":"b"}')).to.deep.equal({});
  });

  it('count in their order: the last spelling wins', () => {
    expect(read('{"name":"a","Name":"b","NAME":"c"}')).to.deep.equal({ name: 'c' });
    expect(read('{"Name":"b","name":"a"}')).to.deep.equal({ name: 'a' });
  });

  // Promise: specification 4.11
  it('are told if they come in two spellings', () => {
    expect(spelledTwice(Body, JSON.parse('{"name":"a","NAME":"b","both":1,"Both":2,"x":1,"X":2}'))).to.deep.equal([
      'NAME',
    ]);
    const nested =
      '{"items":[{"userId":1,"userid":2}],"Nested":{"hometab":"a","homeTab":"b"},"model":{"uid":"a","UID":"b"}}';
    expect(spelledTwice(Body, JSON.parse(nested))).to.deep.equal(['items[0].userid', 'Nested.homeTab']);
  });

  it('that answers have are told if a new thing asks for them in vain, but not facts and empty values', () => {
    const answered = ['id', 'uid', 'created', 'isAdmin', 'address', 'name'];
    const asked = (body: unknown) => ignoredMembersOf(Body, body, answered);
    expect(asked({ id: 7, created: 'x', isAdmin: true, address: { city: 'Bonn' }, name: 'a', other: 1 })).to.deep.equal(
      ['id', 'isAdmin', 'address'],
    );
    expect(asked({ id: 0, uid: '', isAdmin: false, address: {} })).to.deep.equal([]);
    expect([null, [], 'x'].flatMap(asked)).to.deep.equal([]);
  });

  it('are known and matched below a default, too', () => {
    const WithDefault = z.object({ spec: z.object({ token: z.string().default('') }).default({ token: '' }) });
    expect(unknownIn(WithDefault, { spec: { tokn: 'a' } })).to.deep.equal(['spec.tokn']);
    expect(withKnownNames(WithDefault, { Spec: { Token: 'a' } })).to.deep.equal({ spec: { token: 'a' } });
  });

  it('are matched in nested objects and lists, too', () => {
    expect(read('{"Items":[{"UserID":7,"Permission":"View"}],"Nested":{"HomeTab":"x"}}')).to.deep.equal({
      items: [{ userId: 7, permission: 'View' }],
      nested: { homeTab: 'x' },
    });
  });

  it('stay as they are in what is free: the JSON of a dashboard, and maps', () => {
    expect(read('{"Model":{"UID":"x","Title":"t"},"Labels":{"Name":"n","name":"m"}}')).to.deep.equal({
      model: { UID: 'x', Title: 't' },
      labels: { Name: 'n', name: 'm' },
    });
  });

  it('cannot reach the prototype', () => {
    for (const name of ['__proto__', '__PROTO__', 'constructor', 'toString']) {
      const value = JSON.parse(`{${JSON.stringify(name)}:{"name":"a"}}`) as unknown;
      const named = withKnownNames(Body, value) as object;
      expect(Object.getPrototypeOf(named)).to.equal(Object.prototype);
      expect(Object.keys(named)).to.deep.equal([name]);
      expect(Body.parse(named)).to.deep.equal({});
      expect(allUnknown(Body, named)).to.deep.equal([name]);
    }
  });

  it('do not matter in a value that is no object', () => {
    for (const text of ['[]', '"x"', '1', 'null', 'true'])
      expect(withKnownNames(Body, JSON.parse(text))).to.deep.equal(JSON.parse(text));
    expect(withKnownNames(Body, { items: { UserId: 1 }, nested: [1] })).to.deep.equal({
      items: { UserId: 1 },
      nested: [1],
    });
  });
});

describe('a legacy body whose members are all unknown', () => {
  // Promise: specification 4.11
  it('is one with members, but none that the schema has', () => {
    expect(allUnknown(Body, { titel: 'x', other: 1 })).to.deep.equal(['titel', 'other']);
    for (const known of [{}, { name: null }, { name: 'x', other: 1 }, [], 'x', null])
      expect(allUnknown(Body, known)).to.deep.equal([]);
  });

  it('cannot be one of an open schema', () => {
    expect(allUnknown(z.looseObject({}), { a: 1 })).to.deep.equal([]);
    expect(allUnknown(z.unknown(), { a: 1 })).to.deep.equal([]);
    expect(namesIn(z.unknown())).to.deep.equal([]);
    expect(namesIn(Item)).to.deep.equal(['userId', 'permission']);
  });
});

describe('the members of a legacy body that are ignored', () => {
  it('are those that no schema has, with their paths', () => {
    const value = {
      name: 'a',
      other: 1,
      items: [{ userId: 1 }, { userID: 2, at: {} }, 3],
      nested: { homeTab: 'x', y: 1 },
    };
    expect(unknownIn(Body, value)).to.deep.equal(['other', 'items[1].userID', 'items[1].at', 'nested.y']);
    for (const known of [{}, { name: 1 }, [{ other: 1 }], 'x', null, { items: { other: 1 } }])
      expect(unknownIn(Body, known)).to.deep.equal([]);
  });

  it('are named once if several items have them', () => {
    const items = [{ userId: 1, at: 1 }, { at: 2, by: 'x' }, { at: 3 }];
    expect(unknownIn(Body, { items })).to.deep.equal(['items[].at', 'items[1].by']);
  });

  it('are none that answers have', () => {
    const value = { name: 'a', url: 'x', items: [{ userId: 1, created: 'x', url: 1 }] };
    expect(unknownIn(Body, value, ['created', 'url'])).to.deep.equal([]);
    expect(unknownIn(Body, value, ['url'])).to.deep.equal(['items[0].created']);
  });

  it('are none of an open object or a map, and at most 100', () => {
    expect(unknownIn(Body, { model: { a: 1 }, labels: { b: 'c' } })).to.deep.equal([]);
    const many = Array.from({ length: 200 }, (_, index) => [`x${index}`, 1]);
    expect(unknownIn(Body, Object.fromEntries(many))).to.have.length(100);
    expect(unknownIn(Body, { items: Array.from({ length: 200 }, (_, at) => ({ [`x${at}`]: 1 })) })).to.have.length(100);
  });
});
