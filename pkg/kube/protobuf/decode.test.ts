import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../json/limits.js';
import { ApiError } from '../status/status.js';
import { decodeKubernetesProtobuf } from './decode.js';
import { bytesField, text } from './encode.js';

interface Fixture {
  readonly name: string;
  readonly bytes: Buffer;
  readonly json: { readonly kind: string; readonly apiVersion: string };
}

/**
 * Written by the encoders of k8s.io/api v0.37.2. Each line has the name of the case, the bytes in hex, and Go's JSON of
 * the same object.
 */
const fixtures: readonly Fixture[] = readFileSync(new URL('./testdata/k8s-api-v0.37.2.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', hex = '', json = ''] = line.split('\t');
    return { name, bytes: Buffer.from(hex, 'hex'), json: JSON.parse(json) as Fixture['json'] };
  });
const named = (name: string): readonly Fixture[] => fixtures.filter((fixture) => fixture.name === name);

/** Go writes null for absent lists, maps and times. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNulls(member)]));
}

function refusal(bytes: Uint8Array): ApiError {
  try {
    decodeKubernetesProtobuf(bytes);
  } catch (error) {
    expect(error).to.be.instanceOf(ApiError);
    return error as ApiError;
  }
  throw new Error('nothing was refused');
}

/** All members and items, at any depth. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + 1 + valuesIn(member), 0);
}

const MAGIC = [0x6b, 0x38, 0x73, 0x00];
/** v1 DeleteOptions with these bytes as the message. */
const deleteOptions = (...raw: number[]): Uint8Array => typed('v1', 'DeleteOptions', Buffer.from(raw));

function typed(apiVersion: string, kind: string, message: Uint8Array): Uint8Array {
  const typeMeta = Buffer.concat([text(1)(apiVersion), text(2)(kind)]);
  return Buffer.concat([Buffer.from(MAGIC), bytesField(1, typeMeta), bytesField(2, message)]);
}

