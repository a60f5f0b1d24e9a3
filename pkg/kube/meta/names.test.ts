import { expect } from 'chai';
import fc from 'fast-check';
import {
  dns1123SubdomainProblems,
  generateName,
  labelValueProblems,
  nameProblems,
  qualifiedNameProblems,
} from './names.js';

// The patterns that Kubernetes documents. They are safe here because the texts are short.
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAME_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const text = fc.string({ unit: fc.constantFrom('a', 'Z', '0', '-', '_', '.', '/', ' ', '\n', 'é'), maxLength: 12 });
const valid = (problems: readonly string[]): boolean => problems.length === 0;

describe('names', () => {
  // Promise: contract 5.1
  it('accept exactly what the documented patterns of Kubernetes accept', () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(valid(dns1123SubdomainProblems(name))).to.equal(SUBDOMAIN.test(name));
        expect(valid(labelValueProblems(name))).to.equal(name === '' || NAME_PART.test(name));
      }),
      { numRuns: 1000 },
    );
  });

  it('accept qualified names with and without a subdomain as prefix', () => {
    fc.assert(
      fc.property(text, (name) => {
        const parts = name.split('/');
        const prefixed = parts.length === 2 && SUBDOMAIN.test(parts[0] ?? '') && NAME_PART.test(parts[1] ?? '');
        expect(valid(qualifiedNameProblems(name))).to.equal(prefixed || (parts.length === 1 && NAME_PART.test(name)));
      }),
      { numRuns: 1000 },
    );
  });

  it('have a maximum length, which the message tells', () => {
    expect(dns1123SubdomainProblems('a'.repeat(253))).to.deep.equal([]);
    expect(dns1123SubdomainProblems('a'.repeat(254))).to.deep.equal(['must be no more than 253 characters']);
    expect(labelValueProblems('a'.repeat(64))).to.deep.equal(['must be no more than 63 bytes']);
    expect(qualifiedNameProblems('a'.repeat(64))).to.deep.equal(['name part must be no more than 63 bytes']);
    expect(nameProblems('a'.repeat(41), { maxLength: 40 })).to.deep.equal(['must be no more than 40 characters']);
  });

  it('are refused in Kubernetes’ words', () => {
    expect(dns1123SubdomainProblems('A_')).to.deep.equal([
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ]);
    expect(qualifiedNameProblems('/b')).to.deep.equal(['prefix part must be non-empty']);
    expect(qualifiedNameProblems('')[0]).to.equal('name part must be non-empty');
    expect(qualifiedNameProblems('a/b/c')[0]).to.match(
      /^a valid label key must consist of .* with an optional DNS subdomain prefix and '\/'/,
    );
    expect(labelValueProblems('-b')[0]).to.match(/^a valid label must be an empty string or consist of .*'12345'/);
  });

  it("must match a kind's own pattern as a whole, and must fit into a path", () => {
    const rule = { maxLength: 40, pattern: /[A-Za-z0-9_-]+/g, patternMessage: 'letters, digits, - and _ only' };
    expect(nameProblems('Ab_-9', rule)).to.deep.equal([]);
    expect(nameProblems('Ab_-9', rule)).to.deep.equal([]);
    expect(nameProblems('a b', rule)).to.deep.equal(['letters, digits, - and _ only']);
    expect(nameProblems('', rule)).to.deep.equal(['must not be empty']);
    for (const name of ['..', '.', 'a/b', 'a%2fb']) {
      expect(nameProblems(name, { pattern: /^.*$/ }), name).to.have.length(1);
    }
  });
});

describe('generateName', () => {
  it('keeps the prefix, cut so that five characters fit', () => {
    const first = (): number => 0;
    expect(generateName('folder-', 63, first)).to.equal('folder-bbbbb');
    expect(generateName('x'.repeat(70), 63, first)).to.equal(`${'x'.repeat(58)}bbbbb`);
    expect(generateName('x'.repeat(70), 40, first)).to.equal(`${'x'.repeat(35)}bbbbb`);
  });

  it('uses all characters of the alphabet, which has no vowels', () => {
    const drawn = Array.from({ length: 27 }, (_, i) => generateName('', 63, () => i).charAt(0));
    expect(drawn.join('')).to.equal('bcdfghjklmnpqrstvwxz2456789');
    const draws = [0, 26, 1, 25, 2];
    expect(generateName('a-', 63, () => draws.shift() ?? 0)).to.equal('a-b9c8d');
  });

  it('makes a valid name of any valid prefix, even one that ends with a dash', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,80}$/),
        fc.nat(26),
        fc.integer({ min: 5, max: 63 }),
        (prefix, n, max) => {
          const name = generateName(prefix, max, () => n);
          expect(nameProblems(name, { maxLength: max })).to.deep.equal([]);
        },
      ),
    );
  });
});
