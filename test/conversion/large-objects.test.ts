import { expect } from 'chai';
import { versionOf } from '../../apis/apiextensions/customresource/versions.js';
import { WebhookConverter } from '../../apis/apiextensions/customresource/webhook/converter.js';
import type { ApiRequest } from '../../pkg/http/handler.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { runSteps, type Steps } from '../../pkg/system/yielding/steps.js';
import { Memo } from '../../registry/client/memo.js';
import {
  convertedBytes,
  servedObject,
  servedSteps,
  storedObject,
  storedSteps,
} from '../../registry/kinds/conversion.js';
import { servedBytesInSteps } from '../../registry/kinds/served-ahead.js';
import { objectOf } from '../../registry/read/reader.js';
import { renderObject, renderSteps } from '../../registry/rest/answer/render.js';
import type { VerbTarget } from '../../registry/rest/verb.js';
import { Retry } from '../../registry/signals/retry.js';
import { openMemory } from '../../storage/memory/backend.js';
import { bodyOf } from '../harness/resource.js';
import { openServer, type Server } from '../harness/server.js';
import { define, NAME, stored, version, widget, widgets } from './definitions.js';

const text = { type: 'string' };
const parts = (more: object) => ({
  title: text,
  parts: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' }, ...more } } },
});
const LARGE = {
  title: 'large',
  parts: Array.from({ length: 30_000 }, (_, id) => ({ id, text: `part ${id} of a large object` })),
};

describe('a large custom object for a conversion webhook', () => {
  it('is written, hashed and fitted in steps', () => {
    const versionWith = (name: string) => versionOf(version(name, parts({ text })), 'example.com');
    const asked: unknown[] = [];
    const call = async (review: unknown) => void asked.push(review);
    const converter = new WebhookConverter(call, 'v1', new Memo(2 ** 20));
    const object = { ...widget('v1', 'a', LARGE) } as unknown as KubeObject;
    const stepsOf = (work: Steps<KubeObject>): number => {
      let count = 1;
      try {
        for (; work.next().done !== true; ) count++;
      } catch (error) {
        expect(error).to.be.instanceOf(Retry);
      }
      return count;
    };
    expect(stepsOf(converter.steps(versionWith('v2'), object)), 'to ask').to.be.greaterThan(20);
    expect(stepsOf(converter.steps(versionWith('v1'), object)), 'the same version').to.be.greaterThan(10);
    expect(asked).to.deep.equal([]);
  });
});

describe('a large custom object of another version', function suite() {
  this.timeout(60_000);
  let server: Server;
  before(async () => {
    server = await openServer(openMemory());
    const versions = [stored(version('v1', parts({ text }))), version('v2', parts({ text })), version('v3', parts({}))];
    expect((await define(server, versions)).status).to.equal(201);
    bodyOf(await server.call('POST', widgets('v1'), { body: widget('v1', 'a', LARGE) }), 201);
  });
  after(() => server.close());

  const kindOf = (name: string) => {
    const found = server.api.registry.kinds.find((one) => one.qualified === NAME && one.version === name);
    if (found === undefined) throw new Error(`there is no version ${name}`);
    return found;
  };
  const entry = () => {
    const found = server.api.registry.reader.entry(NAME, 'default', 'a');
    if (found === undefined) throw new Error('there is no widget');
    return found;
  };

  it('is converted in steps, and is the same as at once', async () => {
    const object = objectOf(entry());
    for (const name of ['v2', 'v3']) {
      const kind = kindOf(name);
      const converted = runSteps(servedSteps(kind, object));
      expect(converted).to.deep.equal(servedObject(kind, object));
      expect(runSteps(storedSteps(kind, converted))).to.deep.equal(storedObject(kind, converted));
      expect([...servedSteps(kind, object)].length).to.be.greaterThan(10);
      expect([...storedSteps(kind, converted)].length).to.be.greaterThan(10);
      const bytes = await servedBytesInSteps(kind, entry());
      expect(Buffer.compare(bytes, convertedBytes(kind, entry().value))).to.equal(0);
    }
  });

  it('is the answer to a write in steps, and is the same as at once', () => {
    for (const [name, accept] of [
      ['v2', 'application/json'],
      ['v1', 'application/json;as=Table;v=v1;g=meta.k8s.io'],
    ] as const) {
      const request = {
        headers: { accept },
        query: new URLSearchParams('includeObject=Object'),
      } as unknown as ApiRequest;
      const target = { kind: kindOf(name), registry: { clock: { now: () => 0 } } } as unknown as VerbTarget;
      const { value } = entry();
      const [steps, once] = [() => renderSteps(request, target, 200, value), renderObject(request, target, 200, value)];
      const { body, ...rest } = runSteps(steps());
      expect({ ...rest, body: once.body }).to.deep.equal(once);
      expect(Buffer.compare(body as Uint8Array, once.body)).to.equal(0);
      expect([...steps()].length).to.be.greaterThan(20);
    }
  });
});
