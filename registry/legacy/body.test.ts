import { expect } from 'chai';
import { z } from 'zod';
import { requestTo, type Sent } from '../testing/served.js';
import { flag, isReadable, legacyBody, oneOf, positive } from './body.js';

const Lamp = z.object({ watts: z.number().optional() });
const read = (body: unknown, headers: Sent['headers'] = {}): unknown =>
  legacyBody(requestTo('POST', '/api/lamps', { body, headers }), Lamp);
const refused = (body: unknown, headers: Sent['headers'] = {}): readonly unknown[] => {
  try {
    read(body, headers);
  } catch (error) {
    const { code, message } = error as { code: number; message: string };
    return [code, message];
  }
  return [];
};

describe('the body of a legacy request', () => {
  it('is read by a schema', () => {
    expect(read({ watts: 5, other: 1 })).to.deep.equal({ watts: 5 });
  });

  // Promise: specification 4.11
  it('is told about: what the schema does not have is ignored with a warning, and so is what a later member overwrites', () => {
    const warningsOf = (body: unknown): readonly string[] => {
      const warnings: string[] = [];
      legacyBody(requestTo('POST', '/api/lamps', { body }), Lamp, { onIgnored: (found) => warnings.push(...found) });
      return warnings;
    };
    for (const known of [{}, { watts: 5 }, { Watts: 5 }, '']) expect(warningsOf(known)).to.deep.equal([]);
    expect(warningsOf({ watts: 5, wats: 6, 'b\n': 1 })).to.deep.equal(['unknown field "b\\n"', 'unknown field "wats"']);
    expect(warningsOf('{"watts":5,"watts":6}')).to.deep.equal(['duplicate field "watts"']);
  });

  // Promise: specification 4.11
  it('that is wrong is refused with the field and the reason', () => {
    const refusals: Readonly<Record<string, string>> = {
      '[]': 'the body: expected object, received array',
      '"text"': 'the body: expected object, received string',
      '{"watts":"5"}': 'watts: expected number, received string',
      '{"Watts":"5"}': 'watts: expected number, received string',
      '{': 'the body is not valid JSON: line 1, column 2: ',
      'watts=5': 'the body is not valid JSON: line 1, column 1: ',
      '{}{}': 'the body is not valid JSON: line 1, column 3: ',
    };
    for (const [body, why] of Object.entries(refusals)) {
      const [code, message] = refused(body);
      expect(code).to.equal(400);
      expect(String(message)).to.satisfy(
        (text: string) => text.startsWith(`bad request data: ${why}`),
        String(message),
      );
    }
    const Items = z.object({ permissions: z.array(z.object({ permission: z.string() })) });
    const request = requestTo('POST', '/api/lamps', { body: { permissions: [{ permission: 'View' }, {}] } });
    expect(() => legacyBody(request, Items)).to.throw(
      'bad request data: permissions[1].permission: expected string, but it is missing',
    );
  });

  it('may have members that the route does not know, beside one that it knows', () => {
    expect(read({ Watts: 5, other: 1 })).to.deep.equal({ watts: 5 });
    expect(read({})).to.deep.equal({});
    expect(refused({ volts: 5, other: 1 })).to.deep.equal([
      400,
      'bad request data: the body has no member that is known here: "volts", "other"; there are watts',
    ]);
  });

  it('is an empty object if there is none, or null', () => {
    for (const body of ['', ' ', '\t\r\n ', 'null']) expect(read(body), body).to.deep.equal({});
  });

  it('is shown to the audit log as it was sent', () => {
    const audit = { body: undefined as unknown };
    const request = { ...requestTo('POST', '/', { body: { watts: 5, other: 1 } }), audit };
    legacyBody(request as unknown as Parameters<typeof legacyBody>[0], Lamp);
    expect(audit.body).to.deep.equal({ watts: 5, other: 1 });
  });

  it('may have any type of JSON, and none', () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'text/json', 'application/x+json', ''])
      expect(read({ watts: 5 }, { 'content-type': type }), type).to.deep.equal({ watts: 5 });
  });

  it('must not have a type that a form of another site can have, unless it cannot be from one', () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(refused({ watts: 5 }, form)).to.deep.equal([
      415,
      'the body must be JSON, with the header Content-Type: application/json',
    ]);
    expect(read({ watts: 5 }, { ...form, authorization: 'Bearer token' })).to.deep.equal({ watts: 5 });
    expect(read('', form)).to.deep.equal({});
  });
});

describe('whether a legacy body can be read', () => {
  it('is so for JSON and for nothing', () => {
    const texts = ['', '  ', '{}', '[1]', 'null', '{', 'x', '{"a":1'];
    expect(texts.map((text) => isReadable({ body: Buffer.from(text) }))).to.deep.equal([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('a number in a legacy query', () => {
  it('is an integer of at least 1, or the usual one, and any other text is refused', () => {
    const texts = ['1', '25', '999999999', '0', '-1', ''];
    expect(texts.map((text) => positive(new URLSearchParams({ limit: text }), 'limit', 7))).to.deep.equal([
      1, 25, 999_999_999, 7, 7, 7,
    ]);
    expect(positive(new URLSearchParams(), 'limit', 7)).to.equal(7);
    for (const text of ['1.5', '1e3', 'x', 'a1', '1a', ' ', '--1', '[$gt]'])
      expect(() => positive(new URLSearchParams({ limit: text }), 'limit', 7), text).to.throw(
        'limit must be a whole number',
      );
  });

  it('that is too large stays large, so that a page beyond the end is not the first one', () => {
    for (const text of ['1000000000', '99999999999999999999', '9'.repeat(400)])
      expect(positive(new URLSearchParams({ page: text }), 'page', 1), text).to.equal(999_999_999);
  });
});

describe('a word in a legacy query', () => {
  it('is one of a few, or absent, and anything else is refused', () => {
    const read = (query: Readonly<Record<string, string>>) => oneOf(new URLSearchParams(query), 'type', ['a', 'b']);
    expect([{ type: 'a' }, { type: 'b' }, { type: '' }, {}].map(read)).to.deep.equal(['a', 'b', undefined, undefined]);
    for (const text of ['A', 'c', ' a', 'a,b'])
      expect(() => read({ type: text }), text)
        .to.throw()
        .and.have.nested.property('body.message', 'type must be a or b');
  });
});

describe('a boolean in a legacy query', () => {
  it('is true, false, 1 or 0, in lower or upper case, and anything else is refused', () => {
    const read = (text: string) => flag(new URLSearchParams({ starred: text }), 'starred');
    expect(['true', 'True', 'TRUE', '1'].map(read)).to.deep.equal([true, true, true, true]);
    expect(['false', 'False', '0', ''].map(read)).to.deep.equal([false, false, false, false]);
    expect(flag(new URLSearchParams(), 'starred')).to.equal(false);
    for (const text of ['yes', 'perhaps', '2', ' true', '__proto__'])
      expect(() => read(text), text)
        .to.throw()
        .and.have.nested.property('body.message', 'starred must be true or false');
  });
});
