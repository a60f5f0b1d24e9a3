import { expect } from 'chai';
import { load } from 'js-yaml';
import { inAcceptedForm } from '../../pkg/http/negotiation/forms.js';
import { jsonOf, requestFor, send } from '../../pkg/http/negotiation/testing.js';
import { discoveryRoutes } from './routes.js';
import { KUBECTL, routes, TEAMS } from './testing/resources.js';

describe('indented discovery', () => {
  const textOf = async (path: string, headers: Readonly<Record<string, string>>) => {
    const response = await send(routes(), requestFor(path, headers));
    return { response, text: Buffer.from(response.body as Uint8Array).toString() };
  };

  it('is sent to curl and for ?pretty=true, with an ETag of its own', async () => {
    for (const path of ['/apis', '/api', '/apis/iam.svc.app', '/apis/iam.svc.app/v1beta1']) {
      const line = await textOf(path, {});
      const pages = [await textOf(path, { 'user-agent': 'curl/8.5' }), await textOf(`${path}?pretty=true`, {})];
      for (const { response, text } of pages) {
        expect(text, path).to.match(/^\{\n {2}"/);
        expect(JSON.parse(text)).to.deep.equal(JSON.parse(line.text));
        const etag = String(response.headers['etag']);
        expect(etag).to.not.equal(line.response.headers['etag']);
        const again = requestFor(path, { 'user-agent': 'curl/8.5', 'if-none-match': etag });
        expect((await send(routes(), again)).status).to.equal(304);
      }
    }
  });
});

describe('discovery for clients that accept YAML only', () => {
  it('has the plain form, which the server then writes in YAML', async () => {
    for (const path of ['/apis', '/api', '/apis/iam.svc.app', '/apis/iam.svc.app/v1beta1']) {
      const response = await send(routes(), requestFor(path, { accept: 'application/yaml' }));
      const yaml = inAcceptedForm(requestFor(path, { accept: 'application/yaml' }), response);
      expect(load(Buffer.from(yaml.body as Uint8Array).toString())).to.deep.equal(jsonOf(response));
      expect(yaml.headers['content-type']).to.equal('application/yaml');
    }
  });
});

describe('a resource without verbs, of which only subresources are served', () => {
  const token = {
    name: 'token',
    kind: {
      group: 'authentication.k8s.io',
      version: 'v1',
      kind: 'TokenRequest',
      description: 'Not part of discovery.',
    },
    verbs: ['create'],
  };
  const placing = discoveryRoutes(() => [{ ...TEAMS, group: '', version: 'v1', verbs: [], subresources: [token] }]);
  const responseKind = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };

  // Promise: contract 1.1
  it('has no kind in aggregated discovery, so that clients read only its subresources', async () => {
    const core = jsonOf(await send(placing, requestFor('/api', { accept: KUBECTL })));
    expect(core)
      .to.have.nested.property('items[0].versions[0].resources')
      .that.deep.equals([
        {
          resource: 'teams',
          responseKind: { group: '', version: '', kind: '' },
          scope: 'Namespaced',
          singularResource: 'team',
          verbs: [],
          subresources: [{ subresource: 'token', responseKind, verbs: ['create'] }],
        },
      ]);
  });

  it('is left out of the legacy list', async () => {
    expect(jsonOf(await send(placing, requestFor('/api/v1')))).to.have.deep.property('resources', [
      { name: 'teams/token', singularName: '', namespaced: true, ...responseKind, verbs: ['create'] },
    ]);
  });
});

describe('the discovery paths', () => {
  it('are these', () => {
    expect(routes().paths()).to.deep.equal([
      '/api',
      '/apis',
      '/apis/folder.svc.app',
      '/apis/authentication.k8s.io',
      '/apis/iam.svc.app',
      '/apis/folder.svc.app/v1beta1',
      '/apis/authentication.k8s.io/v1',
      '/apis/iam.svc.app/v1beta1',
    ]);
  });

  for (const path of ['/api', '/apis', '/apis/iam.svc.app', '/apis/iam.svc.app/v1beta1']) {
    it(`${path} refuses other media types and writes`, async () => {
      expect(await failure(path, { accept: 'application/vnd.kubernetes.protobuf' })).to.equal(406);
      expect(await failure(path, {}, 'POST')).to.equal(405);
    });
  }
});

async function failure(path: string, headers: Record<string, string>, method = 'GET'): Promise<unknown> {
  return send(routes(), requestFor(path, headers, method)).then(
    ({ status }) => `answered ${status}`,
    (error: { code?: number }) => error.code,
  );
}
