import { expect } from 'chai';
import { migrationJob } from '../../apis/apiextensions/customresourcedefinition/migrate.js';
import { bodyOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import {
  CRDS,
  define,
  definition,
  stored,
  storedWidget,
  type TestObject,
  version,
  widget,
  widgets,
} from './definitions.js';
import {
  byWebhook,
  converted,
  type Request,
  review,
  startWebhook,
  success,
  type TestWebhook,
  V1,
  V2,
} from './webhook-server.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };
eachStore(
  'a conversion by webhook',
  (server) => {
    let webhook: TestWebhook;
    before(async () => {
      webhook = await startWebhook();
      expect((await define(server(), [stored(V1), V2], byWebhook(webhook.config))).status).to.equal(201);
    });
    beforeEach(() => {
      webhook.answer = undefined;
      webhook.delay = 0;
      webhook.requests.length = 0;
    });
    after(() => webhook.close());

    const call = (method: string, path: string, options = {}) => server().call(method, path, options);
    const at = (apiVersion: string, name: string) => `${widgets(apiVersion)}/${name}`;
    const specOf = async (path: string) => (bodyOf(await call('GET', path), 200) as unknown as TestObject).spec;
    const inStore = (name: string): TestObject => storedWidget(server(), name);
    const form = (size: string) => ({ form: { size } });

    it('creates, reads, updates, patches and applies objects in the other version', async () => {
      const made = bodyOf(await call('POST', widgets('v2'), { body: widget('v2', 'a', form('L')) }), 201);
      expect((made as unknown as TestObject).spec).to.deep.equal(form('L'));
      expect([inStore('a').apiVersion, inStore('a').spec]).to.deep.equal(['example.com/v1', { size: 'L' }]);
      expect(await specOf(at('v1', 'a'))).to.deep.equal({ size: 'L' });
      expect(await specOf(at('v2', 'a'))).to.deep.equal(form('L'));
      const body = { ...made, spec: form('M') };
      expect((bodyOf(await call('PUT', at('v2', 'a'), { body }), 200) as unknown as TestObject).spec).to.deep.equal(
        form('M'),
      );
      const patched = await call('PATCH', at('v2', 'a'), { body: { spec: form('S') }, headers: MERGE });
      expect((bodyOf(patched, 200) as unknown as TestObject).spec).to.deep.equal(form('S'));
      expect(inStore('a').spec).to.deep.equal({ size: 'S' });
      const applied = await call('PATCH', at('v2', 'a'), {
        body: widget('v2', 'a', form('X')),
        headers: { 'content-type': 'application/apply-patch+yaml' },
        query: { fieldManager: 'm', force: true },
      });
      expect((bodyOf(applied, 200) as unknown as TestObject).spec).to.deep.equal(form('X'));
      expect(inStore('a').spec).to.deep.equal({ size: 'X' });
      const generated = await call('POST', widgets('v2'), {
        body: { ...widget('v2', '', form('G')), metadata: { generateName: 'g-' } },
      });
      const { metadata } = bodyOf(generated, 201);
      expect(metadata.name).to.match(/^g-/);
      bodyOf(await call('DELETE', at('v2', metadata.name)), 200);
    });

    it('lists in batches, and selects by what is served', async () => {
      for (let i = 0; i < 130; i++) {
        const body = widget('v1', `l${i}`, { size: `n${i % 2}` });
        expect((await call('POST', widgets('v1'), { body })).status).to.equal(201);
      }
      webhook.requests.length = 0;
      const list = async (query: Readonly<Record<string, string>>) =>
        (bodyOf(await call('GET', widgets('v2'), { query }), 200) as unknown as { items: TestObject[] }).items;
      const all = await list({});
      expect(all.length).to.be.at.least(130);
      expect(webhook.requests.map(({ objects }) => objects.length)).to.have.length(2);
      expect(new Set(all.map(({ apiVersion }) => apiVersion))).to.deep.equal(new Set(['example.com/v2']));
      const odd = await list({ fieldSelector: 'spec.form.size=n1', limit: '500' });
      expect(odd.length).to.equal(65);
      expect(webhook.requests.length, 'each list asks').to.be.at.least(4);
    });

    it('shows watches the other version, and selects by it', async () => {
      const { frames } = await call('GET', widgets('v2'), {
        query: { watch: true, fieldSelector: 'spec.form.size=w' },
      });
      await call('POST', widgets('v1'), { body: widget('v1', 'w', { size: 'other' }) });
      await call('PATCH', at('v1', 'w'), { body: { spec: { size: 'w' } }, headers: MERGE });
      await call('PATCH', at('v1', 'w'), { body: { metadata: { labels: { x: 'y' } } }, headers: MERGE });
      await call('PATCH', at('v1', 'w'), { body: { spec: { size: 'other' } }, headers: MERGE });
      const events = await frames.take(3);
      expect(events.map(({ type, object }) => [type, (object as unknown as TestObject).spec])).to.deep.equal([
        ['ADDED', form('w')],
        ['MODIFIED', form('w')],
        ['DELETED', form('w')],
      ]);
      await frames.close();
    });

    it('does not let other watches and requests wait, and ends a watch with an error if it fails', async () => {
      const plain = await call('GET', widgets('v1'), { query: { watch: true, fieldSelector: 'metadata.name=slow' } });
      const late = await call('GET', widgets('v2'), { query: { watch: true, fieldSelector: 'metadata.name=slow' } });
      webhook.delay = 1500;
      const began = Date.now();
      await call('POST', widgets('v1'), { body: widget('v1', 'slow', { size: 'S' }) });
      expect((await plain.frames.next())?.type).to.equal('ADDED');
      await specOf(at('v1', 'slow'));
      expect(Date.now() - began).to.be.below(1400);
      expect((await late.frames.next())?.object).to.have.property('apiVersion', 'example.com/v2');
      expect(Date.now() - began).to.be.at.least(1400);
      webhook.delay = 0;
      webhook.answer = () => 503;
      await call('PATCH', at('v1', 'slow'), { body: { spec: { size: 'T' } }, headers: MERGE });
      const error = await late.frames.next();
      expect(error?.type).to.equal('ERROR');
      expect(error?.object).to.include({ code: 500 });
      expect((error?.object as unknown as { message: string } | undefined)?.message).to.match(
        /^conversion webhook for .* failed: /,
      );
      expect((await plain.frames.next())?.type).to.equal('MODIFIED');
      await plain.frames.close();
    });

    it('asks in the first version of ConversionReview that both sides understand', async () => {
      const versions = async (...names: readonly string[]) => {
        expect((await define(server(), [stored(V1), V2], byWebhook(webhook.config, names))).status).to.equal(200);
      };
      bodyOf(await call('POST', widgets('v1'), { body: widget('v1', 'old', { size: 'L' }) }), 201);
      // As in Kubernetes, nobody checks the type and the uid of an answer in v1beta1.
      webhook.answer = ({ objects, desiredAPIVersion }) => ({
        response: {
          result: { status: 'Success' },
          convertedObjects: objects.map((one) => converted(one, desiredAPIVersion)),
        },
      });
      await versions('v2', 'v1beta1', 'v1');
      expect(await specOf(at('v2', 'old'))).to.deep.equal(form('L'));
      await versions('v1', 'v1beta1');
      expect((await call('GET', at('v2', 'old'))).status).to.equal(500);
      webhook.answer = () => 422;
      const { message } = (await call('GET', at('v2', 'old'))).json() as unknown as { message: string };
      expect(message).to.match(/ answered with the status 422: the server rejected our request$/);
    });

    // Promise: security work
    it('refuses what the webhook does not convert, and loses nothing', async () => {
      const before = inStore('a');
      const end = await server().end();
      webhook.answer = () => review({ result: { status: 'Failed', message: 'no' } });
      const refused = (why: string): string =>
        `failed: Post "${webhook.config.url}?timeout=30s": the answer is refused: ${why}`;
      const failures: readonly [string, (request: Request) => unknown][] = [
        ['failed: no', ({ uid }) => review({ uid, result: { status: 'Failure', message: 'no' } })],
        ["failed: response.result.status was '', not 'Success'", ({ uid }) => review({ uid })],
        ['failed: no response provided', () => review(undefined)],
        ['returned 0 objects, expected 1', ({ uid }) => review({ uid, result: { status: 'Success' } })],
        ['failed: Post "https://127', () => 302],
        ['failed: Post "https://127', () => 'no JSON'],
        [refused('the body is nested deeper than 104 levels'), () => '['.repeat(200) + ']'.repeat(200)],
        [refused('Request entity too large: the body has more than'), () => `[${'1,'.repeat(2_000_000)}1]`],
        [
          'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got v1, Kind=X',
          () => ({ apiVersion: 'v1', kind: 'X' }),
        ],
      ];
      for (const [i, [words, answer]] of failures.entries()) {
        webhook.answer = answer;
        const { status, json } = await call('PUT', at('v2', 'a'), { body: widget('v2', 'a', form(`new${i}`)) });
        const { message } = json() as unknown as { message: string };
        expect([status, message]).to.deep.equal([500, message]);
        // An update first asks for the stored object in the version of the request.
        expect(message).to.include(`conversion webhook for example.com/v1, Kind=Widget ${words}`);
      }
      const change = (more: (one: TestObject) => object) => (request: Request) =>
        review({
          uid: request.uid,
          result: { status: 'Success' },
          convertedObjects: request.objects.map((one) => ({
            ...converted(one, request.desiredAPIVersion),
            ...more(one),
          })),
        });
      const wrong: readonly [string, (one: TestObject) => object][] = [
        ['must have the same name: a != b', ({ metadata }) => ({ metadata: { ...metadata, name: 'b' } })],
        ['must have the same UID: ', ({ metadata }) => ({ metadata: { ...metadata, uid: 'other' } })],
        [
          'invalid groupVersion (expected example.com/v2, received example.com/v9)',
          () => ({ apiVersion: 'example.com/v9' }),
        ],
        ['invalid kind (expected Widget, received Gadget)', () => ({ kind: 'Gadget' })],
        ['must be a string in converted object', ({ metadata }) => ({ metadata: { ...metadata, labels: { a: 1 } } })],
      ];
      for (const [i, [words, more]] of wrong.entries()) {
        webhook.answer = change(more);
        const { status, json } = await call('PUT', at('v2', 'a'), { body: widget('v2', 'a', form(`wrong${i}`)) });
        expect([status, (json() as unknown as { message: string }).message]).to.satisfy(
          ([code, message]: [number, string]) => code === 500 && message.includes(words),
          (json() as unknown as { message: string }).message,
        );
      }
      expect([inStore('a'), await server().end()]).to.deep.equal([before, end]);
    });

    it('takes labels and annotations of the webhook, and no other metadata', async () => {
      webhook.answer = (request) => {
        const { response } = success(request) as { response: { convertedObjects: TestObject[] } };
        const labelled = response.convertedObjects.map((one) => ({
          ...one,
          metadata: { ...one.metadata, labels: { by: 'webhook' }, finalizers: ['example.com/x'], generation: 99 },
        }));
        return review({ ...response, convertedObjects: labelled });
      };
      await call('POST', widgets('v1'), { body: widget('v1', 'm', { size: 'S' }) });
      const { metadata } = bodyOf(await call('GET', at('v2', 'm')), 200);
      expect([metadata.labels, metadata['finalizers' as keyof typeof metadata], metadata.generation]).to.deep.equal([
        { by: 'webhook' },
        undefined,
        1,
      ]);
    });

    it('asks once for what many want at the same time', async () => {
      await call('POST', widgets('v1'), { body: widget('v1', 'many', { size: 'S' }) });
      webhook.requests.length = 0;
      // All must have asked before the answer, also on a busy machine.
      webhook.delay = 2000;
      const answers = await Promise.all(Array.from({ length: 20 }, () => call('GET', at('v2', 'many'))));
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(webhook.requests).to.have.length(1);
    });

    it('applies many objects in one request, changes them, and removes them', async () => {
      const path = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets/many/apply';
      const apply = async (count: number, size: string) => {
        const objects = Array.from({ length: count }, (_, i) => widget('v2', `m${i}`, form(size)));
        const body = { spec: { objects, prune: { enabled: true } } };
        const answer = await call('POST', path, { body });
        expect(answer.status, answer.text).to.be.oneOf([200, 201]);
      };
      await apply(40, 'S');
      expect([inStore('m0').spec, inStore('m39').spec]).to.deep.equal([{ size: 'S' }, { size: 'S' }]);
      await apply(40, 'L');
      expect([inStore('m0').spec, inStore('m39').spec]).to.deep.equal([{ size: 'L' }, { size: 'L' }]);
      await apply(1, 'L');
      expect((await call('GET', at('v2', 'm39'))).status).to.equal(404);
    });

    it('scales objects at the path of the version that the request names', async () => {
      const scaled = (specReplicasPath: string) => ({
        subresources: { scale: { specReplicasPath, statusReplicasPath: '.status.replicas' } },
      });
      const number = { type: 'integer' };
      const versions = [
        stored(version('v1', { size: number }, scaled('.spec.size'))),
        version('v2', { form: { type: 'object', properties: { size: number } } }, scaled('.spec.form.size')),
      ];
      const body = definition(versions, byWebhook(webhook.config));
      const names = { plural: 'scalables', singular: 'scalable', kind: 'Scalable', listKind: 'ScalableList' };
      const renamed = {
        ...body,
        metadata: { name: 'scalables.example.com' },
        spec: { ...Object(body['spec']), names },
      };
      expect((await call('POST', CRDS, { body: renamed })).status).to.equal(201);
      const path = '/apis/example.com/v2/namespaces/default/scalables';
      const object = { ...widget('v2', 'one', { form: { size: 1 } }), kind: 'Scalable' };
      bodyOf(await call('POST', path, { body: object }), 201);
      const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'one' }, spec: { replicas: 3 } };
      bodyOf(await call('PUT', `${path}/one/scale`, { body: scale }), 200);
      expect(await specOf(`${path}/one`)).to.deep.equal({ form: { size: 3 } });
      bodyOf(await call('PATCH', `${path}/one/scale`, { body: { spec: { replicas: 4 } }, headers: MERGE }), 200);
      expect(await specOf(`${path}/one`)).to.deep.equal({ form: { size: 4 } });
    });

    it('is asked for at each read and write, so that no answer of an earlier webhook comes again', async () => {
      const prefix = (to: string) => (request: Request) =>
        review({
          uid: request.uid,
          result: { status: 'Success' },
          convertedObjects: request.objects.map((one) => {
            const { spec, ...rest } = converted(one, request.desiredAPIVersion);
            return { ...rest, spec: 'form' in spec ? form(`${to}-${JSON.stringify(one.spec['size'])}`) : spec };
          }),
        });
      const items = async () =>
        (bodyOf(await call('GET', widgets('v2')), 200) as unknown as { items: TestObject[] }).items.map(({ spec }) =>
          JSON.stringify(spec),
        );
      await call('POST', widgets('v1'), { body: widget('v1', 'again', { size: 'S' }) });
      for (const to of ['first', 'second']) {
        webhook.answer = prefix(to);
        for (const _ of [1, 2]) expect(JSON.stringify(await specOf(at('v2', 'again')))).to.include(to);
        const labels = { metadata: { labels: { to } } };
        const patched = bodyOf(await call('PATCH', at('v2', 'again'), { body: labels, headers: MERGE }), 200);
        expect(JSON.stringify(patched)).to.include(to);
        await call('POST', widgets('v1'), { body: widget('v1', `more-${to}`, { size: 'S' }) });
        for (const spec of await items()) expect(spec).to.include(to);
      }
      webhook.answer = () => 503;
      expect((await call('GET', at('v2', 'again'))).status, 'down').to.equal(500);
      expect((await call('GET', widgets('v2'))).status, 'down').to.equal(500);
      expect((await call('GET', at('v1', 'again'))).status, 'as it is stored').to.equal(200);
    });

    it('converts what was stored in another version, also while the webhook is away, as far as needed', async () => {
      expect((await define(server(), [V1, stored(V2)], byWebhook(webhook.config))).status).to.equal(200);
      expect(await specOf(at('v2', 'a'))).to.deep.equal(inStore('a').apiVersion.endsWith('v1') ? form('X') : {});
      expect(await specOf(at('v1', 'a'))).to.deep.equal({ size: 'X' });
      const patched = await call('PATCH', at('v1', 'a'), { body: { spec: { size: 'Z' } }, headers: MERGE });
      expect((bodyOf(patched, 200) as unknown as TestObject).spec).to.deep.equal({ size: 'Z' });
      expect([inStore('a').apiVersion, inStore('a').spec]).to.deep.equal(['example.com/v2', form('Z')]);
      webhook.answer = () => 503;
      expect((await call('DELETE', at('v1', 'many'))).status).to.equal(200);
      expect(inStore('l0').apiVersion).to.equal('example.com/v1');
      webhook.answer = undefined;
      await migrationJob(server().api.registry, 0).run(new AbortController().signal);
      expect([inStore('l0').apiVersion, inStore('l0').spec]).to.deep.equal(['example.com/v2', form('n0')]);
    });
  },
  { webhookNetworks: ['127.0.0.0/8'] },
);
