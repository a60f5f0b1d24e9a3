import { expect } from 'chai';
import { patternProblem } from '../../pkg/kube/structural/patterns.js';
import { bodyOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly names: { readonly plural: string } };
  readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
}

function* patternsIn(value: unknown): Generator<string, void, undefined> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'pattern' && typeof member === 'string') yield member;
    else yield* patternsIn(member);
  }
}

oneStore('the schemas of the server', (server) => {
  it('are structural by the rules that it has for those of others', async () => {
    const { items } = bodyOf(await server().call('GET', DEFINITIONS), 200) as unknown as { items: Definition[] };
    expect(items.length).to.be.above(10);
    for (const { metadata, spec, status } of items) {
      expect(
        status?.conditions?.map(({ type }) => type),
        metadata.name,
      ).to.not.include('NonStructuralSchema');
      const name = `${spec.names.plural}.example.com`;
      const body = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name },
        spec: { ...spec, group: 'example.com' },
      };
      const answer = await server().call('POST', DEFINITIONS, { body, query: { dryRun: 'All' } });
      expect(answer.status, `${metadata.name} ${answer.text.slice(0, 1000)}`).to.equal(201);
      expect(answer.text, metadata.name).to.not.include('NonStructuralSchema');
    }
  });

  it('have only patterns that RE2 has, in OpenAPI, too, because clients in Go read them', async () => {
    const index = (await server().call('GET', '/openapi/v3')).json() as unknown as {
      paths: Readonly<Record<string, { serverRelativeURL: string }>>;
    };
    const urls = ['/openapi/v2', ...Object.values(index.paths).map(({ serverRelativeURL }) => serverRelativeURL)];
    let count = 0;
    for (const url of urls)
      for (const pattern of patternsIn((await server().call('GET', url)).json())) {
        count++;
        expect(patternProblem(pattern), `${url}: ${pattern}`).to.equal(undefined);
      }
    expect(count).to.be.above(10);
  });
});