describe('decodeKubernetesProtobuf', () => {
  for (const { bytes, json } of named('full')) {
    // Promise: contract 1.6
    it(`reads every field of ${json.apiVersion} ${json.kind}`, () => {
      expect(decodeKubernetesProtobuf(bytes)).to.deep.equal(withoutNulls(json));
    });
  }

  for (const { bytes, json } of named('empty')) {
    it(`reads an empty ${json.apiVersion} ${json.kind}`, () => {
      expect(decodeKubernetesProtobuf(bytes)).to.deep.equal(withoutNulls(json));
    });
  }

  // Promise: contract 5.8
  it('keeps the zero of an optional field: a grace period of 0 differs from none', () => {
    const zeros = named('zero');
    expect(zeros).to.have.length(1);
    for (const { bytes, json } of zeros) expect(decodeKubernetesProtobuf(bytes)).to.deep.equal(json);
  });

  // Promise: contract 1.6
  it('reads the review that kubectl auth can-i sends', () => {
    const [canI] = named('can-i');
    expect(decodeKubernetesProtobuf(canI?.bytes ?? Buffer.alloc(0))).to.deep.equal({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: {
        resourceAttributes: { namespace: 'default', verb: 'list', group: 'folder.svc.app', resource: 'folders' },
      },
      status: { allowed: false },
    });
  });

  it('answers 415 for a kind without a message', () => {
    const [pod] = named('unknown');
    expect(refusal(pod?.bytes ?? Buffer.alloc(0)).code).to.equal(415);
  });

  it('skips unknown fields of any wire type', () => {
    const unknown = [0x78, 1, 0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7a, 1, 9, 0x7d, 1, 2, 3, 4];
    expect(decodeKubernetesProtobuf(deleteOptions(...unknown, 0x18, 1))).to.deep.equal({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      orphanDependents: true,
    });
  });

  it('reads negative numbers', () => {
    const minusOne = [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    expect(decodeKubernetesProtobuf(deleteOptions(...minusOne))).to.have.property('gracePeriodSeconds', -1);
  });

  it('refuses malformed bytes with 400 and says what is wrong', () => {
    expect(refusal(Buffer.from('{"kind":"DeleteOptions"}')).message).to.include('does not begin with "k8s"');
    expect(refusal(new Uint8Array()).code).to.equal(400);
    expect(refusal(deleteOptions(0x22, 5, 0x61)).message).to.include('longer than what holds it');
    expect(refusal(deleteOptions(0x22, 1, 0xff)).message).to.include('not valid UTF-8');
    const long = Array.from({ length: 11 }, () => 0xff);
    expect(refusal(deleteOptions(0x08, ...long)).message).to.include('invalid varint');
    expect(refusal(deleteOptions(0x0e)).message).to.include('invalid wire type 6');
    expect(refusal(deleteOptions(0x00)).message).to.include('no field 0');
    expect(refusal(deleteOptions(0x0b)).code).to.equal(400);
  });

  it('refuses messages that are nested too deeply, and more fields than an object can have', () => {
    let schema: Uint8Array = new Uint8Array();
    const inside = bytesField;
    for (let i = 0; i < 200; i++) schema = inside(28, schema);
    const version = inside(4, inside(1, schema));
    const definition = typed('apiextensions.k8s.io/v1', 'CustomResourceDefinition', inside(2, inside(7, version)));
    expect(refusal(definition).message).to.include('max depth');
    const zeros = Buffer.alloc(2_000_000, Buffer.from([0x08, 0]));
    expect(refusal(typed('v1', 'DeleteOptions', zeros)).code).to.equal(413);
    const groups = Buffer.alloc(1_000_000, 0x7b);
    expect(refusal(typed('v1', 'DeleteOptions', groups)).code).to.equal(400);
  });

  // Promise: security work
  it('refuses too many values before it makes anything of them', () => {
    const many = 45_001;
    const isNoText = Buffer.from([0xff]);
    const lists = Buffer.concat([bytesField(14, isNoText), Buffer.alloc(3 * many, text(14)('a'))]);
    const owners = Buffer.concat([bytesField(14, isNoText), Buffer.alloc(2 * many, bytesField(13, Buffer.alloc(0)))]);
    const labels = Array.from({ length: many }, (_, i) => bytesField(11, text(1)(`k${i}`)));
    const map = Buffer.concat([bytesField(14, isNoText), ...labels]);
    for (const metadata of [lists, owners, map]) {
      const { code } = refusal(typed('coordination.k8s.io/v1', 'Lease', bytesField(1, metadata)));
      expect(code).to.equal(413);
    }
  });

  it('counts no more values than the object has', () => {
    for (const { bytes, json } of [...named('full'), ...named('empty'), ...named('zero'), ...named('can-i')]) {
      // What is around the object has four.
      const values = Math.max(valuesIn(decodeKubernetesProtobuf(bytes)), 4);
      const limits = { ...DEFAULT_LIMITS, values };
      expect(() => decodeKubernetesProtobuf(bytes, limits), `${json.kind} with ${values} values`).not.to.throw();
    }
  });

  it('refuses compressed content and content that is not protobuf', () => {
    const bytes = [...deleteOptions()];
    expect(refusal(Uint8Array.from([...bytes, 0x1a, 4, ...Buffer.from('gzip')])).message).to.include(
      'content encoding',
    );
    expect(refusal(Uint8Array.from([...bytes, 0x22, 4, ...Buffer.from('json')])).message).to.include('not protobuf');
  });

  it('fails only with an ApiError when a message is cut off or damaged', () => {
    const some = fc.constantFrom(...fixtures);
    fc.assert(
      fc.property(some, fc.nat(), fc.nat(), fc.nat(255), ({ bytes }, end, at, byte) => {
        const damaged = Buffer.from(bytes.subarray(0, 4 + (end % bytes.length)));
        damaged[at % damaged.length] = byte;
        try {
          decodeKubernetesProtobuf(damaged);
        } catch (error) {
          expect(error, String(error)).to.be.instanceOf(ApiError);
          expect([400, 415]).to.include((error as ApiError).code);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
