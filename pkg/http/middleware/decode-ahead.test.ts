import { expect } from 'chai';
import { decodeJson, decodeYaml, keptAhead } from '../../kube/json/decode.js';
import { decodeKubernetesProtobuf } from '../../kube/protobuf/decode.js';
import { encodeKubernetesProtobuf } from '../../kube/protobuf/encode-object.js';
import { PROTOBUF_MEDIA_TYPE } from '../../kube/protobuf/types.js';
import { ApiError } from '../../kube/status/status.js';
import type { Context } from '../pipeline.js';
import { Cancellation } from '../request.js';
import { decodeLargeBody } from './decode-ahead.js';
import { inFlightOf } from './in-flight.js';

/** How many turns the event loop takes before the handler has the body. */
async function turnsBefore(
  text: string | Uint8Array,
  { type = 'application/json', decode = decodeJson } = {},
): Promise<{ turns: number; value: unknown }> {
  const body = Buffer.from(text as string);
  let [turns, value, isDone] = [0, undefined as unknown, false];
  const turn = (): void => {
    if (isDone) return;
    turns++;
    setImmediate(turn);
  };
  setImmediate(turn);
  const limits = { maxInFlight: 8, maxMutatingInFlight: 4, maxWatches: 2, maxQueued: 10, requestTimeout: 20_000 };
  const mount = { isResourceApi: true };
  const headers = { 'content-type': type };
  const state = {
    body,
    mount,
    headers,
    user: { name: 'u', uid: 'u', groups: [], extra: {} },
    cancellation: new Cancellation(),
  };
  await decodeLargeBody(inFlightOf(limits))({ state } as unknown as Context, async () => {
    isDone = true;
    value = decode(body).value;
  });
  return { turns, value };
}

describe('a large body', () => {
  const names = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`name ${i}`, i]));

  it('is decoded in steps, before the handler has it', async () => {
    const { turns, value } = await turnsBefore(JSON.stringify(names));
    expect(value).to.deep.equal(names);
    expect(turns).to.be.greaterThan(20);
  });

  it('is decoded in steps if it is one text', async () => {
    const text = 'ä"'.repeat(2_000_000);
    const { turns, value } = await turnsBefore(JSON.stringify([text]));
    expect(value).to.deep.equal([text]);
    expect(turns).to.be.greaterThan(20);
  });

  it('is decoded at once if it is small', async () => {
    expect(await turnsBefore('{"a": 1}')).to.deep.equal({ turns: 0, value: { a: 1 } });
  });

  it('in protobuf is decoded in a thread, before the handler has it', async () => {
    const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`name ${i}`, `value ${i}`]));
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', generation: 9007199254740993n }, data };
    const bytes = encodeKubernetesProtobuf(map) ?? new Uint8Array();
    const decode = (body: Uint8Array) => keptAhead(body) ?? { value: 'nothing', duplicates: [] };
    const { turns, value } = await turnsBefore(bytes, { type: PROTOBUF_MEDIA_TYPE, decode });
    expect(value).to.deep.equal(decodeKubernetesProtobuf(bytes));
    expect(turns).to.be.greaterThan(20);
  });

  describe('in YAML', () => {
    const yaml = { type: 'application/yaml', decode: decodeYaml };
    const lines = Object.entries(names)
      .slice(0, 20_000)
      .map(([name, i]) => `${name}: ${i}`);
    const text = lines.join('\n');

    for (const type of ['application/yaml', 'application/apply-patch+yaml'])
      it(`is decoded in a thread, before the handler has it (${type})`, async () => {
        const { turns, value } = await turnsBefore(text, { ...yaml, type });
        expect(value).to.deep.equal(Object.fromEntries(Object.entries(names).slice(0, 20_000)));
        expect(turns).to.be.greaterThan(20);
      });

    it('keeps what it says of repeated fields and whole numbers', async () => {
      let duplicates: readonly string[] = [];
      const decode = (body: Uint8Array) => {
        const decoded = decodeYaml(body);
        ({ duplicates } = decoded);
        return decoded;
      };
      const { value } = await turnsBefore(`${text}\nx: 1\nx: 9007199254740993\n`, { ...yaml, decode });
      expect(value).to.have.property('x', 9007199254740993n);
      expect(duplicates).to.deep.equal(['x']);
    });

    it('is refused where the handler asks for it, as a small one', async () => {
      let asked: unknown;
      const decode = (body: Uint8Array) => {
        try {
          return decodeYaml(body);
        } catch (error) {
          asked = error;
          return { value: 'refused', duplicates: [] };
        }
      };
      const { turns, value } = await turnsBefore(`${text}\nx: [`, { ...yaml, decode });
      expect(value).to.equal('refused');
      expect(asked)
        .to.be.instanceOf(ApiError)
        .with.property('message')
        .that.matches(/^the body is not valid YAML: line 20001, column \d+: /);
      expect(turns).to.be.greaterThan(20);
    });

    it('is decoded in steps if it is JSON', async () => {
      const { turns, value } = await turnsBefore(JSON.stringify(names), yaml);
      expect(value).to.deep.equal(names);
      expect(turns).to.be.greaterThan(20);
    });

    it('is decoded at once if it is small', async () => {
      expect(await turnsBefore('a: 1', yaml)).to.deep.equal({ turns: 0, value: { a: 1 } });
    });
  });
});
