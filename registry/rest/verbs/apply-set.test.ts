import { expect } from 'chai';
import { PART_OF } from '../../applyset/names.js';
import { inShop, userOf } from '../testing/library.js';
import { apply, manifest, path, planOf, post, refusal, statusOf, TYPE } from '../testing/sets.js';

describe('the status of a set', () => {
  it(
    'is read, and written by nobody but the server',
    inShop(async (shop) => {
      await apply(shop, [manifest(shop.kinds.shelf, 'a')]);
      const at = path(shop, 'fleet', 'status');
      const read = await shop.send('GET', at);
      expect([read.status, read.body.status]).to.deep.equal([200, shop.get(shop.kinds.set, 'fleet')?.status]);
      for (const method of ['PUT', 'PATCH'])
        expect((await shop.send(method, at, { body: read.body })).status, method).to.equal(405);
    }),
  );
});

describe('a request that applies many objects', () => {
  it(
    'answers with what it did, and creates the set',
    inShop(async (shop) => {
      const { shelf, writer, slip, set } = shop.kinds;
      const objects = [manifest(shelf, 'top', { x: '1' }), manifest(writer, 'ann'), manifest(slip, 's')];
      const made = await apply(shop, objects);
      expect([made.status, made.body.kind, made.body.apiVersion]).to.deep.equal([
        201,
        'ApplyRequest',
        'apply.svc.app/v1beta1',
      ]);
      expect(made.body.metadata).to.deep.equal({ name: 'fleet', namespace: 'default' });
      expect(planOf(made)).to.deep.equal(['created Shelf top', 'created Writer ann', 'created Slip s']);
      expect(statusOf(made).summary).to.deep.equal({
        created: 3,
        configured: 0,
        unchanged: 0,
        pruned: 0,
        conflicts: 0,
      });
      expect(statusOf(made).resourceVersion).to.equal(String(shop.registry.cacher.state.revision));
      expect(shop.get(set, 'fleet')).to.not.equal(undefined);
      const again = await apply(shop, [manifest(shelf, 'top', { x: '2' }), ...objects.slice(1)]);
      expect(again.status).to.equal(200);
      expect(planOf(again)).to.deep.equal(['configured Shelf top', 'unchanged Writer ann', 'unchanged Slip s']);
      expect(shop.get(shelf, 'top')?.spec).to.deep.equal({ x: '2' });
    }),
  );

  it(
    'gives each object the label and the manager of the set',
    inShop(async (shop) => {
      const { shelf } = shop.kinds;
      await apply(shop, [manifest(shelf, 'top', {}, { labels: { own: 'x' } })]);
      const first = shop.get(shelf, 'top')?.metadata;
      expect(first?.labels?.[PART_OF]).to.match(/^applyset-.*-v1$/);
      expect(first?.labels?.['own']).to.equal('x');
      expect(first?.managedFields?.map(({ manager }) => manager)).to.deep.equal(['applyset-fleet']);
      await apply(shop, [manifest(shelf, 'low')], { query: 'fieldManager=me' });
      expect(shop.get(shelf, 'low')?.metadata.managedFields?.map(({ manager }) => manager)).to.deep.equal(['me']);
      const long = 'x'.repeat(150);
      const body = { ...TYPE, spec: { objects: [manifest(shelf, 'far')] } };
      const answer = await post(shop, body, {}, long);
      expect(answer.status).to.be.below(300);
      const [entry] = shop.get(shelf, 'far')?.metadata.managedFields ?? [];
      expect(entry?.manager).to.equal(`applyset-${long}`.slice(0, 128));
    }),
  );

  it(
    'has the members in the namespace of the set, unless they say another',
    inShop(
      async (shop) => {
        const { shelf, namespace } = shop.kinds;
        for (const name of ['default', 'other']) await shop.put(namespace, name);
        const answer = await apply(shop, [manifest(shelf, 'top'), manifest(shelf, 'top', {}, { namespace: 'other' })]);
        expect(statusOf(answer).plan.map((one) => one.namespace)).to.deep.equal(['default', 'other']);
      },
      { withNamespaces: true },
    ),
  );

  it(
    'changes nothing in a dry run',
    inShop(async (shop) => {
      const { shelf, set } = shop.kinds;
      const answer = await apply(shop, [manifest(shelf, 'top')], { query: 'dryRun=All' });
      expect([answer.status, planOf(answer)]).to.deep.equal([200, ['created Shelf top']]);
      expect(statusOf(answer)).to.not.have.property('resourceVersion');
      expect([shop.get(shelf, 'top'), shop.get(set, 'fleet')]).to.deep.equal([undefined, undefined]);
    }),
  );

  it(
    'is refused for fields of other managers, unless it is forced',
    inShop(async (shop) => {
      const { shelf } = shop.kinds;
      await shop.put(shelf, 'top', { x: '1' });
      const objects = [manifest(shelf, 'top', { x: '2' })];
      expect((await apply(shop, objects)).status).to.equal(409);
      expect((await apply(shop, objects, { query: 'force=false' })).status).to.equal(409);
      expect(planOf(await apply(shop, objects, { query: 'force=true' }))).to.deep.equal(['configured Shelf top']);
    }),
  );

  it(
    'deletes members that it leaves out, if it prunes',
    inShop(async (shop) => {
      const { shelf, slip } = shop.kinds;
      await apply(shop, [manifest(shelf, 'a'), manifest(shelf, 'b'), manifest(slip, 's')]);
      expect(planOf(await apply(shop, [manifest(shelf, 'a')]))).to.deep.equal(['unchanged Shelf a']);
      const none = await apply(shop, [manifest(shelf, 'a')], {}, { prune: { enabled: false } });
      expect(planOf(none)).to.deep.equal(['unchanged Shelf a']);
      const pruned = await apply(shop, [manifest(shelf, 'a')], {}, { prune: { enabled: true } });
      expect([...planOf(pruned)].sort()).to.deep.equal(['pruned Shelf b', 'pruned Slip s', 'unchanged Shelf a']);
      expect([shop.get(shelf, 'b'), await shop.names(slip)]).to.deep.equal([undefined, []]);
    }),
  );

  it(
    'prunes by a selector, too, but not by an empty one',
    inShop(async (shop) => {
      const { shelf } = shop.kinds;
      const labelled = (name: string, app: string) => manifest(shelf, name, {}, { labels: { app } });
      await apply(shop, [labelled('x', 'one'), labelled('y', 'two')], { query: 'fieldManager=me' });
      const body = (selector: string) => ({
        ...TYPE,
        spec: { objects: [manifest(shelf, 'a')], prune: { enabled: true, selector } },
      });
      expect(await refusal(post(shop, body(''), { query: 'fieldManager=me' }, 'second'))).to.deep.equal([
        400,
        'spec.prune.selector: an empty selector would select everything',
      ]);
      expect((await post(shop, body('a in'), { query: 'fieldManager=me' }, 'second')).status).to.equal(400);
      const pruned = await post(shop, body('app=one'), { query: 'fieldManager=me' }, 'second');
      expect(planOf(pruned)).to.deep.equal(['created Shelf a', 'pruned Shelf x']);
    }),
  );

  it(
    'may be YAML',
    inShop(async (shop) => {
      const yaml = `apiVersion: apply.svc.app/v1beta1
kind: ApplyRequest
spec:
  objects:
    - {apiVersion: library.svc.app/v1, kind: Shelf, metadata: {name: top}, spec: {x: "1"}}
`;
      const answer = await post(shop, yaml, { headers: { 'content-type': 'application/yaml' } });
      expect(planOf(answer)).to.deep.equal(['created Shelf top']);
    }),
  );

  it(
    'needs permission for the set and for each object, before anything is said about the body',
    inShop(async (shop) => {
      const { shelf } = shop.kinds;
      const objects = [manifest(shelf, 'top')];
      expect((await apply(shop, objects, { user: userOf(shop) })).status).to.equal(403);
      expect((await post(shop, '{', { user: userOf(shop) })).status).to.equal(403);
      const other = ['write', 'create', 'read'].map((verb) => `applysets:${verb} applysets:uid:other`);
      expect((await post(shop, '{', { user: userOf(shop, ...other) })).status).to.equal(403);
      const onSet = ['applysets:write applysets:*', 'applysets:create applysets:*', 'applysets:read applysets:*'];
      const [status, message] = await refusal(apply(shop, objects, { user: userOf(shop, ...onSet) }));
      expect(status).to.equal(403);
      expect(message).to.include('spec.objects[0] (Shelf "top")');
      const both = userOf(shop, ...onSet, 'shelves:create *', 'shelves:write *', 'shelves:read *');
      expect((await apply(shop, objects, { user: both })).status).to.equal(201);
      const own = userOf(
        shop,
        'applysets:write applysets:uid:fleet',
        'shelves:create *',
        'shelves:write *',
        'shelves:read *',
      );
      expect((await apply(shop, objects, { user: own })).status).to.equal(200);
    }),
  );
});
