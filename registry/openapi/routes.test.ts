import { expect } from 'chai';
import { jsonOf, requestFor, send } from '../../pkg/http/negotiation/testing.js';
import type { Schemas } from '../../pkg/kube/openapi/schema.js';
import { decodeDocument, named } from '../../pkg/kube/openapi/testing/protobuf.js';
import { refsOf } from '../../pkg/kube/openapi/testing/refs.js';
import { openApiRoutes } from './routes.js';
import { codeOf, GADGETS, indexEntries, OPTIONS, PART, type Paths, ROOT, routes, v3 } from './testing/gadgets.js';

describe('/openapi/v3', () => {
  // Promise: contract 1.5
  it('lists the documents without a leading slash, with the URL of their hash', async () => {
    const entries = await indexEntries();
    expect(Object.keys(entries)).to.deep.equal(['apis/gadget.svc.app/v1beta1', 'apis/authentication.k8s.io/v1']);
    expect(entries['apis/gadget.svc.app/v1beta1']?.serverRelativeURL).to.match(
      /^\/openapi\/v3\/apis\/gadget\.svc\.app\/v1beta1\?hash=[0-9A-F]{64}$/,
    );
  });

  // Promise: contract 1.5
  it('lets clients cache a document under its hash for ever, and redirects from any other hash', async () => {
    const url = (await indexEntries())['apis/gadget.svc.app/v1beta1']?.serverRelativeURL ?? '';
    const found = await send(routes(), requestFor(url));
    expect(found.status).to.equal(200);
    expect(found.headers['cache-control']).to.match(/^public, immutable/);
    expect(found.headers['etag']).to.equal(`"${url.split('hash=')[1]}"`);
    const days = (Date.parse(String(found.headers['expires'])) - Date.now()) / (24 * 3600 * 1000);
    expect(days).to.be.within(364, 366);
    const moved = await send(routes(), requestFor(`${PART}?hash=OLD`));
    expect(moved.status).to.equal(301);
    expect(moved.headers['location']).to.equal(url);
  });

  // Promise: contract 1.5
  it('makes clients revalidate a document that they request without a hash', async () => {
    const first = await send(routes(), requestFor(PART));
    expect(first.headers['cache-control']).to.equal('no-cache, private');
    const again = await send(routes(), requestFor(PART, { 'if-none-match': String(first.headers['etag']) }));
    expect(again.status).to.equal(304);
  });

  // Promise: contract 1.5
  it('answers protobuf with the same document under the same hash, and a content type that Go can parse', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
    const url = (await indexEntries())['apis/gadget.svc.app/v1beta1']?.serverRelativeURL ?? '';
    const response = await send(routes(), requestFor(url, { accept }));
    expect(response.status).to.equal(200);
    expect(response.headers['content-type']).to.equal('application/com.github.proto-openapi.spec.v3.v1.0+protobuf');
    expect(response.headers['etag']).to.not.equal((await send(routes(), requestFor(url))).headers['etag']);
    const messages = {
      Document: {
        openapi: { type: 'string', id: 1 },
        paths: { type: 'Named', id: 4 },
        components: { type: 'Components', id: 5 },
      },
      Components: { schemas: { type: 'Named', id: 1 } },
      ...named(1),
    };
    const document = decodeDocument(messages, response.body as Uint8Array);
    const { paths, components } = await v3();
    const names = (members: object) => ({ named: Object.keys(members).map((name) => ({ name })) });
    expect(document).to.deep.equal({
      openapi: '3.0.0',
      paths: names(paths),
      components: { schemas: names(components.schemas) },
    });
  });

  // Promise: contract 1.5
  it('answers 406 to clients that accept neither JSON nor protobuf, and lists the documents as JSON to all clients', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
    expect(await codeOf(send(routes(), requestFor(PART, { accept: 'text/html' })))).to.equal(406);
    expect((await send(routes(), requestFor('/openapi/v3', { accept }))).headers['content-type']).to.equal(
      'application/json',
    );
    const preferring = await send(routes(), requestFor(PART, { accept: `application/json,${accept}` }));
    expect(preferring.headers['content-type']).to.equal('application/json');
  });

  it('names what it has to clients that accept neither, also to those that ask for protobuf of another type', async () => {
    for (const [path, name] of [
      [PART, 'v3'],
      ['/openapi/v2', 'v2'],
    ] as const) {
      const own = `com.github.proto-openapi.spec.${name}.v1.0+protobuf`;
      for (const accept of ['text/html', 'application/protobuf', `text/${own}`]) {
        const refused = await send(routes(), requestFor(path, { accept })).catch((error: Error) => error);
        expect((refused as Error).message)
          .to.include('application/json')
          .and.include(`application/${own}`);
      }
    }
  });

  it('leaves out resources that are not served', () => {
    expect(openApiRoutes(() => [{ ...GADGETS, served: false }], OPTIONS).paths()).to.deep.equal([
      '/openapi/v2',
      '/openapi/v3',
    ]);
  });
});

