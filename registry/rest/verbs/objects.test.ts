import { expect } from 'chai';
import type { Kind } from '../../kinds/kind.js';
import { bodyOf, create, LAMP, LEAF, LIGHT, pathTo } from '../../testing/house.js';
import { ANN, type Received, requestTo, type Sent } from '../../testing/served.js';
import { useHall } from '../testing/house.js';

describe('one object', () => {
  const served = useHall('test');

  const get = (name: string, sent: Sent = {}, kind: Kind = LAMP): Promise<Received> =>
    served().send('GET', pathTo(kind, name), sent);
  const post = (body: unknown, sent: Sent = {}, kind: Kind = LAMP): Promise<Received> =>
    served().send('POST', pathTo(kind), { ...sent, body });
  const put = (name: string, body: unknown, sent: Sent = {}, kind: Kind = LAMP): Promise<Received> =>
    served().send('PUT', pathTo(kind, name), { ...sent, body });
  const lamp = (name: string, watts = 1, metadata: object = {}) => bodyOf(LAMP, name, { watts }, metadata);
  const refusal = async (answer: Promise<Received>) => {
    const { status, body } = await answer;
    return [status, body.message];
  };

  describe('by GET', () => {
    it('is sent as it is stored, with its version as its tag', async () => {
      const made = (await post(lamp('a'))).body;
      const { status, headers, body } = await get('a');
      expect([status, headers]).to.deep.equal([
        200,
        { 'content-type': 'application/json', vary: 'Accept, User-Agent', etag: `"${made.metadata.resourceVersion}"` },
      ]);
      expect(body).to.deep.equal(made);
    });

    it('is not sent again to a client that has it', async () => {
      await post(lamp('a'));
      const etag = String((await get('a')).headers['etag']);
      const answer = await get('a', { headers: { 'if-none-match': etag } });
      expect([answer.status, answer.headers, answer.body]).to.deep.equal([
        304,
        { vary: 'Accept, User-Agent', etag },
        {},
      ]);
      await put('a', lamp('a', 2));
      expect((await get('a', { headers: { 'if-none-match': etag } })).status).to.equal(200);
    });

    it('may be one that depends on others, or is stored as another one', async () => {
      await create(served(), LEAF, 'x', { tree: 'oak', size: 1 });
      expect((await get('x', {}, LEAF)).body.spec).to.deep.equal({ tree: 'oak', size: 1 });
      await post(lamp('a', 3));
      expect((await get('a', {}, LIGHT)).body).to.deep.include({ kind: 'Light', spec: { power: 3 } });
    });

    it('is not there, or not for everybody', async () => {
      expect((await get('b')).body).to.include({ code: 404, message: 'lamps.house.svc.app "b" not found' });
      await post(lamp('a'));
      expect((await get('a', { user: ANN })).status).to.equal(403);
      expect((await get('b', { user: ANN })).status).to.equal(403);
      served().permissions = [{ action: 'lamps:read', scope: 'lamps:uid:a' }];
      expect((await get('a', { user: ANN })).status).to.equal(200);
      expect((await served().send('GET', pathTo(LAMP, 'a', 'nowhere'))).body.details).to.deep.include({
        kind: 'namespaces',
        name: 'nowhere',
      });
    });

    // Promise: contract 3.5
    it('is not older than the client demands, and cannot be of an exact version', async () => {
      const version = (await post(lamp('a'))).body.metadata.resourceVersion;
      for (const query of ['resourceVersion=0', 'resourceVersion=1', `resourceVersion=${version}`])
        expect((await get('a', { query })).status, query).to.equal(200);
      expect((await get('a', { query: 'resourceVersion=x' })).status).to.equal(400);
      expect(await refusal(get('a', { query: 'resourceVersionMatch=Exact' }))).to.deep.equal([
        400,
        'resourceVersionMatch is not supported for a single object',
      ]);
    });

    it('is indented, a table, or metadata only, if the client likes that better', async () => {
      const { body } = await post(lamp('a'));
      const as = (accept: string, query = '') => get('a', { headers: { accept }, query });
      const table = (await as('application/json;as=Table;v=v1;g=meta.k8s.io')).body as unknown as {
        kind: string;
        rows: readonly { object: { kind: string } }[];
      };
      expect([table.kind, table.rows[0]?.object.kind]).to.deep.equal(['Table', 'PartialObjectMetadata']);
      const partial = (await as('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io')).body;
      expect(partial).to.deep.equal({
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: body.metadata,
      });
      expect((await get('a', { query: 'pretty=true' })).body).to.deep.equal(body);
      const whole = 'includeObject=Object';
      const full = (await as('application/json;as=Table;v=v1;g=meta.k8s.io', whole)).body as unknown as typeof table;
      expect(full.rows[0]?.object.kind).to.equal('Lamp');
      expect((await as('text/html')).status).to.equal(406);
    });

    it('is indented text for people', async () => {
      await post(lamp('a'));
      const text = async (query: string) => {
        const { body } = await served().handler(requestTo('GET', pathTo(LAMP, 'a'), { query }));
        return Buffer.from(body as Uint8Array).toString('utf8');
      };
      expect(await text('pretty=true')).to.match(/^\{\n {2}"/);
      expect(await text('')).to.match(/^\{"/);
    });
  });

  describe('by POST', () => {
    it('is stored, and the answer is the object', async () => {
      const { status, headers, body } = await post(lamp('a', 3));
      expect([status, headers['warning']]).to.deep.equal([201, undefined]);
      expect(body).to.deep.include({ kind: 'Lamp', spec: { watts: 3 } });
      expect(body.metadata).to.include({ name: 'a', namespace: 'hall', generation: 1 });
      expect((await get('a')).body).to.deep.equal(body);
    });

    it('is not stored in a dry run', async () => {
      expect((await post(lamp('a'), { query: 'dryRun=All' })).status).to.equal(201);
      expect((await get('a')).status).to.equal(404);
    });

    it('may be stored as another one, and not be in memory', async () => {
      const { body } = await post(bodyOf(LIGHT, 'a', { power: 4 }), {}, LIGHT);
      expect(body).to.deep.include({ kind: 'Light', spec: { power: 4 } });
      expect((await get('a')).body.spec).to.deep.equal({ watts: 4 });
      expect((await post(bodyOf(LEAF, 'x', { tree: 'oak', size: 1 }), {}, LEAF)).status).to.equal(201);
    });

    it('must not have a version, or another namespace than the path', async () => {
      expect(await refusal(post(lamp('a', 1, { resourceVersion: '7' })))).to.deep.equal([
        400,
        'resourceVersion should not be set on objects to be created',
      ]);
      expect((await post(lamp('a', 1, { resourceVersion: '' }))).status).to.equal(201);
      expect((await post(lamp('b', 1, { namespace: 'attic' }))).status).to.equal(400);
      expect((await post(lamp('b', 1, { namespace: 'hall' }))).status).to.equal(201);
    });

    it('is refused if there is one, or no namespace, or no permission', async () => {
      await post(lamp('a'));
      expect((await post(lamp('a'))).body.reason).to.equal('AlreadyExists');
      expect((await served().send('POST', pathTo(LAMP, '', 'nowhere'), { body: lamp('a') })).status).to.equal(404);
      expect((await post(lamp('b'), { user: ANN })).status).to.equal(403);
    });

    it('comes with warnings about unknown and duplicate fields, and about reserved keys', async () => {
      const text = JSON.stringify(lamp('a', 1, { labels: { 'svc.app/none': 'x', 'other.app/none': 'y' } }));
      const doubled = text.replace('"watts":1', '"watts":1,"watts":1,"extra":1');
      const { headers } = await post(doubled);
      expect(headers['warning']).to.deep.equal([
        '299 - "duplicate field \\"spec.watts\\""',
        '299 - "unknown field \\"spec.extra\\""',
        '299 - "metadata.labels[svc.app/none]: keys that begin with svc.app/ are reserved, and this one has no meaning: remove it, or use a prefix of your own"',
      ]);
      const refused = await refusal(post(doubled, { query: 'fieldValidation=Strict' }));
      expect(refused).to.deep.equal([
        400,
        'Lamp in version "v1" cannot be handled as a Lamp: strict decoding error: duplicate field "spec.watts", unknown field "spec.extra"',
      ]);
      expect(
        (await post(doubled.replace('"a"', '"b"'), { query: 'fieldValidation=Ignore' })).headers['warning'],
      ).to.have.length(1);
      const { status, body } = await post(lamp('c'), { query: 'fieldValidation=Maybe' });
      expect([status, body.details.causes?.[0]?.field]).to.deep.equal([422, 'fieldValidation']);
      expect((await post(lamp('c'), { query: 'fieldValidation=Strict' })).status).to.equal(201);
    });

    it('is read from YAML, too, but from nothing else', async () => {
      const yaml = 'apiVersion: house.svc.app/v1\nkind: Lamp\nmetadata:\n  name: yam\nspec:\n  watts: 5\n';
      const sent = (type: string) => post(yaml, { headers: { 'content-type': type } });
      expect((await sent('application/yaml')).body.spec).to.deep.equal({ watts: 5 });
      expect((await post(JSON.stringify(lamp('t')), { headers: { 'content-type': 'text/json' } })).status).to.equal(
        201,
      );
      for (const type of ['text/plain', 'application/vnd.kubernetes.other'])
        expect((await refusal(sent(type)))[1]).to.include('application/json, application/yaml');
      expect(await refusal(post(''))).to.deep.equal([400, 'the request needs a body']);
      expect((await post('{')).status).to.equal(400);
    });

    it('names at most a hundred unknown and a hundred duplicate fields, none of them at length', async () => {
      const extra = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`k${i}`, 1]));
      const doubled = Array.from({ length: 150 }, (_, i) => `"d${i}":"","d${i}":""`).join(',');
      const text = JSON.stringify({ ...lamp('a', 1, { labels: {} }), ...extra }).replace(
        '"labels":{}',
        `"labels":{${doubled}}`,
      );
      const { body } = await post(text, { query: 'fieldValidation=Strict' });
      expect(body.message.match(/unknown field/g)).to.have.length(100);
      expect(body.message.match(/duplicate field/g)).to.have.length(100);
      const long = await post({ ...lamp('a'), ['x'.repeat(1000)]: 1 }, { query: 'fieldValidation=Strict' });
      expect(long.body.message).to.have.length.below(500);
    });
  });

  describe('by PUT', () => {
    beforeEach(() => post(lamp('a', 1, { labels: { old: 'x' } })));

    it('is replaced as a whole', async () => {
      const { status, body } = await put('a', lamp('a', 2));
      expect([status, body.spec, body.metadata.labels]).to.deep.equal([200, { watts: 2 }, undefined]);
      expect((await get('a')).body).to.deep.equal(body);
    });

    it('is not replaced in a dry run, and not created', async () => {
      expect((await put('a', lamp('a', 2), { query: 'dryRun=All' })).body.spec).to.deep.equal({ watts: 2 });
      expect((await get('a')).body.spec).to.deep.equal({ watts: 1 });
      expect((await put('b', lamp('b', 2))).status).to.equal(404);
    });

    it('must have the name of the path, and its namespace', async () => {
      expect(await refusal(put('a', lamp('b')))).to.deep.equal([
        400,
        'the name of the object (b) does not match the name on the URL (a)',
      ]);
      expect((await put('a', { ...lamp('a'), metadata: {} })).status).to.equal(400);
      expect((await put('a', lamp('a', 1, { namespace: 'attic' }))).status).to.equal(400);
      expect((await refusal(put('a', lamp('x'.repeat(1000)))))[1]).to.have.length.below(400);
    });

    it('is replaced only in the version and with the uid that the client names', async () => {
      const { uid, resourceVersion } = (await get('a')).body.metadata;
      const stale = await put('a', lamp('a', 2, { resourceVersion: '1' }));
      expect([stale.status, stale.body.reason]).to.deep.equal([409, 'Conflict']);
      expect((await put('a', lamp('a', 2, { uid: 'other' }))).status).to.equal(409);
      expect((await put('a', lamp('a', 2), { headers: { 'if-match': '"1"' } })).status).to.equal(409);
      expect((await get('a')).body.spec).to.deep.equal({ watts: 1 });
      const headers = { 'if-match': `"${resourceVersion}"` };
      expect((await put('a', lamp('a', 2, { uid, resourceVersion }), { headers })).status).to.equal(200);
      for (const metadata of [{ resourceVersion: '0' }, { resourceVersion: '' }, { uid: '' }])
        expect((await put('a', lamp('a', 3, metadata))).status, JSON.stringify(metadata)).to.equal(200);
    });

    it('comes with warnings', async () => {
      const { headers } = await put('a', { ...lamp('a', 2, { annotations: { 'svc.app/none': 'x' } }), extra: 1 });
      expect(headers['warning']).to.have.length(2);
      expect((await put('a', lamp('a', 2))).headers['warning']).to.equal(undefined);
    });

    it('may be its status', async () => {
      const body = { ...lamp('a', 9), status: { isLit: true } };
      const answer = await served().send('PUT', `${pathTo(LAMP, 'a')}/status`, { body });
      expect(answer.body).to.deep.include({ status: { isLit: true }, spec: { watts: 1 } });
      expect((await put('a', { ...body, status: { isLit: false } })).body).to.deep.include({
        status: { isLit: true },
        spec: { watts: 9 },
      });
      const status = await served().send('GET', `${pathTo(LAMP, 'a')}/status`);
      expect(status.body).to.deep.equal((await get('a')).body);
    });

    it('may be stored as another one', async () => {
      const { body } = await put('a', bodyOf(LIGHT, 'a', { power: 8 }), {}, LIGHT);
      expect(body).to.deep.include({ kind: 'Light', spec: { power: 8 } });
      expect((await get('a')).body.spec).to.deep.equal({ watts: 8 });
    });
  });
});
