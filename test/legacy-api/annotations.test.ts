import { expect } from 'chai';
import { addDashboard, DASHBOARDS } from '../access/people.js';
import { accepted, bodyOf, changingNothing, expectStatus, resourceOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { until } from '../identity/iam.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { type Person, peopleOf } from './people.js';

const KIND = { apiVersion: 'annotation.svc.app/v1beta1', resource: 'annotations', scope: 'Namespaced' } as const;
const NOT_FOUND = { message: 'Annotation not found' };
const DATA_BAD = { message: 'bad request data' };
const UNSAVED = { message: 'Failed to save annotation' };
const T = 1_700_000_000_000;

oneStore('annotations in the legacy API', (server) => {
  const { ask, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const resource = resourceOf(server, KIND);
  let author: Person;
  before(async () => {
    author = await person({ role: 'Editor' });
  });
  const make = async (more: Json = {}): Promise<number> =>
    (await ask(200, 'POST', '/annotations', { text: 'Deployed', time: T, ...more }, { user: author.info })).id;
  const read = (id: number): Promise<Json> => ask(200, 'GET', `/annotations/${id}`);
  const dashboard = async (): Promise<string> => {
    const name = fresh('dashboard');
    await addDashboard(server(), name);
    return name;
  };
  const objectWith = async (id: number) => {
    const labelSelector = `svc.app/deprecatedInternalID=${id}`;
    return bodyOf(await resource.list({ query: { labelSelector } }), 200).items[0];
  };

  describe('POST /api/annotations', () => {
    // Promise: specification 1, specification 2.5, specification 4.5
    it('creates an annotation of a panel, which both APIs return, with its author', async () => {
      const uid = await dashboard();
      const frames = await resource.watch();
      const body = { text: 'Slow', dashboardUID: uid, panelId: 2, time: T, timeEnd: T + 5, tags: ['a', 'k:v'] };
      const answer = await ask(200, 'POST', '/annotations', { ...body, data: { n: 1 } }, { user: author.info });
      expect(answer).to.deep.equal({ message: 'Annotation added', id: answer.id });
      const item = await read(answer.id);
      const { created, updated, dashboardId } = item;
      expect(item).to.deep.equal({
        id: answer.id,
        alertId: 0,
        dashboardUID: uid,
        dashboardId,
        panelId: 2,
        userId: author.id,
        userUID: author.uid,
        login: author.login,
        userName: author.login,
        email: author.email,
        avatarUrl: item.avatarUrl,
        created,
        updated,
        time: T,
        timeEnd: T + 5,
        text: 'Slow',
        tags: ['a', 'k:v'],
        data: { n: 1 },
      });
      expect(dashboardId).to.be.a('number');
      expect(item.avatarUrl).to.match(/^\/avatar\/[0-9a-f]{32}$/);
      expect(created).to.be.closeTo(Date.now(), 60_000).and.to.equal(updated);
      const events = await frames.until(({ object }) => object.spec?.['text'] === 'Slow');
      await frames.close();
      const object = await objectWith(answer.id);
      expect(events.at(-1)).to.deep.include({ type: 'ADDED', object: { ...object, ...typeOf(object) } });
      const spec = { text: 'Slow', dashboardUID: uid, panelID: 2, time: T, timeEnd: T + 5, tags: ['a', 'k:v'] };
      expect(object?.spec).to.deep.equal({ ...spec, data: { n: 1 } });
      const { uid: identity } = bodyOf(await server().call('GET', `${DASHBOARDS}/${uid}`), 200).metadata;
      expect(object?.metadata.annotations).to.include({ 'svc.app/dashboard': identity });
    });

    // Promise: security rights
    it('shows the address of the author to who may view them only', async () => {
      const [author, viewer] = [await person({ role: 'Editor' }), await person({ role: 'Viewer' })];
      const body = { text: 'By', time: T };
      const { id } = await ask(200, 'POST', '/annotations', body, { user: author.info });
      const seen = await ask(200, 'GET', `/annotations/${id}`, undefined, { user: viewer.info });
      expect(seen).to.include({ login: author.login }).and.not.to.have.any.keys('email', 'avatarUrl');
      expect(await ask(200, 'GET', `/annotations/${id}`)).to.include({ email: author.email });
    });

    // Promise: specification 2.5, specification 9
    it('fills in the time, orders the ends of a region, and accepts what browsers send', async () => {
      const before = Date.now();
      const now = await read(await make({ time: 0, timeEnd: 0, data: null, tags: null, dashboardUID: '', panelId: 0 }));
      expect(now.time).to.be.within(before, Date.now());
      expect(now.timeEnd).to.equal(now.time);
      expect(now).to.not.have.any.keys('data', 'tags', 'dashboardUID', 'panelId');
      expect(await read(await make({ timeEnd: T - 9 }))).to.include({ time: T - 9, timeEnd: T });
      expect(await read(await make())).to.include({ time: T, timeEnd: T });
      expect(await read(await make({ tags: [' a ', 'a', 'k : v', 'k:', ''] }))).to.deep.include({
        tags: ['a', 'k:v', 'k'],
      });
    });

    // Promise: specification 4.5
    it('finds a dashboard by its number or uid, and refuses one that does not exist', async () => {
      const uid = await dashboard();
      const { dashboardId } = await read(await make({ dashboardUID: uid }));
      expect(await read(await make({ dashboardId }))).to.include({ dashboardUID: uid, dashboardId });
      expect(await read(await make({ dashboardUID: uid, dashboardId: 999_999 }))).to.include({ dashboardUID: uid });
      const lost = 'there is no dashboard "nowhere"';
      const message = `dashboardUID: ${lost}`;
      const attempt = () => refused(400, { message }, 'POST', '/annotations', { text: 'x', dashboardUID: 'nowhere' });
      await changingNothing(server(), attempt);
      const number = { message: 'Invalid dashboard ID in annotation request' };
      await refused(400, number, 'POST', '/annotations', { text: 'x', dashboardId: 999_999 });
      const own = await make({ dashboardUID: uid });
      const name = (await objectWith(own))?.metadata.name ?? '';
      const moved = await changingNothing(server(), () => resource.merge(name, { spec: { dashboardUID: 'nowhere' } }));
      expectStatus(moved, 422, 'Invalid', lost);
      const object = { apiVersion: KIND.apiVersion, kind: 'Annotation', metadata: { name: fresh('lost') } };
      const spec = { text: 'x', time: T, dashboardUID: 'nowhere' };
      expectStatus(await resource.create({ ...object, spec }), 422, 'Invalid', lost);
      bodyOf(await resource.merge(name, { spec: { text: 'changed' } }), 200);
    });

    it('ignores the id of a restored backup', async () => {
      const id = await make({ id: 4711 });
      expect(id).to.not.equal(4711);
      await refused(404, NOT_FOUND, 'GET', '/annotations/4711');
    });

    // Promise: specification 4.5
    it('refuses bad input with 400, and changes nothing', async () => {
      const long = { message: 'Tags length exceeds the maximum allowed (500)' };
      const cases: readonly (readonly [unknown, unknown])[] = [
        [UNSAVED, {}],
        [UNSAVED, { text: '' }],
        [UNSAVED, { text: 'x'.repeat(65_536) }],
        [DATA_BAD, { text: { $gt: '' } }],
        [DATA_BAD, { text: 'x', time: 'yesterday' }],
        [DATA_BAD, { text: 'x', tags: 'a b' }],
        [DATA_BAD, { text: 'x', tags: [7] }],
        [DATA_BAD, { text: 'x', tags: Array.from({ length: 1001 }, () => 'x') }],
        [DATA_BAD, { text: 'x', data: 'y' }],
        [DATA_BAD, '{'],
        [DATA_BAD, '[]'],
        [long, { text: 'x', tags: ['x'.repeat(250), 'y'.repeat(250)] }],
        [{ message: 'Invalid dashboard ID in annotation request' }, { text: 'x', dashboardId: 999_999 }],
      ];
      for (const [message, body] of cases)
        await changingNothing(server(), () => refused(400, message, 'POST', '/annotations', body));
      for (const more of [{ tags: ['x'.repeat(2 ** 20)] }, { time: -1 }, { time: 9e15 }, { dashboardUID: 'a/b' }]) {
        const { message } = await changingNothing(server(), () =>
          ask(400, 'POST', '/annotations', { text: 'x', ...more }),
        );
        expect(message).to.be.a('string').and.not.equal('');
      }
    });
  });

  describe('PUT /api/annotations/:id', () => {
    // Promise: specification 4.5
    it('replaces text and tags, and times only if they are not 0', async () => {
      const id = await make({
        timeEnd: T + 9,
        tags: ['a'],
        data: { n: 1 },
        panelId: 3,
        dashboardUID: await dashboard(),
      });
      expect(await ask(200, 'PUT', `/annotations/${id}`, { text: 'Other' })).to.deep.equal({
        message: 'Annotation updated',
      });
      const item = await read(id);
      expect(item).to.deep.include({ text: 'Other', time: T, timeEnd: T + 9, data: { n: 1 }, panelId: 3 });
      expect(item).to.not.have.property('tags');
      await ask(200, 'PUT', `/annotations/${id}`, { text: 'Moved', tags: ['b'], time: T + 20, data: { n: 2 } });
      expect(await read(id)).to.deep.include({ tags: ['b'], time: T + 9, timeEnd: T + 20, data: { n: 2 } });
    });

    it('moves an annotation that is no region', async () => {
      const id = await make();
      await ask(200, 'PUT', `/annotations/${id}`, { text: 'Moved', time: T + 7 });
      expect(await read(id)).to.include({ time: T + 7, timeEnd: T + 7, text: 'Moved' });
    });

    // Promise: specification 4.5
    it('refuses bad input, and changes nothing', async () => {
      const id = await make();
      const failed = { message: 'Failed to update annotation' };
      await changingNothing(server(), async () => {
        await refused(400, failed, 'PUT', `/annotations/${id}`, { tags: [] });
        await refused(400, DATA_BAD, 'PUT', `/annotations/${id}`, { text: 7 });
        await refused(404, NOT_FOUND, 'PUT', '/annotations/999999', { text: 'x' });
        await refused(400, { message: 'annotationId is invalid' }, 'PUT', '/annotations/x', { text: 'x' });
      });
    });
  });

  describe('PATCH /api/annotations/:id', () => {
    // Promise: specification 4.5
    it('changes what the body has', async () => {
      const id = await make({ tags: ['a'], timeEnd: T + 9 });
      const patch = async (body: Json) => {
        expect(await ask(200, 'PATCH', `/annotations/${id}`, body)).to.deep.equal({ message: 'Annotation patched' });
        return read(id);
      };
      expect(await patch({ text: '', tags: null, time: 0, timeEnd: -1 })).to.deep.include({
        text: 'Deployed',
        tags: ['a'],
        time: T,
        timeEnd: T + 9,
      });
      expect(await patch({ text: 'Other' })).to.deep.include({ text: 'Other', tags: ['a'] });
      expect(await patch({ tags: ['b'], timeEnd: T + 1 })).to.deep.include({
        text: 'Other',
        tags: ['b'],
        timeEnd: T + 1,
      });
      expect(await patch({ tags: [], data: { n: 1 } }))
        .to.deep.include({ data: { n: 1 } })
        .and.to.not.have.key('tags');
    });

    it('refuses bad input, and changes nothing', async () => {
      const id = await make();
      await changingNothing(server(), async () => {
        await refused(400, DATA_BAD, 'PATCH', `/annotations/${id}`, { time: 'now' });
        await refused(404, NOT_FOUND, 'PATCH', '/annotations/999999', { text: 'x' });
        await refused(400, { message: 'annotationId is invalid' }, 'PATCH', '/annotations/1x', { text: 'x' });
      });
    });
  });

  describe('GET and DELETE /api/annotations/:id', () => {
    // Promise: specification 4.5
    it('find what the resource API wrote, and remove it there', async () => {
      const name = fresh('resource');
      const object = {
        apiVersion: KIND.apiVersion,
        kind: 'Annotation',
        metadata: { name },
        spec: { text: 'x', time: T },
      };
      const made = bodyOf(await resource.create(object), 201);
      const id = Number(made.metadata.labels?.['svc.app/deprecatedInternalID']);
      expect(await read(id)).to.include({ id, text: 'x', time: T });
      expect(await ask(200, 'DELETE', `/annotations/${id}`)).to.deep.equal({ message: 'Annotation deleted' });
      accepted(await resource.get(name), 404);
      await refused(404, NOT_FOUND, 'GET', `/annotations/${id}`);
      await refused(404, NOT_FOUND, 'DELETE', `/annotations/${id}`);
      for (const method of ['GET', 'DELETE'])
        await refused(400, { message: 'annotationId is invalid' }, method, '/annotations/none');
    });

    // Promise: specification 2.5
    it('show the alert rule and its states', async () => {
      const spec = { text: 'x', time: T, alertID: 999_999, newState: 'alerting', prevState: 'ok' };
      const object = { apiVersion: KIND.apiVersion, kind: 'Annotation', metadata: { name: fresh('alert') }, spec };
      const made = bodyOf(await resource.create(object), 201);
      const item = await read(Number(made.metadata.labels?.['svc.app/deprecatedInternalID']));
      expect(item).to.include({ alertId: 999_999, newState: 'alerting', prevState: 'ok' });
    });
  });

  it('are gone with their dashboard, and a later one with the same uid does not have them', async () => {
    const uid = await dashboard();
    const own = await make({ dashboardUID: uid, tags: [uid] });
    accepted(await server().call('DELETE', `${DASHBOARDS}/${uid}`), 200);
    const isGone = async (): Promise<void> => {
      await refused(404, NOT_FOUND, 'GET', `/annotations/${own}`);
      await refused(404, NOT_FOUND, 'PUT', `/annotations/${own}`, { text: 'x' });
      expect(await ask(200, 'GET', `/annotations?dashboardUID=${uid}`)).to.deep.equal([]);
      expect(await ask(200, 'GET', `/annotations?tags=${uid}`)).to.deep.equal([]);
    };
    await isGone();
    await addDashboard(server(), uid);
    await isGone();
    await until(async () => (await ask(200, 'GET', `/annotations/tags?tag=${uid}`)).result.tags.length === 0);
  });

  describe('POST /api/annotations/mass-delete', () => {
    it('deletes all annotations of a panel, and no others', async () => {
      const uid = await dashboard();
      const own = await Promise.all([1, 2, 3].map(() => make({ dashboardUID: uid, panelId: 1 })));
      const others = [
        await make({ dashboardUID: uid, panelId: 2 }),
        await make({ dashboardUID: await dashboard(), panelId: 1 }),
      ];
      const answer = await ask(200, 'POST', '/annotations/mass-delete', { dashboardUID: uid, panelId: 1 });
      expect(answer).to.deep.equal({ message: 'Annotations deleted' });
      for (const id of own) await refused(404, NOT_FOUND, 'GET', `/annotations/${id}`);
      for (const id of others) await read(id);
      const { dashboardId } = await read(others[0] ?? 0);
      await ask(200, 'POST', '/annotations/mass-delete', { dashboardId, panelId: 2 });
      await refused(404, NOT_FOUND, 'GET', `/annotations/${others[0]}`);
    });

    it('deletes one annotation by its id', async () => {
      const id = await make();
      await ask(200, 'POST', '/annotations/mass-delete', { annotationId: id });
      await refused(404, NOT_FOUND, 'POST', '/annotations/mass-delete', { annotationId: id });
    });

    it('refuses a dashboard that does not exist, and an annotation of another panel', async () => {
      const dashboardUID = await dashboard();
      const annotationId = await make({ dashboardUID, panelId: 1 });
      for (const body of [
        { dashboardUID: 'nowhere', panelId: 1 },
        { annotationId, dashboardUID, panelId: 2 },
        { annotationId, dashboardUID: await dashboard(), panelId: 1 },
      ])
        await changingNothing(server(), () => refused(400, DATA_BAD, 'POST', '/annotations/mass-delete', body));
      await ask(200, 'POST', '/annotations/mass-delete', { annotationId, dashboardUID, panelId: 1 });
    });

    it('refuses a body without dashboard and panel, and changes nothing', async () => {
      const uid = await dashboard();
      await make({ dashboardUID: uid, panelId: 1 });
      const bodies = [{}, { dashboardUID: uid }, { panelId: 1 }, { dashboardId: 999_999, panelId: 1 }, '{'];
      for (const body of bodies)
        await changingNothing(server(), () => refused(400, DATA_BAD, 'POST', '/annotations/mass-delete', body));
    });
  });
});

const typeOf = (object: Json) => ({ apiVersion: object.apiVersion ?? KIND.apiVersion, kind: 'Annotation' });
