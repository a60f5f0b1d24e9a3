import { expect } from 'chai';
import { CHEST, create, HOUSE, LAMP, LIGHT, pathTo, ROOM } from '../../testing/house.js';
import { type Body, type Received, requestTo, type Served, serve } from '../../testing/served.js';
import { type Frame, type Watched, watched } from '../../testing/watched.js';

interface Table extends Body {
  readonly columnDefinitions: readonly { readonly name: string }[] | null;
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object?: Body }[];
}

const AS = (as: string, version = 'v1') => `application/json;as=${as};v=${version};g=meta.k8s.io`;

describe('objects in other forms', () => {
  let served: Served;
  const open: Watched[] = [];
  beforeEach(async () => {
    served = await serve(HOUSE);
    await create(served, ROOM, 'hall');
    await create(served, LAMP, 'a', { watts: 5 }, { labels: { x: 'y' } });
  });
  afterEach(async () => {
    for (const one of open.splice(0)) one.close();
    await served.close();
  });
  const get = (accept: string, query = '', path = pathTo(LAMP)): Promise<Received> =>
    served.send('GET', path, { query, headers: { accept } });
  const watch = async (accept: string, query = '', path = pathTo(LAMP)): Promise<Watched> => {
    const one = watched(await get(accept, `watch=1&${query}`, path));
    open.push(one);
    return one;
  };
  const tableIn = (frame: Frame | undefined): Table => frame?.object as Table;
  const now = (): string => String(served.registry.cacher.state.revision);

  describe('in a list', () => {
    it('are a table with the columns of the kind, and the metadata of the list', async () => {
      const { body } = await get(AS('Table'));
      const table = body as Table;
      expect([table.kind, table.apiVersion]).to.deep.equal(['Table', 'meta.k8s.io/v1']);
      expect(table.metadata.resourceVersion).to.equal(now());
      expect(table.columnDefinitions?.map(({ name }) => name)).to.deep.equal(['Name', 'Age']);
      expect(table.rows[0]?.cells).to.deep.equal(['a', '0s']);
      expect(table.rows[0]?.object?.kind).to.equal('PartialObjectMetadata');
      const whole = (await get(AS('Table'), 'includeObject=Object')).body as Table;
      expect(whole.rows[0]?.object?.spec).to.deep.equal({ watts: 5 });
      const none = (await get(AS('Table', 'v1beta1'), 'includeObject=None')).body as Table;
      expect([none.apiVersion, none.rows[0]?.object]).to.deep.equal(['meta.k8s.io/v1beta1', undefined]);
    });

    it('have the age that they have by the clock of the server', async () => {
      served.time += 120_000;
      expect(((await get(AS('Table'))).body as Table).rows[0]?.cells).to.deep.equal(['a', '2m']);
    });

    it('are metadata only', async () => {
      const { metadata } = (await served.send('GET', pathTo(LAMP, 'a'))).body;
      for (const query of ['', 'pretty=true']) {
        const { body } = await get(AS('PartialObjectMetadataList'), query);
        expect(body).to.deep.equal({
          kind: 'PartialObjectMetadataList',
          apiVersion: 'meta.k8s.io/v1',
          metadata: { resourceVersion: now() },
          items: [{ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }],
        });
      }
      expect((await get(AS('PartialObjectMetadataList', 'v1beta1'))).body.apiVersion).to.equal('meta.k8s.io/v1beta1');
    });

    it('are the same indented, or of another kind than the stored one', async () => {
      const { body } = await get('application/json');
      expect((await get('application/json', 'pretty=true')).body).to.deep.equal(body);
      const lights = (await get('application/json', '', pathTo(LIGHT))).body;
      expect([lights.kind, lights.items[0]?.kind, lights.items[0]?.spec]).to.deep.equal([
        'LightList',
        'Light',
        { power: 5 },
      ]);
      expect((await get('application/json', 'pretty=true', pathTo(LIGHT))).body).to.deep.equal(lights);
      const table = (await get(AS('Table'), 'includeObject=Object', pathTo(LIGHT))).body as Table;
      expect(table.rows[0]?.object?.kind).to.equal('Light');
    });

    it('are YAML, whole or metadata only', async () => {
      const text = async (accept: string, path = pathTo(LAMP)) => {
        const { headers, body } = await served.handler(requestTo('GET', path, { headers: { accept } }));
        expect(headers['content-type']).to.equal('application/yaml');
        return Buffer.from(body as Uint8Array).toString('utf8');
      };
      expect(await text('application/yaml')).to.match(/kind: LampList\n(.|\n)*items:\n- (.|\n)*watts: 5/);
      expect(await text('application/yaml', pathTo(CHEST))).to.match(/kind: ChestList\n(.|\n)*items: \[\]/);
      expect(await text('application/yaml', pathTo(LIGHT))).to.include('power: 5');
    });
  });

  describe('in a watch', () => {
    it('are tables, of which only the first has the columns', async () => {
      const one = await watch(AS('Table'));
      const first = await one.next();
      expect([first?.type, tableIn(first).kind, tableIn(first).apiVersion]).to.deep.equal([
        'ADDED',
        'Table',
        'meta.k8s.io/v1',
      ]);
      expect(tableIn(first).columnDefinitions).to.have.length(2);
      expect(tableIn(first).rows[0]?.object?.kind).to.equal('PartialObjectMetadata');
      await create(served, LAMP, 'b', { watts: 1 });
      const second = tableIn(await one.next());
      expect(second.columnDefinitions ?? []).to.deep.equal([]);
      expect(second.rows[0]?.cells).to.deep.equal(['b', '0s']);
      const whole = await watch(AS('Table'), 'includeObject=Object');
      expect(tableIn(await whole.next()).rows[0]?.object?.kind).to.equal('Lamp');
    });

    it('are metadata only', async () => {
      const { metadata } = (await served.send('GET', pathTo(LAMP, 'a'))).body;
      const one = await watch(AS('PartialObjectMetadata'));
      expect(await one.next()).to.deep.equal({
        type: 'ADDED',
        object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata },
      });
      await served.send('DELETE', pathTo(LAMP, 'a'));
      const gone = await one.next();
      expect([gone?.type, gone?.object.kind]).to.deep.equal(['DELETED', 'PartialObjectMetadata']);
    });

    it('are of the kind that is watched, if they are stored as others', async () => {
      const one = await watch('application/json', '', pathTo(LIGHT));
      expect((await one.next())?.object).to.deep.include({ kind: 'Light', spec: { power: 5 } });
      await create(served, LAMP, 'b', { watts: 7 });
      expect((await one.next())?.object).to.deep.include({ kind: 'Light', spec: { power: 7 } });
      await served.send('DELETE', pathTo(LAMP, 'b'));
      const gone = await one.next();
      expect([gone?.type, gone?.object.kind]).to.deep.equal(['DELETED', 'Light']);
    });

    it('end with a bookmark in the same form, and with an empty list in the form of the stream', async () => {
      const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1';
      const bookmark = async (accept: string): Promise<Body> => {
        const one = await watch(accept, initial);
        await one.next();
        const frame = await one.next();
        expect(frame?.type).to.equal('BOOKMARK');
        return frame?.object as Body;
      };
      const list = ({ metadata }: Body): unknown => {
        const { annotations = {} } = metadata;
        expect(annotations['k8s.io/initial-events-end']).to.equal('true');
        return JSON.parse(
          Buffer.from(annotations['kubernetes.io/initial-events-list-blueprint'] ?? '', 'base64').toString(),
        );
      };
      const plain = await bookmark('application/json');
      expect([plain.kind, plain.apiVersion, plain.metadata.resourceVersion]).to.deep.equal([
        'Lamp',
        LAMP.apiVersion,
        now(),
      ]);
      expect(list(plain)).to.deep.equal({ kind: 'LampList', apiVersion: LAMP.apiVersion, metadata: {}, items: [] });
      const partial = await bookmark(AS('PartialObjectMetadata'));
      expect(partial.kind).to.equal('PartialObjectMetadata');
      expect(list(partial)).to.deep.equal({
        kind: 'PartialObjectMetadataList',
        apiVersion: 'meta.k8s.io/v1',
        metadata: {},
        items: [],
      });
      const table = (await bookmark(AS('Table'))) as Table;
      expect([table.kind, table.rows.length]).to.deep.equal(['Table', 1]);
      expect(list(table.rows[0]?.object as Body)).to.deep.include({ kind: 'PartialObjectMetadataList' });
    });

    it('have bookmarks without annotations later', async () => {
      for (const accept of ['application/json', AS('PartialObjectMetadata')]) {
        const one = await watch(accept, `resourceVersion=${now()}&allowWatchBookmarks=1`);
        await create(served, LAMP, `n-${accept.length}`, { watts: 1 });
        await one.next();
        served.time += 60_000;
        await create(served, LAMP, `m-${accept.length}`, { watts: 1 });
        await one.next();
        const frame = await one.next();
        expect(frame?.type).to.equal('BOOKMARK');
        expect(frame?.object.metadata).to.deep.equal({ resourceVersion: now() });
      }
    });
  });
});
