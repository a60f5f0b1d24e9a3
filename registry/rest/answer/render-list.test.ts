import { expect } from 'chai';
import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { decodeYaml } from '../../../pkg/kube/json/decode.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { keyOf } from '../../../storage/key.js';
import { MemoryEntry } from '../../../storage/state/entry.js';
import { withTurns } from '../../../storage/testing/passed-turns.js';
import type { Kind } from '../../kinds/kind.js';
import type { VerbTarget } from '../verb.js';
import { renderList } from './render-list.js';

const KIND = { kind: 'Thing', apiVersion: 'things.test/v1' };
const REQUEST = { headers: {}, query: new URLSearchParams() } as unknown as ApiRequest;

const object = (name: string, size: number) => ({ metadata: { name, text: 'é'.repeat(size) } });

/** Larger objects than 16 KiB are kept as bytes, others as text. */
const SIZES: Readonly<Record<string, readonly number[]>> = {
  none: [],
  'a small one': [10],
  'a large one': [20_000],
  'small and large ones': [10, 20_000, 10, 40_000, 100_000, 10],
  'many small ones': Array.from({ length: 500 }, () => 300),
};

describe('the bytes of a list', () => {
  for (const [name, sizes] of Object.entries(SIZES)) {
    it(`are one document with all objects: ${name}`, async () => {
      const objects = sizes.map((size, index) => object(`thing-${index}`, size));
      const bytes = Buffer.concat(await chunksOf(await render(objects)));
      expect(JSON.parse(bytes.toString())).to.deep.equal({
        kind: 'ThingList',
        apiVersion: KIND.apiVersion,
        metadata: { resourceVersion: '7' },
        items: objects,
      });
    });
  }

  it('are the same document in YAML', async () => {
    for (const sizes of Object.values(SIZES)) {
      const objects = sizes.map((size, index) => object(`thing-${index}`, size));
      const yaml = { ...REQUEST, headers: { accept: 'application/yaml' } };
      const { value } = decodeYaml(Buffer.concat(await chunksOf(await render(objects, yaml))));
      const list = { kind: 'ThingList', apiVersion: KIND.apiVersion, metadata: { resourceVersion: '7' } };
      expect(value).to.deep.equal({ ...list, items: objects });
    }
  });

  const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  for (const [what, headers, query] of [
    ['for people', {}, 'pretty'],
    ['as a table', TABLE, ''],
    ['as a table for people', TABLE, 'pretty'],
  ] as const) {
    // Promise: security work
    it(`${what} are those of the whole document, and come in chunks if they are many`, async () => {
      for (const sizes of Object.values(SIZES)) {
        const objects = sizes.map((size, index) => object(`thing-${index}`, size));
        const chunks = await chunksOf(
          await render(objects, { ...REQUEST, headers, query: new URLSearchParams(query) }),
        );
        const text = Buffer.concat(chunks).toString();
        const whole = JSON.parse(text);
        expect(text).to.equal(query === 'pretty' ? `${JSON.stringify(whole, null, 2)}\n` : JSON.stringify(whole));
        expect(whole.items ?? whole.rows).to.have.length(sizes.length);
        expect(whole.items ?? objects).to.deep.equal(objects);
      }
      const many = Array.from({ length: 2000 }, (_, index) => object(`thing-${index}`, 300));
      const { body } = await render(many, { ...REQUEST, headers, query: new URLSearchParams(query) });
      expect(body).not.to.be.instanceOf(Uint8Array);
    });
  }

  it('come in chunks that are written at once', async () => {
    const chunks = await chunksOf(
      await render(Array.from({ length: 500 }, (_, index) => object(`thing-${index}`, 300))),
    );
    for (const { length } of chunks) expect(length).to.be.at.most(64 * 1024);
    for (const { length } of chunks.slice(0, -1)) expect(length).to.be.at.least(63 * 1024);
  });

  it('end when nobody reads them any more', async () => {
    const { body } = await render(Array.from({ length: 500 }, (_, index) => object(`thing-${index}`, 300)));
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      expect(chunk.length).to.be.greaterThan(0);
      break;
    }
    expect(await chunksOf({ status: 200, headers: {}, ...(body && { body }) })).to.deep.equal([]);
  });
});

