import { expect } from 'chai';
import fc from 'fast-check';
import { runSteps } from '../../system/yielding/steps.js';
import { ApiError } from '../status/status.js';
import { type Decoded, decodeAhead, decodeJson, decodeYaml } from './decode.js';
import { limitsOf } from './limits.js';
import { scanJson } from './scan.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (text: string): Decoded => decodeJson(bytes(text));
const yaml = (text: string): Decoded => decodeYaml(bytes(text));

function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    expect(error).to.be.instanceOf(ApiError);
    expect((error as ApiError).code).to.equal(400);
    expect((error as ApiError).reason).to.equal('BadRequest');
    return (error as ApiError).message;
  }
  throw new Error('nothing was refused');
}

const nested = (levels: number): string => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;

/** JSON texts with repeated keys, together with the paths of these keys. */
const repeating = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c:d', '"', 'é'), fc.constantFrom('1', '"x:y"', '[{"k":1}]', '{"k":{}}')), {
    maxLength: 8,
  })
  .map((members) => ({
    text: `{"spec":{${members.map(([k, v]) => `${JSON.stringify(k)}:${v}`).join(',')}}}`,
    repeated: new Set(
      members
        .map(([k]) => k)
        .filter((k, i, all) => all.indexOf(k) !== i)
        .map((k) => `spec.${k}`),
    ),
  }));

describe('decodeJson', () => {
  it('returns what JSON.parse returns, even from the middle of a larger buffer', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!text.includes('__proto__'));
        const padded = Buffer.from(`xx${text}xx`);
        const decoded = decodeJson(padded.subarray(2, padded.length - 2));
        expect(JSON.stringify(decoded.value)).to.equal(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('reports the line and column of a mistake, and what was expected', () => {
    expect(refusal(() => json('{\n  "a": 1\n  "b": 2\n}'))).to.equal(
      "the body is not valid JSON: line 3, column 3: expected ',' or '}' after a member, found \"\\\"\"",
    );
    expect(refusal(() => json('{"a": 1,}'))).to.include('line 1, column 9: expected a key in double quotes, found "}"');
    expect(refusal(() => json('{"a": tru}'))).to.include('line 1, column 7: expected a value');
    expect(refusal(() => json('{"a": "x'))).to.include('not closed, the body ends here');
    expect(refusal(() => json('{} {}'))).to.include('line 1, column 4: expected the end of the body');
    expect(refusal(() => json(' '))).to.include('the body is empty');
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(refusal(() => decodeJson(Uint8Array.of(0x22, 0xff, 0x22)))).to.include('not valid UTF-8');
  });

  it('accepts 100 levels, and refuses 101 and a million', () => {
    expect(json(nested(100)).duplicates).to.deep.equal([]);
    expect(refusal(() => json(`[${nested(100)}]`))).to.equal('the body is nested deeper than 100 levels');
    expect(refusal(() => json('['.repeat(1_000_000)))).to.equal('the body is nested deeper than 100 levels');
  });

  it('accepts 45,000 values, and refuses one more before it parses them', () => {
    const wide = (values: number): string => `{"a":[${'1,'.repeat(values - 3)}"x,[{"]}`;
    expect(json(wide(45_000)).duplicates).to.deep.equal([]);
    expect(() => json(wide(45_001)))
      .to.throw(ApiError, 'more than 45000 values')
      .with.property('code', 413);
    expect(() => json('['.concat('{},'.repeat(30_000))))
      .to.throw(ApiError)
      .with.property('code', 413);
  });

  it('accepts 45,000 members of one object, and any number of objects', () => {
    const wide = (members: number): string =>
      `{${Array.from({ length: members }, (_, i) => `"{\\"${i}":[{":":1},1]`).join(',')}}`;
    const limits = limitsOf(16 * 2 ** 20);
    expect(Object.keys(decodeJson(bytes(wide(45_000)), limits).value as object)).to.have.length(45_000);
    const two = `[${wide(30_000)},${wide(30_000)}]`;
    expect(decodeJson(bytes(two), limits).value).to.have.length(2);
    for (const decode of [
      decodeJson,
      (body: Uint8Array) => runSteps(decodeAhead(body, limits)) ?? decodeJson(body, limits),
    ])
      expect(() => decode(bytes(wide(45_001)), limits))
        .to.throw(ApiError, 'an object in the body has more than 45000 members')
        .with.property('code', 413);
  });

  it('ignores brackets, colons and quotes within strings', () => {
    const text = JSON.stringify({ a: '[[{{::\\"'.repeat(200), 'b:c': '\\' });
    expect(json(text)).to.deep.equal({ value: JSON.parse(text), duplicates: [] });
  });

  it('reports a repeated key by its path and keeps the last value', () => {
    expect(json('{"spec":{"title":"a","title":"b","items":[{"x":1},{"x":1,"x":2}]}}')).to.deep.equal({
      value: { spec: { title: 'b', items: [{ x: 1 }, { x: 2 }] } },
      duplicates: ['spec.title', 'spec.items[1].x'],
    });
    expect(json('{"a":1,"\\u0061":2}').duplicates).to.deep.equal(['a']);
  });

  it('reports exactly the repeated keys', () => {
    fc.assert(
      fc.property(repeating, ({ text, repeated }) => {
        expect(new Set(json(text).duplicates)).to.deep.equal(repeated);
      }),
    );
  });

  it('counts no value inside of a text, however long the text is and whatever is escaped in it', () => {
    const piece = fc.constantFrom('\\', '"', ':', '{', '[', ',', 'x'.repeat(31), 'é'.repeat(17));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(piece, { maxLength: 40 }), (first, second) => {
        const text = bytes(JSON.stringify({ [first.join('')]: second.join('') }));
        expect(decodeJson(text, { depth: 1, values: 2 }).duplicates).to.deep.equal([]);
        expect(() => decodeJson(text, { depth: 1, values: 1 })).to.throw(ApiError, /more than 1 values/);
      }),
    );
  });

  it('reports at most 100 repeated keys', () => {
    const members = Array.from({ length: 300 }, (_, i) => `"k${i}":1,"k${i}":2`).join(',');
    expect(json(`{${members}}`).duplicates).to.have.length(100);
  });

  it('reports a member once, however often it is repeated', () => {
    const text = `{${'"a":1,'.repeat(300)}"b":1,"b":{"a":1,"a":2}}`;
    expect(json(text).duplicates).to.deep.equal(['a', 'b', 'b.a']);
  });

  it('reports a repeated name with escapes, and does not take a part of a name for it', () => {
    expect(json('{"a\\n":1,"a":2,"a\\"":3,"a\\u000a":4}').duplicates).to.deep.equal(['a\n']);
  });

  it('cuts the paths of members below a very long name', () => {
    const members = Array.from({ length: 300 }, (_, i) => `"k${i}":1,"k${i}":2`).join(',');
    const lengths = json(`{"${'n'.repeat(1_000_000)}":{${members}}}`).duplicates.map(({ length }) => length);
    expect(lengths).to.deep.equal([1000]);
  });

  it('refuses the key __proto__ in any spelling, and accepts constructor and prototype', () => {
    expect(refusal(() => json('{"spec":[{"__proto__":{"admin":true}}]}'))).to.include('__proto__');
    expect(refusal(() => json('{"\\u005f_proto__":1}'))).to.include('__proto__');
    const { value } = json('{"constructor":{"prototype":{"admin":true}}}');
    expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
    expect(({} as Record<string, unknown>)['admin']).to.equal(undefined);
  });
});

