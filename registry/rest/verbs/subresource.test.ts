import { expect } from 'chai';
import { z } from 'zod';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';
import { defineSubresource, type SubresourceCall } from '../../client/define-subresource.js';
import type { Kind } from '../../kinds/kind.js';
import { bodyOf, create, HOUSE, LAMP, type LampSpec, pathTo, ROOM } from '../../testing/house.js';
import { ANN, type Received, ROOT, type Sent, type Served, START, serve } from '../../testing/served.js';

const MERGE = 'application/merge-patch+json';
const Switch = z.strictObject({ watts: z.int().max(100) });
interface SwitchSpec {
  readonly spec: { readonly watts: number };
}

const answerOf = ({ metadata, spec }: KubeObject<LampSpec>) => ({
  metadata: { uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '' },
  spec: { watts: spec?.watts ?? 0 },
});
/** What a handler got. */
let seen: SubresourceCall | undefined;

/** The power of a lamp, as a message of its own. POST adds to it. */
const POWER = defineSubresource<LampSpec, z.ZodObject, z.ZodObject>({
  name: 'power',
  aliases: [{ group: 'power.svc.app', version: 'v2' }],
  kind: {
    group: 'house.svc.app',
    version: 'v1',
    kind: 'Power',
    description: 'The power of a lamp.',
    body: z.object({ spec: Switch }),
    answer: z.object({ spec: Switch }),
  },
  verbs: {
    get: (call) => {
      seen = call;
      return answerOf(call.object);
    },
    create: async (call) => {
      const { spec } = call.body as unknown as SwitchSpec;
      return call.transact(({ object, update }) =>
        answerOf(update((old) => ({ ...old, spec: { watts: (object.spec?.watts ?? 0) + spec.watts } }))),
      );
    },
    update: async (call) => {
      const { spec } = call.body as unknown as SwitchSpec;
      if (call.isDryRun) return { spec: { watts: -1 } };
      return call.transact(({ update }) => answerOf(update((old) => ({ ...old, spec }))));
    },
    patch: async (call) =>
      call.transact(({ object, update }) => {
        const { spec } = call.patch(answerOf(object)) as unknown as SwitchSpec;
        return answerOf(update((old) => ({ ...old, spec })));
      }),
    delete: async (call) => call.transact(({ update }) => answerOf(update((old) => ({ ...old, spec: { watts: 0 } })))),
  },
});

/** The lamp itself. */
const WHOLE = defineSubresource<LampSpec>({
  name: 'whole',
  verbs: {
    get: ({ object }) => object,
    update: async ({ body, transact }) =>
      transact(({ update }) => update((old) => ({ ...old, spec: body.spec as LampSpec }))),
    patch: async ({ patch, transact }) => transact(({ object, update }) => update(() => patch(object))),
  },
});
const KIND = { ...LAMP, subresources: [...LAMP.subresources, POWER, WHOLE] } as Kind;
const ROOM_WITH_PART = { ...ROOM, subresources: [WHOLE] } as Kind;
const KINDS = [KIND, ROOM_WITH_PART, ...HOUSE.filter((kind) => kind !== LAMP && kind !== ROOM)];

