import { expect } from 'chai';
import { acceptsApply } from '../openapi/schemas.js';
import { HOUSE, LAMP, LIGHT } from '../testing/house.js';
import {
  convertedBytes,
  convertedObject,
  hiddenMembers,
  servedObject,
  storedKind,
  storedObject,
} from './conversion.js';
import type { Kind } from './kind.js';

const metadata = { name: 'a' };
const STORED = { apiVersion: LAMP.apiVersion, kind: 'Lamp', metadata, spec: { watts: 5 } };
const SHOWN = { apiVersion: LAMP.apiVersion, kind: 'Light', metadata, spec: { power: 5 } };
const bytes = Buffer.from(JSON.stringify(STORED));
const { restore: _, ...READ } = LIGHT.conversion ?? { storageKind: '', convert: (object: typeof STORED) => object };
const READ_ONLY = { ...LIGHT, conversion: READ } as Kind;

describe('an object that is stored as an object of another kind', () => {
  it('is served as its own kind, from the object or its bytes', () => {
    expect(servedObject(LIGHT, STORED)).to.deep.equal(SHOWN);
    expect(convertedObject(LIGHT, bytes)).to.deep.equal(SHOWN);
    expect(JSON.parse(Buffer.from(convertedBytes(LIGHT, bytes)).toString())).to.deep.equal(SHOWN);
  });

  it('is stored as the other kind, by the rules of that', () => {
    expect(storedObject(LIGHT, SHOWN)).to.deep.equal(STORED);
    expect(storedKind({ kinds: HOUSE }, LIGHT)).to.equal(LAMP);
    expect(storedKind({ kinds: [LIGHT, ...HOUSE] }, LIGHT)).to.equal(LAMP);
    expect(storedKind({ kinds: [] }, LIGHT)).to.equal(LIGHT);
  });

  it('keeps what its kind has no words for', () => {
    const conversion = {
      storageKind: LAMP.qualified,
      convert: (one: typeof STORED) => one,
      restore: (one: object) => one,
    };
    const wordless = {
      ...LIGHT,
      conversion: { ...conversion, hiddenDefaults: (name: string) => ({ spec: { named: name } }) },
    };
    const kind = wordless as unknown as Kind;
    const { spec: _, ...bare } = STORED;
    expect(storedObject(kind, bare)).to.deep.equal(bare);
    expect(storedObject(kind, bare, STORED)).to.deep.equal(STORED);
    expect(storedObject(kind, bare, bare)).to.deep.equal(bare);
    expect(hiddenMembers(kind.conversion?.hiddenDefaults)).to.deep.equal(['spec']);
    expect(hiddenMembers(undefined)).to.deep.equal([]);
  });

  it('can be applied only if it can be written', () => {
    expect([acceptsApply(LAMP), acceptsApply(LIGHT), acceptsApply(READ_ONLY)]).to.deep.equal([true, true, false]);
    expect(storedObject(READ_ONLY, SHOWN)).to.equal(SHOWN);
  });
});

describe('an object that is stored as it is', () => {
  it('is served and stored as it is', () => {
    expect(servedObject(LAMP, STORED)).to.equal(STORED);
    expect(convertedBytes(LAMP, bytes)).to.equal(bytes);
    expect(convertedObject(LAMP, bytes)).to.deep.equal(STORED);
    expect(storedObject(LAMP, STORED)).to.equal(STORED);
    expect(storedKind({ kinds: [] }, LAMP)).to.equal(LAMP);
    expect(storedKind({ kinds: [{ ...LAMP }, LAMP] }, LAMP)).to.equal(LAMP);
  });
});
