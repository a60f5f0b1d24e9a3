import { expect } from 'chai';
import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { decodeYaml } from '../../pkg/json/decode.js';
import { keyOf } from '../../storage/key.js';
import { MemoryEntry } from '../../storage/state/entry.js';
import { renderList } from './render-list.js';
import type { Target } from './verb.js';

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
      const bytes = Buffer.concat(await chunksOf(render(objects)));
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
      const { value } = decodeYaml(Buffer.concat(await chunksOf(render(objects, yaml))));
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
    it(`${what} are those of the whole document, and come in chunks if they are many`, async () => {
      for (const sizes of Object.values(SIZES)) {
        const objects = sizes.map((size, index) => object(`thing-${index}`, size));
        const chunks = await chunksOf(render(objects, { ...REQUEST, headers, query: new URLSearchParams(query) }));
        const text = Buffer.concat(chunks).toString();
        const whole = JSON.parse(text);
        expect(text).to.equal(query === 'pretty' ? `${JSON.stringify(whole, null, 2)}\n` : JSON.stringify(whole));
        expect(whole.items ?? whole.rows).to.have.length(sizes.length);
        expect(whole.items ?? objects).to.deep.equal(objects);
      }
      const many = Array.from({ length: 2000 }, (_, index) => object(`thing-${index}`, 300));
      const { body } = render(many, { ...REQUEST, headers, query: new URLSearchParams(query) });
      expect(body).not.to.be.instanceOf(Uint8Array);
    });
  }

  it('come in chunks that are written at once', async () => {
    const chunks = await chunksOf(render(Array.from({ length: 500 }, (_, index) => object(`thing-${index}`, 300))));
    for (const { length } of chunks) expect(length).to.be.at.most(64 * 1024);
    for (const { length } of chunks.slice(0, -1)) expect(length).to.be.at.least(63 * 1024);
  });

  it('end when nobody reads them any more', async () => {
    const { body } = render(Array.from({ length: 500 }, (_, index) => object(`thing-${index}`, 300)));
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      expect(chunk.length).to.be.greaterThan(0);
      break;
    }
    expect(await chunksOf({ status: 200, headers: {}, ...(body && { body }) })).to.deep.equal([]);
  });
});

function render(objects: readonly unknown[], request = REQUEST): ApiResponse {
  const entries = objects.map(
    (value, index) =>
      new MemoryEntry(keyOf('things', '', `${index}`), 1, Buffer.from(JSON.stringify(value)), {
        labels: {},
        fields: {},
      }),
  );
  const answer = renderList(request, { kind: KIND, registry: { clock: Date } } as unknown as Target, entries, {
    resourceVersion: '7',
  });
  // Only a list in protobuf takes time.
  return answer as ApiResponse;
}

async function chunksOf({ body }: ApiResponse): Promise<readonly Uint8Array[]> {
  if (body === undefined || body instanceof Uint8Array) return body === undefined ? [] : [body];
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks;
}