describe('a list of large objects', function suite() {
  this.timeout(60_000);
  const large = (name: string) => ({
    apiVersion: 'things.test/v0',
    kind: 'Thing',
    metadata: { name },
    spec: { list: Array.from({ length: 60_000 }, (_, id) => ({ id, title: `part ${id}` })) },
  });
  const objects = [large('a'), { ...large('b'), spec: {} }, large('c')];
  const converted = {
    ...KIND,
    conversion: { convert: (one: KubeObject) => ({ ...one, apiVersion: KIND.apiVersion }) },
  };
  const asTable = (query: string) => [{ accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }, query] as const;
  const asMetadata = (type: string) =>
    [{ accept: `application/${type};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io` }, ''] as const;
  const itemsOf = async (bytes: Buffer, accept = ''): Promise<readonly unknown[]> => {
    const limits = { depth: 100, values: 10 ** 7 };
    const { value } = accept.includes('yaml') ? decodeYaml(bytes, limits) : { value: JSON.parse(bytes.toString()) };
    return value.items ?? value.rows.map(({ object: one, cells }: { object: unknown; cells: unknown }) => one ?? cells);
  };
  const metadata = objects.map((one) => ({
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: one.metadata,
  }));

  for (const [what, headers, query, expected, kind] of [
    ['YAML', { accept: 'application/yaml' }, '', objects, KIND],
    ['indented JSON', {}, 'pretty', objects, KIND],
    ['a table', ...asTable(''), metadata, KIND],
    ['a table with the objects', ...asTable('includeObject=Object'), objects, KIND],
    ['an indented table with the objects', ...asTable('includeObject=Object&pretty'), objects, KIND],
    ['metadata', ...asMetadata('json'), metadata, KIND],
    ['metadata in YAML', ...asMetadata('yaml'), metadata, KIND],
    ['objects of another version', {}, '', objects.map((one) => ({ ...one, apiVersion: KIND.apiVersion })), converted],
  ] as const) {
    it(`as ${what} lets others have their turns while it reads and writes one of them`, async () => {
      const request = { ...REQUEST, headers, query: new URLSearchParams(query) };
      const [chunks, turns] = await withTurns(async () =>
        chunksOf(await render(objects, request, kind as Partial<Kind>)),
      );
      expect(await itemsOf(Buffer.concat(chunks), 'accept' in headers ? headers.accept : '')).to.deep.equal(expected);
      expect(turns).to.be.greaterThan(100);
    });
  }

  it('in protobuf lets others have their turns while it reads one of them', async () => {
    const [headers] = asMetadata('vnd.kubernetes.protobuf');
    const [chunks, turns] = await withTurns(async () => chunksOf(await render(objects, { ...REQUEST, headers })));
    expect(chunks).to.have.length(1);
    expect(turns).to.be.greaterThan(100);
  });
});

function render(
  objects: readonly unknown[],
  request = REQUEST,
  kind: Partial<Kind> = KIND,
): ApiResponse | Promise<ApiResponse> {
  const entries = objects.map(
    (value, index) =>
      new MemoryEntry(keyOf('things', '', `${index}`), 1, Buffer.from(JSON.stringify(value)), {
        labels: {},
        fields: {},
      }),
  );
  const target = { kind, registry: { clock: Date } } as unknown as VerbTarget;
  return renderList(request, target, entries, { resourceVersion: '7' });
}

async function chunksOf({ body }: ApiResponse): Promise<readonly Uint8Array[]> {
  if (body === undefined || body instanceof Uint8Array) return body === undefined ? [] : [body];
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks;
}