describe('a part of an object', () => {
  let served: Served;
  beforeEach(async () => {
    served = await serve(KINDS);
    await create(served, ROOM, 'hall');
    await create(served, KIND, 'a', { watts: 5 });
  });
  afterEach(() => served.close());

  const send = (method: string, body?: unknown, sent: Sent = {}, part = 'power', name = 'a'): Promise<Received> =>
    served.send(method, `${pathTo(KIND, name)}/${part}`, { ...sent, body });
  const patch = (body: unknown, sent: Sent = {}, part = 'power') =>
    send('PATCH', body, { ...sent, headers: { 'content-type': MERGE } }, part);
  const stored = async () => (await served.send('GET', pathTo(KIND, 'a'))).body;
  const refusal = async (answer: Promise<Received>) => {
    const { status, body } = await answer;
    return [status, body.message];
  };
  const TYPE = { kind: 'Power', apiVersion: 'house.svc.app/v1' };
  const power = (watts: unknown, metadata: object = {}) => ({ ...TYPE, metadata, spec: { watts } });

  it('is read as a message that names the object', async () => {
    const { metadata } = await stored();
    const { status, body } = await send('GET');
    expect([status, body]).to.deep.equal([
      200,
      {
        ...TYPE,
        metadata: { name: 'a', namespace: 'hall', uid: metadata.uid, resourceVersion: metadata.resourceVersion },
        spec: { watts: 5 },
      },
    ]);
    expect([seen?.isDryRun, seen?.now(), seen?.object.metadata.name]).to.deep.equal([false, START, 'a']);
    expect(seen?.client.options.user).to.equal(ROOT);
    expect((await send('GET', undefined, { headers: { accept: 'text/html' } })).status).to.equal(406);
  });

  it('is written by the verbs that it has, and answers with what its handler answers', async () => {
    const posted = await send('POST', power(3));
    expect([posted.status, posted.body.spec, (await stored()).spec]).to.deep.equal([201, { watts: 8 }, { watts: 8 }]);
    const put = await send('PUT', power(20));
    expect([put.status, put.body.spec]).to.deep.equal([200, { watts: 20 }]);
    const patched = await patch({ spec: { watts: 30 } });
    expect([patched.status, patched.body.spec]).to.deep.equal([200, { watts: 30 }]);
    const removed = await send('DELETE');
    expect([removed.status, removed.body.kind, removed.body.spec]).to.deep.equal([200, 'Power', { watts: 0 }]);
    expect((await send('POST', power(3), {}, 'whole')).status).to.equal(405);
    expect((await send('GET', undefined, {}, 'none')).status).to.equal(404);
    expect((await send('HEAD')).status).to.equal(200);
  });

  it('is not written in a dry run', async () => {
    const query = 'dryRun=All';
    expect((await send('POST', power(3), { query })).body.spec).to.deep.equal({ watts: 8 });
    expect((await send('PUT', power(3), { query })).body.spec).to.deep.equal({ watts: -1 });
    expect((await patch({ spec: { watts: 30 } }, { query })).status).to.equal(200);
    expect((await send('DELETE', undefined, { query })).status).to.equal(200);
    expect((await stored()).spec).to.deep.equal({ watts: 5 });
  });

  it('is for those who may use it of this object, and for objects that are there', async () => {
    expect((await send('GET', undefined, { user: ANN })).status).to.equal(403);
    expect((await send('POST', power(1), { user: ANN })).status).to.equal(403);
    expect((await send('GET', undefined, {}, 'power', 'none')).status).to.equal(404);
    served.permissions = [{ action: 'lamps:read', scope: 'lamps:uid:a' }];
    expect((await send('GET', undefined, { user: ANN })).status).to.equal(200);
    expect((await send('POST', power(1), { user: ANN })).status).to.equal(403);
  });

  it('takes a body that may leave out its type, but has the name and namespace of the path', async () => {
    expect((await send('POST', { spec: { watts: 1 } })).status).to.equal(201);
    for (const metadata of [{ name: 'a' }, { name: '' }, { namespace: 'hall' }])
      expect((await send('POST', power(1, metadata))).status, JSON.stringify(metadata)).to.equal(201);
    expect(await refusal(send('POST', power(1, { name: 'b' })))).to.deep.equal([
      400,
      'the name of the object (b) does not match the name on the URL (a)',
    ]);
    expect((await refusal(send('POST', power(1, { name: 'x'.repeat(1000) }))))[1]).to.have.length.below(400);
    expect((await send('POST', power(1, { namespace: 'attic' }))).status).to.equal(400);
    expect((await send('POST', { ...power(1), kind: 'Lamp' })).status).to.equal(400);
    expect((await send('POST', '')).status).to.equal(400);
  });

  it('takes no body that is wrong', async () => {
    expect(await refusal(send('POST', power('x')))).to.deep.equal([
      400,
      'Power in version "v1" cannot be handled as a Power: spec.watts: Invalid input: expected number, received string',
    ]);
    const { status, body } = await send('POST', power(1000));
    expect([status, body.details.causes?.[0]?.field]).to.deep.equal([422, 'spec.watts']);
    const strict = { query: 'fieldValidation=Strict' };
    const extra = { ...power(1), extra: 1 };
    expect((await send('POST', extra)).headers['warning']).to.deep.equal(['299 - "unknown field \\"extra\\""']);
    expect((await send('POST', extra, { query: 'fieldValidation=Ignore' })).headers['warning']).to.equal(undefined);
    expect(await refusal(send('POST', extra, strict))).to.deep.equal([
      400,
      'Power in version "v1" cannot be handled as a Power: strict decoding error: unknown field "extra"',
    ]);
    expect((await send('POST', power(1), strict)).status).to.equal(201);
  });

  it('is written only to the object with the uid and version that the body names', async () => {
    const { uid, resourceVersion } = (await stored()).metadata;
    for (const metadata of [{ uid: 'other' }, { resourceVersion: '1' }]) {
      expect((await send('POST', power(1, metadata))).status, JSON.stringify(metadata)).to.equal(409);
      expect((await patch({ metadata, spec: { watts: 1 } })).status, JSON.stringify(metadata)).to.equal(409);
    }
    expect((await stored()).spec).to.deep.equal({ watts: 5 });
    expect((await send('POST', power(1, { uid, resourceVersion }))).status).to.equal(201);
    for (const metadata of [{ uid: '' }, { resourceVersion: '' }])
      expect((await send('POST', power(1, metadata))).status).to.equal(201);
  });

  it('takes patches, with what is wrong in them told as of an object', async () => {
    expect(await refusal(patch({ spec: { watts: 1 } }, { query: 'force=true' }))).to.deep.include.members([422]);
    expect((await patch({ spec: { watts: 1000 } })).status).to.equal(422);
    expect((await patch({ extra: 1 })).headers['warning']).to.deep.equal(['299 - "unknown field \\"extra\\""']);
    const strict = await patch({ extra: 1 }, { query: 'fieldValidation=Strict' });
    expect([strict.status, strict.body.details.causes?.[0]?.field]).to.deep.equal([422, 'patch']);
    expect((await patch({ metadata: { name: 'b' } })).status).to.equal(400);
    expect((await send('PATCH', {}, { headers: { 'content-type': 'application/json' } })).status).to.equal(415);
  });

  it('may be the object itself', async () => {
    const { status, body } = await send('GET', undefined, {}, 'whole');
    expect([status, body]).to.deep.equal([200, await stored()]);
    const put = await send('PUT', bodyOf(KIND, 'a', { watts: 6 }), {}, 'whole');
    expect([put.status, put.body.kind, put.body.spec]).to.deep.equal([200, 'Lamp', { watts: 6 }]);
    expect((await patch({ spec: { watts: 7 } }, {}, 'whole')).body.spec).to.deep.equal({ watts: 7 });
    const extra = await send('PUT', { ...bodyOf(KIND, 'a', { watts: 6 }), extra: 1 }, {}, 'whole');
    expect(extra.headers['warning']).to.have.length(1);
    expect((await send('PUT', power(1), {}, 'whole')).status).to.equal(400);
    expect((await send('PUT', bodyOf(KIND, 'b', { watts: 6 }), {}, 'whole')).status).to.equal(400);
  });

  it('has the namespace of its object in the path, if that is in one', async () => {
    const room = await served.send('GET', `${pathTo(ROOM, 'hall')}/whole`);
    expect([room.status, room.body.metadata.name]).to.deep.equal([200, 'hall']);
    expect((await served.send('GET', `${pathTo(KIND, 'a', '')}/whole`)).status).to.equal(404);
  });

  it('is also served where clients look for it, but its object is not', async () => {
    const path = '/apis/power.svc.app/v2/namespaces/hall/lamps/a';
    expect((await served.send('GET', `${path}/power`)).body.spec).to.deep.equal({ watts: 5 });
    for (const other of [path, `${path}/whole`, `${path}/status`])
      expect((await served.send('GET', other)).status, other).to.equal(404);
  });

  it('writes nothing if its handler fails', async () => {
    const failing = defineSubresource<LampSpec, z.ZodObject, z.ZodObject>({
      name: 'failing',
      kind: { ...TYPE, group: 'house.svc.app', version: 'v1', description: 'Fails.', answer: z.object({}) },
      verbs: {
        delete: async ({ transact }) =>
          transact(({ update }) => {
            update((old) => ({ ...old, spec: { watts: 1 } }));
            throw badRequest('it fails');
          }),
      },
    });
    const own = await serve([ROOM, { ...LAMP, subresources: [failing] } as Kind]);
    try {
      await create(own, ROOM, 'hall');
      await create(own, LAMP, 'a', { watts: 5 });
      const { status } = await own.send('DELETE', `${pathTo(LAMP, 'a')}/failing`);
      expect([status, (await own.send('GET', pathTo(LAMP, 'a'))).body.spec]).to.deep.equal([400, { watts: 5 }]);
    } finally {
      await own.close();
    }
  });
});