describe('scanJson', () => {
  it('finds a mistake in exactly the texts that JSON.parse refuses', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', ':', '0', '-', '\\', '\u0000', 'e', ' '))
      .map(
        ([text, at, char]) => text.slice(0, at % (text.length + 1)) + char + text.slice((at % (text.length + 1)) + 1),
      );
    fc.assert(
      fc.property(broken, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(scanJson(text).fault === undefined).to.equal(valid);
      }),
      { numRuns: 500 },
    );
  });
});

describe('decodeYaml', () => {
  it('reads every JSON text as decodeJson does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        fc.pre(!JSON.stringify(value).includes('__proto__'));
        const text = JSON.stringify({ spec: value });
        expect(JSON.stringify(yaml(text))).to.equal(JSON.stringify(json(text)));
      }),
    );
  });

  it('reads scalars as Kubernetes does: 1.1 booleans and octals, but no dates and no base 60', () => {
    expect(yaml('a: yes\nb: 12:30\nc: 2026-11-21\nd: 0777\ne: 0x10\nf: ~\ng:\nh: "yes"\ni: 1.5').value).to.deep.equal({
      a: true,
      b: '12:30',
      c: '2026-11-21',
      d: 511,
      e: 16,
      f: null,
      g: null,
      h: 'yes',
      i: 1.5,
    });
  });

  it('reads numbers of every form, and text that is almost a number', () => {
    const numbers = 'a: [1_000, +1, -0x1F, 0b11, 08, 1e3, .5, -.5e-3, 1.]';
    expect(yaml(numbers).value).to.deep.equal({ a: [1000, 1, -31, 3, 8, 1000, 0.5, -0.0005, 1] });
    const texts = ['_1', '0x', '1.2.3', '.', '1e', '+', '0b2', 'nUll', 'tRue'];
    expect(yaml(`a: [${texts.join(', ')}]`).value).to.deep.equal({ a: texts });
  });

  it('obeys tags that have a JSON form, ignores those of applications, and refuses others', () => {
    const text =
      'a: !!str 1\nb: !!int "0x10"\nc: !<tag:yaml.org,2002:bool> "yes"\nd: !mine 2\ne: !!float 3\nf: !!null ""';
    expect(yaml(text).value).to.deep.equal({ a: '1', b: 16, c: true, d: '2', e: 3, f: null });
    expect(yaml('a: !!map {}\nb: !!seq []\nc: !mine []').value).to.deep.equal({ a: {}, b: [], c: [] });
    for (const wrong of ['!!int 1.5', '!!binary aGk=', '!!bool 2', '!!set {a}', '!!omap [a: 1]', '!!constructor x']) {
      expect(refusal(() => yaml(`a: ${wrong}`))).to.include('the body is not valid YAML');
    }
    expect(refusal(() => yaml('%TAG !! tag:x,2000:\n---\na: 1'))).to.include('%TAG');
  });

  it('finds the anchor that is last before an alias, also where the alias is repeated', () => {
    expect(yaml('- &a 1\n- &b [*a]\n- &a 2\n- *b\n- *a\n- {*a : x}').value).to.deep.equal([
      1,
      [1],
      2,
      [1],
      2,
      { 2: 'x' },
    ]);
  });

  it('is null without content', () => {
    for (const text of ['# nothing', '---', '--- # nothing', '~']) expect(yaml(text).value, text).to.equal(null);
  });

  it('keeps the text of keys', () => {
    expect(yaml('gridPos: {x: 1, y: 2}\n1: a\ntrue: b\n"on": c').value).to.deep.equal({
      gridPos: { x: 1, y: 2 },
      '1': 'a',
      true: 'b',
      on: 'c',
    });
  });

  it('reports repeated keys by path and keeps the last value', () => {
    expect(yaml('a: 1\na: 2\nb:\n  - {c: 1, c: 2}')).to.deep.equal({
      value: { a: 2, b: [{ c: 2 }] },
      duplicates: ['a', 'b[0].c'],
    });
  });

  it('expands aliases and merge keys into values of their own', () => {
    const { value } = yaml('x: &x {a: 1, b: {c: 2}}\ny:\n  <<: *x\n  a: 3\nz: *x');
    expect(value).to.deep.equal({ x: { a: 1, b: { c: 2 } }, y: { a: 3, b: { c: 2 } }, z: { a: 1, b: { c: 2 } } });
    const object = value as { x: { b: object }; z: { b: object } };
    expect(object.x.b).to.not.equal(object.z.b);
  });

  // Promise: security work
  it('refuses aliases that expand too much, that refer to themselves, or that refer to nothing', () => {
    const bomb = [
      'a: &a0 [x]',
      ...Array.from({ length: 9 }, (_, i) => `b${i}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`),
    ].join('\n');
    expect(refusal(() => yaml(bomb))).to.include('more than 100 YAML aliases');
    expect(refusal(() => yaml('&a [*a]'))).to.include('deeper than 100 levels');
    expect(refusal(() => yaml('a: *b'))).to.include('*b');
    const wide = `a: &a [${'x,'.repeat(10_000)}x]\nb: [${'*a, '.repeat(50)}]`;
    expect(() => yaml(wide))
      .to.throw(ApiError, 'repeat more than 10000 values')
      .with.property('code', 413);
    const long = `a: &a ${'x'.repeat(2 ** 20)}\nb: [*a, *a, *a, *a, *a]`;
    expect(() => yaml(long))
      .to.throw(ApiError, 'or 4194304 characters')
      .with.property('code', 413);
  });

  // Promise: security work
  it('limits the depth of every kind of nesting before it recurses', () => {
    for (const opening of ['- ', '[', '? ', '{a: ', '{"a":']) {
      expect(refusal(() => yaml(opening.repeat(5000)))).to.include('nested deeper than 100 levels');
    }
  });

  it('reports the position of a mistake, and refuses several documents', () => {
    expect(refusal(() => yaml('a: 1\nb: "x'))).to.match(/^the body is not valid YAML: line 2, column \d+: /);
    expect(refusal(() => yaml('a: 1\n---\nb: 2'))).to.include('one YAML document');
    expect(refusal(() => yaml('a: .inf'))).to.equal('a has no JSON form: Infinity');
    expect(refusal(() => yaml('? [a]\n: 1'))).to.include('must be scalars');
    expect(refusal(() => yaml('x:\n  __proto__: 1'))).to.include('__proto__');
  });
});

