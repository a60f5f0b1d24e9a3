import { expect } from 'chai';
import { z } from 'zod';
import { jsonOf, requestFor } from '../../pkg/http/negotiation/testing.js';
import { answer, listOf } from './answers.js';
import { type LegacyDocumentOptions, legacyOpenApi, legacyOpenApiRoute } from './openapi.js';
import { number } from './parameter-notes.js';
import { done } from './respond.js';
import { type LegacyRoute, routes } from './router.js';

const OPTIONS: LegacyDocumentOptions = { title: 'Lights', version: 'v9' };
const handle = () => done('ok');
const LAMPS = routes(
  { notes: { lampId: number('The number of the lamp.') } },
  {
    'GET /lamps': {
      summary: 'Lists lamps',
      query: ['colour', 'limit'],
      lists: ['colour'],
      notes: { colour: { description: 'What it shines.', values: ['red', 'blue'] } },
      answer: listOf(answer('Lamp', 'A lamp.', () => ({ watts: z.string() }))),
      handle,
    },
    'POST /lamps': { summary: 'Creates a lamp', body: z.object({ watts: z.string() }), handle },
    'GET /lamps/:lampId/bulb-types/:type': { summary: 'Reads a type', answer: 'none', handle },
  },
);
const documentOf = (table: readonly LegacyRoute[], prefix = '/api') => legacyOpenApi([{ prefix, table }], OPTIONS);
const routed = (key: 'GET /v1/lights' | 'DELETE /v1/lights/:uid' | 'GET /') =>
  documentOf(routes({}, { [key]: { summary: 'Does it', handle } } as Parameters<typeof routes>[1])).paths;

const FAILURE = { $ref: '#/components/schemas/legacy.Failure' };
const responses = (name?: string) => ({
  '2XX': {
    description: 'The request has succeeded.',
    ...(name && { content: { 'application/json': { schema: { $ref: `#/components/schemas/legacy.${name}` } } } }),
  },
  default: { description: 'The request is refused.', content: { 'application/json': { schema: FAILURE } } },
});
const STRING = { type: 'string' };

describe('the document of the legacy API', () => {
  it('has the routes of all tables by path and method, with their parameters and bodies', () => {
    expect(documentOf(LAMPS)).to.deep.equal({
      openapi: '3.0.0',
      info: { title: 'Lights', version: 'v9' },
      paths: {
        '/api/lamps': {
          get: {
            tags: ['lamps'],
            summary: 'Lists lamps',
            operationId: 'getLamps',
            parameters: [
              {
                name: 'colour',
                in: 'query',
                description: 'What it shines.',
                schema: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } },
              },
              {
                name: 'limit',
                in: 'query',
                description: 'The most items of the answer.',
                schema: { type: 'integer' },
              },
            ],
            responses: responses('getLampsAnswer'),
          },
          post: {
            tags: ['lamps'],
            summary: 'Creates a lamp',
            operationId: 'postLamps',
            parameters: [],
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/legacy.postLampsBody' } } },
            },
            responses: responses('Done'),
          },
        },
        '/api/lamps/{lampId}/bulb-types/{type}': {
          get: {
            tags: ['lamps'],
            summary: 'Reads a type',
            operationId: 'getLampsByLampIdBulbTypesByType',
            parameters: [
              {
                name: 'lampId',
                in: 'path',
                required: true,
                description: 'The number of the lamp.',
                schema: { type: 'integer' },
              },
              { name: 'type', in: 'path', required: true, schema: STRING },
            ],
            responses: responses(),
          },
        },
      },
      components: {
        schemas: {
          'legacy.postLampsBody': { type: 'object', properties: { watts: STRING }, required: ['watts'] },
          'legacy.Lamp': {
            type: 'object',
            description: 'A lamp.',
            properties: { watts: STRING },
            required: ['watts'],
          },
          'legacy.getLampsAnswer': { type: 'array', items: { $ref: '#/components/schemas/legacy.Lamp' } },
          'legacy.Done': {
            type: 'object',
            description: 'The answer to a change.',
            properties: { message: { type: 'string', description: 'What was done, for people.' } },
            required: ['message'],
          },
          'legacy.Failure': {
            type: 'object',
            description: 'Why the server refuses a request. Some routes have more members.',
            required: ['message'],
            properties: { message: { type: 'string', description: 'The reason, for people.' } },
          },
        },
        securitySchemes: {
          BearerToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'A token of a service account, or a JSON Web Token',
          },
        },
      },
      security: [{ BearerToken: [] }, {}],
    });
  });

  it('joins tables with prefixes of their own', () => {
    const [first, second] = [LAMPS.slice(0, 1), LAMPS.slice(1, 2)];
    const { paths } = legacyOpenApi(
      [
        { prefix: '/api', table: first },
        { prefix: '', table: second },
        { prefix: '/api', table: second },
      ],
      OPTIONS,
    );
    expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)])).to.deep.equal([
      ['/api/lamps', ['get', 'post']],
      ['/lamps', ['post']],
    ]);
  });

  it('shows operations together by the first part of their path that is no version', () => {
    expect(routed('GET /v1/lights')['/api/v1/lights']?.['get']).to.deep.include({
      tags: ['lights'],
      operationId: 'getV1Lights',
    });
    expect(routed('DELETE /v1/lights/:uid')['/api/v1/lights/{uid}']?.['delete']).to.deep.include({
      tags: ['lights'],
      operationId: 'deleteV1LightsByUid',
    });
    expect(routed('GET /')['/api/']?.['get']).to.deep.include({ tags: [''], operationId: 'get' });
  });
});

describe('the route of the document of the legacy API', () => {
  const route = legacyOpenApiRoute([{ prefix: '/api', table: LAMPS }], OPTIONS);

  it('answers with it in JSON, and need not send it again', async () => {
    const answer = await route(requestFor('/openapi'));
    expect(jsonOf(answer)).to.deep.equal(JSON.parse(JSON.stringify(documentOf(LAMPS))));
    expect(answer.headers['content-type']).to.equal('application/json');
    const again = await route(requestFor('/openapi', { 'if-none-match': String(answer.headers['etag']) }));
    expect(again.status).to.equal(304);
  });

  it('refuses clients that accept no JSON', async () => {
    const ask = async (accept: string) => route(requestFor('/openapi', { accept }));
    const refused = await ask('text/html').catch((error: unknown) => error);
    expect(refused).to.include({ code: 406 });
    expect((await route(requestFor('/openapi', { accept: 'text/html, application/json' }))).status).to.equal(200);
  });
});