describe('/openapi/v2', () => {
  // Promise: contract 1.4
  it('answers protobuf with the same document, and a content type that Go can parse', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const response = await send(routes(), requestFor('/openapi/v2?timeout=32s', { accept }));
    expect(response.status).to.equal(200);
    expect(response.headers['content-type']).to.equal('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    const messages = {
      Document: {
        swagger: { type: 'string', id: 1 },
        paths: { type: 'Paths', id: 8 },
        definitions: { type: 'Named', id: 9 },
      },
      Paths: { named: { rule: 'repeated', type: 'Name', id: 2 } },
      ...named(1),
    };
    const document = decodeDocument(messages, response.body as Uint8Array);
    const { swagger, paths, definitions } = jsonOf(await send(routes(), requestFor('/openapi/v2'))) as {
      swagger: string;
      paths: Paths;
      definitions: Schemas;
    };
    const names = (members: object) => ({ named: Object.keys(members).map((name) => ({ name })) });
    expect(document).to.deep.equal({ swagger, paths: names(paths), definitions: names(definitions) });
  });

  // Promise: contract 1.4
  it('answers JSON to other clients, and 406 to clients that accept neither', async () => {
    for (const headers of [{}, { accept: 'application/json, */*' }]) {
      const response = await send(routes(), requestFor('/openapi/v2', headers as Record<string, string>));
      expect(response.headers['content-type']).to.equal('application/json');
    }
    expect(await codeOf(send(routes(), requestFor('/openapi/v2', { accept: 'text/html' })))).to.equal(406);
  });

  // Promise: contract 1.4
  it('has the content of the v3 documents, in the format of 2.0', async () => {
    const document = jsonOf(await send(routes(), requestFor('/openapi/v2'))) as {
      swagger: string;
      paths: Paths;
      definitions: Schemas;
    };
    expect(document.swagger).to.equal('2.0');
    expect(Object.keys(document.paths)).to.have.length(6);
    const post = document.paths[`${ROOT}/lamps`]?.['post'];
    expect(post?.parameters?.find((parameter) => parameter.in === 'body')).to.deep.equal({
      name: 'body',
      in: 'body',
      required: true,
      schema: { $ref: '#/definitions/app.svc.gadget.v1beta1.Lamp' },
    });
    expect(post?.consumes).to.deep.equal(['application/json', 'application/yaml']);
    expect(post?.responses['201']).to.deep.equal({
      description: 'Created',
      schema: { $ref: '#/definitions/app.svc.gadget.v1beta1.Lamp' },
    });
    expect(document.definitions['app.svc.gadget.v1beta1.GadgetSpec'])
      .to.have.nested.property('properties.ratio')
      .that.deep.equals({
        'x-kubernetes-preserve-unknown-fields': true,
      });
    const text = JSON.stringify(document);
    for (const absent of ['components/schemas', '"nullable"', '"anyOf"', '"content"', '"requestBody"']) {
      expect(text).not.to.contain(absent);
    }
    for (const schema of Object.values(document.definitions)) {
      for (const target of refsOf(schema)) expect(document.definitions).to.have.property(target);
    }
  });
});