describe('a large document that is decoded ahead', () => {
  const many = (count: number, part: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => part(index)).join(',');
  const documents = {
    names: `{${many(44_000, (i) => `"name ${i}": ${i}`)}}`,
    'repeated names': `{${many(20_000, (i) => `"name ${i % 50}": ${i}`)}}`,
    objects: `[${many(11_000, (i) => `{"a": "a text of some characters ${i}", "b": [${i}.5, null, true, false, -0]}`)}]`,
    'one text': `{"a": "${'ä🙂'.repeat(400_000)}"}`,
    escapes: `["${'\\u00e9\\"'.repeat(200_000)}"]`,
    'large integers': `[${many(20_000, (i) => `${9_007_199_254_740_993n + BigInt(i)}`)}]`,
    'a fault': `{"a": [${many(20_000, (i) => `\n${i}`)}],}`,
    'no end': `[${many(20_000, (i) => `${i}`)}`,
    __proto__: `[${many(20_000, (i) => `${i}`)}, {"__proto__": 1}]`,
    'a number without a place': `[${many(20_000, (i) => `${i}`)}, 1e999]`,
    'a fault after blanks': `[1${' \n'.repeat(600_000)}x]`,
    'a fault in a long text': `["${'a'.repeat(2 ** 20)}\\x"]`,
    'a long text without an end': `["${'a\\"'.repeat(2 ** 19)}`,
    'a long number': `[${many(20_000, (i) => `${i}`)}, ${'1'.repeat(20_000)}]`,
    'only blanks': ' '.repeat(2 ** 20),
    'a long word': 'a'.repeat(2 ** 20),
    'too many values': `[${many(50_000, () => '1')}]`,
    'too deep': `[${many(20_000, () => '1')}, ${'['.repeat(200)}${']'.repeat(200)}]`,
  };
  const outcome = (bytes: Uint8Array): Decoded | string => {
    try {
      return decodeJson(bytes);
    } catch (error) {
      return String(error);
    }
  };

  for (const [name, text] of Object.entries(documents)) {
    it(`is what it is without that: ${name}`, () => {
      const bytes = Buffer.from(text);
      const expected = outcome(Buffer.from(text));
      runSteps(decodeAhead(bytes));
      expect(outcome(bytes)).to.deep.equal(expected);
    });
  }

  it('is not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from(`["${'a'.repeat(2 ** 20)}`), Buffer.from([0xff]), Buffer.from('"]')]);
    runSteps(decodeAhead(bytes));
    expect(outcome(bytes)).to.contain('not valid UTF-8');
  });

  it('has the limits of whoever decodes it, and those that it was decoded with', () => {
    const bytes = Buffer.from(documents.names);
    runSteps(decodeAhead(bytes));
    expect(() => decodeJson(bytes, { depth: 100, values: 25_000 })).to.throw('25000 values');
    expect(() => decodeJson(bytes, { depth: 0, values: 45_000 })).to.throw();
    const many = Buffer.from(documents['too many values']);
    runSteps(decodeAhead(many, limitsOf(2 ** 20)));
    expect(decodeJson(many, limitsOf(2 ** 20)).value).to.have.length(50_000);
    expect(() => decodeJson(many)).to.throw('45000 values');
  });

  it('is searched for a fault in steps', () => {
    const bytes = 2 ** 22;
    // The bytes are counted and made text in 16 steps each.
    for (const text of [
      `1${'\n'.repeat(bytes)}x`,
      ' '.repeat(bytes),
      `["${'a'.repeat(bytes)}"x`,
      `{"a"${' '.repeat(bytes)}x`,
    ])
      expect([...decodeAhead(Buffer.from(text))].length, text.slice(0, 5)).to.be.greaterThan(60);
  });

  it('is read in steps of few bytes and values', () => {
    const stepsOf = (text: string): number => [...decodeAhead(Buffer.from(text))].length;
    expect(stepsOf(documents.names)).to.be.greaterThan(20);
    expect(stepsOf(`{"a": [${many(100, () => `"${'a'.repeat(100_000)}"`)}]}`)).to.be.greaterThan(100);
    expect(stepsOf('{"a": 1}')).to.equal(0);
  });
});
