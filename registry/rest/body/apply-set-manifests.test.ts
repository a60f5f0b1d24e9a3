import { expect } from 'chai';
import { PART_OF } from '../../applyset/names.js';
import { inShop, type Shop, userOf } from '../testing/library.js';
import { apply, manifest, planOf, post, refusal, TYPE } from '../testing/sets.js';

describe('the objects of a request that applies many', () => {
  const wrong = (name: string, objectOf: (shop: Shop) => unknown, status: number, message: string | RegExp) =>
    it(
      `are refused ${name}`,
      inShop(async (shop) => {
        const { shelf } = shop.kinds;
        for (const objects of [[objectOf(shop)], [manifest(shelf, 'good'), objectOf(shop)]]) {
          const answer = await apply(shop, objects);
          expect(answer.status, answer.body.message).to.equal(status);
          const at = `spec.objects[${objects.length - 1}]`;
          if (typeof message === 'string') expect(answer.body.message).to.equal(`${at}${message}`);
          else expect(answer.body.message).to.match(message).and.include(at);
        }
        expect(shop.get(shelf, 'good')).to.equal(undefined);
      }),
    );

  wrong('without a type', () => ({ metadata: { name: 'a' } }), 400, ': must be an object with apiVersion and kind');
  wrong(
    'with a type that is no text',
    () => ({ apiVersion: 'v1', kind: 1 }),
    400,
    ': must be an object with apiVersion and kind',
  );
  wrong('without a name', ({ kinds }) => manifest(kinds.shelf, ''), 400, ': metadata.name: Required value');
  wrong(
    'with a name that is no text',
    ({ kinds }) => ({ ...manifest(kinds.shelf, ''), metadata: { name: 1 } }),
    400,
    ': metadata.name: Required value',
  );
  wrong(
    'without metadata',
    ({ kinds }) => ({ ...manifest(kinds.shelf, ''), metadata: null }),
    400,
    ': metadata.name: Required value',
  );
  wrong(
    'with a path as the name',
    ({ kinds }) => manifest(kinds.shelf, 'a/b'),
    400,
    ': metadata.name and metadata.namespace must be names',
  );
  wrong(
    'with a path as the namespace',
    ({ kinds }) => manifest(kinds.shelf, 'a', {}, { namespace: 'a/b' }),
    400,
    ': metadata.name and metadata.namespace must be names',
  );
  wrong(
    'with a name that is too long',
    ({ kinds }) => manifest(kinds.shelf, 'x'.repeat(254)),
    400,
    ': metadata.name and metadata.namespace must be names',
  );
  wrong(
    'with a namespace that is no text',
    ({ kinds }) => manifest(kinds.shelf, 'a', {}, { namespace: 1 }),
    400,
    ': metadata.name and metadata.namespace must be names',
  );
  wrong(
    'of a kind that is not there',
    ({ kinds }) => ({ ...manifest(kinds.shelf, 'a'), kind: 'Door' }),
    400,
    ': no matches for kind "Door" in version "library.svc.app/v1"; if a definition makes it, apply the definition first',
  );
  wrong(
    'of a kind that is not served',
    ({ kinds }) => manifest(kinds.lock, 'a'),
    400,
    ': no matches for kind "Lock" in version "library.svc.app/v1"; if a definition makes it, apply the definition first',
  );
  wrong(
    'with the label of another set',
    ({ kinds }) => manifest(kinds.shelf, 'a', {}, { labels: { [PART_OF]: 'other' } }),
    400,
    ` (Shelf "a"): the label ${PART_OF} names another set; leave it out`,
  );
  wrong('that are invalid', ({ kinds }) => manifest(kinds.shelf, 'a', { x: 1 }), 422, /Shelf/);
  wrong('that are nothing', () => null, 400, /spec\.objects/);

  it(
    'may have the name and the label that they need',
    inShop(async (shop) => {
      const { shelf } = shop.kinds;
      expect((await apply(shop, [manifest(shelf, 'x'.repeat(253))])).status).to.be.oneOf([201, 422]);
      await apply(shop, [manifest(shelf, 'a')]);
      const labels = shop.get(shelf, 'a')?.metadata.labels ?? {};
      expect(planOf(await apply(shop, [manifest(shelf, 'a', {}, { labels })]))).to.deep.equal(['unchanged Shelf a']);
    }),
  );

  it(
    'are refused if one is there twice, or is of a kind that cannot be applied',
    inShop(async (shop) => {
      const { shelf } = shop.kinds;
      const objects = [manifest(shelf, 'a'), manifest(shelf, 'b'), manifest(shelf, 'a', {}, { namespace: 'default' })];
      expect(await refusal(apply(shop, objects))).to.deep.equal([
        400,
        'spec.objects[2] (Shelf "a"): the same object as spec.objects[0]',
      ]);
    }),
  );

  it(
    'are refused if they are no JSON, or the body has them twice',
    inShop(async (shop) => {
      const head = '{"apiVersion":"apply.svc.app/v1beta1","kind":"ApplyRequest",';
      const [status, message] = await refusal(post(shop, `${head}"spec":{"objects":[{"a":1},{"a" 1}]}}`));
      expect(status).to.equal(400);
      expect(message).to.include('spec.objects[');
      for (const rest of ['"spec":{"objects":[],"objects":[]}}', '"spec":{"objects":[]},"spec":{}}'])
        expect((await post(shop, head + rest)).status, rest).to.equal(400);
      const many = `${head}"spec":{"objects":[${Array(10_001).fill('{}').join(',')}]}}`;
      expect(await refusal(post(shop, many))).to.deep.equal([
        400,
        'spec.objects: Too many: must have at most 10000 items',
      ]);
      expect((await post(shop, '{')).status).to.equal(400);
      expect(
        (await post(shop, { ...TYPE, spec: { objects: [], extra: 1 } }, { query: 'fieldValidation=Strict' })).status,
      ).to.equal(400);
    }),
  );

  it(
    'may be YAML, also one that looks like JSON in parts',
    inShop(async (shop) => {
      const { shelf } = shop.kinds;
      const objects = `[{apiVersion: ${shelf.apiVersion}, kind: Shelf, metadata: {name: a}, spec: {x: '1'}}]`;
      for (const spec of [`{"objects": ${objects}}`, `\n  objects: ${objects}`]) {
        const body = `"apiVersion": ${TYPE.apiVersion}\n"kind": ${TYPE.kind}\n"spec": ${spec}\n`;
        const answer = await post(shop, body, { headers: { 'content-type': 'application/yaml' } });
        expect(planOf(answer), body).to.have.length(1);
        expect(shop.get(shelf, 'a')?.spec).to.deep.equal({ x: '1' });
      }
      const flow = `{"apiVersion": ${TYPE.apiVersion}, "kind": ${TYPE.kind}, "spec": {"objects": ${objects}}}`;
      const answer = await post(shop, flow, { headers: { 'content-type': 'application/yaml' } });
      expect(planOf(answer)).to.deep.equal(['unchanged Shelf a']);
    }),
  );

  it(
    'come with warnings that name them, at most a hundred',
    inShop(async (shop) => {
      const { shelf } = shop.kinds;
      const annotations = { 'svc.app/none': 'x' };
      const { headers } = await apply(shop, [manifest(shelf, 'a', {}, { annotations, none: 1 })]);
      expect(headers['warning']).to.have.length(2);
      expect(headers['warning']?.[0]).to.match(/^299 - "spec\.objects\[0\] \(Shelf \\"a\\"\): unknown field/);
      expect(headers['warning']?.[1]).to.include('svc.app/none');
      const strict = await refusal(
        apply(shop, [manifest(shelf, 'b', {}, { none: 1 })], { query: 'fieldValidation=Strict' }),
      );
      expect(strict[0]).to.equal(400);
      const twice = JSON.stringify({ ...TYPE, spec: { objects: [manifest(shelf, 'c', { x: '1' })] } });
      const doubled = await post(shop, twice.replace('"x":"1"', '"x":"1","x":"1"'));
      expect(doubled.headers['warning']?.[0]).to.include('duplicate field');
    }),
  );

  it(
    'are refused for a kind that the caller may not write at all, by the first of them',
    inShop(async (shop) => {
      const { shelf, writer } = shop.kinds;
      const user = userOf(
        shop,
        'applysets:write *',
        'applysets:create *',
        'applysets:read *',
        'shelves:create *',
        'shelves:write *',
      );
      const objects = [manifest(shelf, 'a'), manifest(writer, 'b'), manifest(writer, 'c')];
      const [status, message] = await refusal(apply(shop, objects, { user }));
      expect(status).to.equal(403);
      expect(message).to.match(/^spec\.objects\[1\] \(Writer "b"\): .*writers:write/);
    }),
  );

  it(
    'are compared with what was applied before with the same options only',
    inShop(async (shop) => {
      const { shelf } = shop.kinds;
      const sent = () => [manifest(shelf, 'a', { x: '1' }, { none: 1 })];
      await apply(shop, sent());
      expect((await apply(shop, sent())).status).to.equal(200);
      expect((await apply(shop, sent(), { query: 'fieldValidation=Strict' })).status).to.equal(400);
      const other = await apply(shop, sent(), { query: 'fieldManager=other' });
      expect(planOf(other)).to.deep.equal(['configured Shelf a']);
    }),
  );

  it(
    'of kinds that cannot be patched cannot be applied',
    inShop(
      async (shop) => {
        const { writer } = shop.kinds;
        expect(await refusal(apply(shop, [manifest(writer, 'a')]))).to.deep.equal([
          400,
          'spec.objects[0] (Writer "a"): objects of this kind cannot be applied',
        ]);
      },
      { kinds: { writer: { verbs: ['get', 'list'] } } },
    ),
  );

  it(
    'are refused with a type of any length, but not repeat it',
    inShop(async (shop) => {
      const long = 'x'.repeat(10_000);
      const answer = await apply(shop, [{ apiVersion: long, kind: long, metadata: { name: 'a' } }]);
      expect([answer.status, answer.body.message.length < 800]).to.deep.equal([400, true]);
      expect((await apply(shop, [{ apiVersion: 1, kind: 'Shelf', metadata: { name: 'a' } }])).body.message).to.equal(
        'spec.objects[0]: must be an object with apiVersion and kind',
      );
    }),
  );

  it(
    'may be many',
    inShop(async (shop) => {
      const { shelf } = shop.kinds;
      const objects = Array.from({ length: 150 }, (_, i) =>
        manifest(shelf, `n${i}`, {}, { annotations: { 'svc.app/none': 'x' } }),
      );
      const answer = await apply(shop, objects, { headers: { 'content-type': 'application/json' } });
      expect(planOf(answer)).to.have.length(150);
      // Headers have room for some of the warnings only.
      expect(answer.headers['warning']?.length).to.be.within(10, 100);
    }),
  );
});
