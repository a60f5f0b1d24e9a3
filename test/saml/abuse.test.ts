import { request as ask } from 'node:http';
import { expect } from 'chai';
import { readResponse } from '../../pkg/identity/saml/response.js';
import { samlRootUrl } from '../../pkg/identity/saml/root-url.js';
import { SamlSettings } from '../../pkg/identity/saml/settings.js';
import { Browser } from '../signon/browser.js';
import { pairNamed } from './certificates.js';
import { assertionXml, encoded, responseXml, signed } from './forge.js';
import { formIn, oneSamlWorld } from './world.js';

/** `fetch` sends no other `Host`. */
function visitAs(host: string, port: number, path: string): Promise<{ status: number; location: string }> {
  return new Promise((resolve, reject) => {
    ask({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? '' });
    })
      .on('error', reject)
      .end();
  });
}

describe('the address of this server in SAML', () => {
  // Promise: security saml
  it('is server.root_url, or a name of loopback on a server that only this machine can reach', () => {
    const rootUrl = 'https://dash.example/';
    expect(samlRootUrl({ rootUrl }, 'evil.example', false)).to.equal('https://dash.example');
    expect(samlRootUrl({ isLocal: true }, 'localhost:3000', false)).to.equal('http://localhost:3000');
    expect(samlRootUrl({ isLocal: true }, '[::1]:3000', false)).to.equal('http://[::1]:3000');
    for (const [isLocal, host] of [
      [true, 'evil.example'],
      [true, 'localhost.evil.example'],
      [true, '192.0.2.1'],
      [true, ''],
      [false, 'localhost'],
    ] as const)
      expect(() => samlRootUrl({ isLocal }, host, true), host).to.throw('server.root_url');
  });
});

oneSamlWorld('a client that names another service', (world) => {
  // Promise: security saml
  it('begins no sign-in and gets no metadata for that service', async () => {
    const { port } = world().server;
    for (const host of ['evil.example', '192.0.2.1']) {
      expect((await visitAs(host, port, '/login/saml')).location).to.equal('/login?error=settings');
      expect((await visitAs(host, port, '/saml/metadata')).status).to.equal(421);
    }
  });
});

oneSamlWorld(
  'pages of other sites',
  (world) => {
    // Promise: security saml
    it('do not let the sign-ins of their visitors wait', async () => {
      const { url, signInAs, idp } = world();
      const said = { acs: `${url}/saml/acs`, audience: `${url}/saml/metadata`, issuer: idp.entityId };
      const forged = signed(responseXml(said, assertionXml(said)), 'Assertion', await pairNamed('another'));
      for (const xml of ['x', forged])
        for (let sent = 0; sent < 15; sent++) {
          const form = { SAMLResponse: encoded(xml), again: '1' };
          await new Browser().visit(`${url}/saml/acs`, { form, headers: { origin: 'https://evil.example' } });
          await new Browser().visit(`${url}/saml/slo?SAMLRequest=x`);
        }
      const { caller } = await signInAs({ nameId: 'ann', attributes: { login: ['ann'] } });
      expect(caller).to.include({ name: 'ann' });
    });
  },
  { saml: { allow_idp_initiated: 'true', single_logout: 'true' } },
);

oneSamlWorld('a response with 1,000 groups', (world) => {
  // Promise: security saml
  it('lets nobody else wait while it is read', async () => {
    const { url, idp } = world();
    const groups = Array.from({ length: 1000 }, (_, n) => `group-${n}`);
    idp.person = { nameId: 'ann', attributes: { login: ['ann'], groups } };
    const browser = new Browser();
    const page = await browser.visit((await browser.visit(`${url}/login/saml`)).location);
    let isRead = false;
    const read = browser.visit(`${url}/saml/acs`, { form: formIn(page)?.fields ?? {} }).finally(() => {
      isRead = true;
    });
    // Each of them is answered between two turns of the event loop.
    for (let asked = 0; asked < 5; asked++) expect((await new Browser().visit(`${url}/whoami`)).status).to.equal(401);
    expect(isRead).to.equal(false);
    expect((await read).location).to.equal(`${url}/`);
  });
});

describe('a response that takes time', () => {
  const outcome = async (make: (assertion: string) => string, groups = 1): Promise<string> => {
    const pair = await pairNamed('idp');
    const partners = {
      settings: SamlSettings.parse({}),
      addresses: { entityId: 'e', metadata: 'm', acs: 'a', slo: 's' },
      credentials: undefined,
      idp: {
        entityId: 'i',
        certificates: [pair.certificate],
        signOn: { url: 'https://id.example', binding: 'redirect' as const },
        logout: undefined,
        wantsSignedRequests: false,
        ends: undefined,
      },
    };
    const attributes = { groups: Array.from({ length: groups }, (_, n) => `group-${n}`) };
    const said = { acs: 'a', audience: 'e', issuer: 'i', nameId: 'ada', attributes };
    const xml = make(signed(responseXml(said, assertionXml(said)), 'Assertion', pair));
    return readResponse(partners, xml, Date.now()).then(
      ({ nameId }) => nameId.value,
      (error: Error) => `${error.message}: ${(error.cause as Error | undefined)?.message ?? ''}`,
    );
  };

  it('is read with 1,000 groups', async () => {
    expect(await outcome((xml) => xml, 1000)).to.equal('ada');
  });

  // Promise: security saml
  it('is refused before its signature is checked, with many children of an element or elements in all', async () => {
    const inside = (text: string) => (xml: string) => xml.replace('</saml:Assertion>', `${text}</saml:Assertion>`);
    expect(await outcome(inside('<a/>'.repeat(300)))).to.contain('too many children');
    expect(await outcome(inside(`<Attribute>${'<a/>x'.repeat(600)}</Attribute>`))).to.contain('too many children');
    expect(await outcome(inside('<b/>x'.repeat(150)))).to.contain('too many children');
    expect(await outcome(inside(`<b>${'<a/>'.repeat(100)}</b>`.repeat(20)))).to.contain('too many elements');
  });

  // Promise: security saml
  it('is refused without a signature in the response or the assertion', async () => {
    const moved = (xml: string): string => {
      const signature = /<Signature[\s\S]*<\/Signature>/.exec(xml)?.[0] ?? '';
      return xml
        .replace(signature, '')
        .replace('<samlp:Status>', `<samlp:Extensions>${signature}</samlp:Extensions><samlp:Status>`);
    };
    expect(await outcome(moved)).to.equal('neither the message nor its assertion is signed: ');
  });
});
