import { expect } from 'chai';
import { parseMetadata } from '../../pkg/identity/saml/metadata.js';
import { Browser } from '../signon/browser.js';
import { base64, certificatesOf, pairNamed } from './certificates.js';
import { oneSamlWorld } from './world.js';

const ADA = { nameId: 'ada-1', attributes: { login: ['ada'] } };
const HOUR = 3_600_000;

oneSamlWorld('the metadata of a SAML provider', (world) => {
  it('are read once, and again when they are an hour old', async () => {
    await world().signInAs(ADA);
    await world().signInAs(ADA);
    expect(world().idp.reads).to.equal(1);
    world().server.advance(HOUR);
    expect((await new Browser().visit(`${world().url}/login/saml`)).location).to.contain('/sso?');
    expect(world().idp.reads).to.equal(2);
  });

  it('are used on while the provider does not answer, with a warning', async () => {
    const { idp, server, url } = world();
    const { metadata } = idp;
    idp.metadata = 'out of order';
    server.advance(HOUR);
    expect((await new Browser().visit(`${url}/login/saml`)).location).to.contain('/sso?');
    expect(server.warnings.join()).to.contain('were not read again');
    idp.metadata = metadata;
  });
});

oneSamlWorld('metadata that cannot be read', (world) => {
  it('are not asked for again in the next minute', async () => {
    const { idp, server, url } = world();
    const { metadata } = idp;
    idp.metadata = 'out of order';
    const begin = async () => (await new Browser().visit(`${url}/login/saml`)).location;
    for (let sent = 0; sent < 3; sent++) expect(await begin()).to.contain('/login?error=settings');
    expect(idp.reads).to.equal(1);
    idp.metadata = metadata;
    server.advance(61_000);
    expect(await begin()).to.contain('/sso?');
    expect(idp.reads).to.equal(2);
  });
});

oneSamlWorld('a SAML provider that changes its key', (world) => {
  it('may have two at once, and is asked for its metadata when it signs with one that is not known', async () => {
    const { idp, server } = world();
    expect((await world().signInAs(ADA)).caller).to.include({ name: 'ada' });
    const before = idp.metadata;
    idp.rotate(await pairNamed('idp 2'));
    const after = idp.metadata;
    const certificate = (xml: string): string => /<ds:X509Certificate>([^<]*)</.exec(xml)?.[1] ?? '';
    const both = after.replace(/(<KeyDescriptor use="signing">[\s\S]*?<\/KeyDescriptor>)/, (one) =>
      [one.replace(certificate(after), certificate(before)), one].join(''),
    );
    expect(certificate(both)).to.equal(certificate(before));
    idp.metadata = both;
    // A stranger can send wrong signatures, so the metadata are not read again for each of them.
    expect((await world().signInAs(ADA)).page.location).to.contain('error=provider');
    expect(idp.reads).to.equal(1);
    server.advance(61_000);
    const { caller } = await world().signInAs(ADA);
    expect([caller?.['name'], idp.reads]).to.deep.equal(['ada', 2]);
  });
});

describe('the metadata of an identity provider', () => {
  const valid = async (more = '', attributes = ''): Promise<string> => {
    const { certificate } = await pairNamed('idp');
    const text = certificate.replaceAll(/-----[^-]*-----|\s/g, '');
    return `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://id.example" ${attributes}><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${text}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>${more}<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://id.example/sso"/></IDPSSODescriptor></EntityDescriptor>`;
  };
  const problem = async (xml: string): Promise<string> => {
    const error = await parseMetadata(xml).catch((caught: unknown) => caught);
    return error instanceof Error ? error.message : '';
  };

  it('have a key without use, and comments', async () => {
    const { signOn, certificates, ends } = await parseMetadata(
      `<!-- x -->${await valid('', 'validUntil="2040-01-01T00:00:00Z"')}`,
    );
    expect(signOn).to.deep.equal({ url: 'https://id.example/sso', binding: 'post' });
    expect([certificates.length, ends]).to.deep.equal([1, Date.UTC(2040, 0, 1)]);
  });

  it('are refused with a reason', async () => {
    const xml = await valid();
    expect(await problem('x')).to.equal('the document is no XML');
    expect(await problem(`<!DOCTYPE x>${xml}`)).to.equal('the document declares a document type');
    expect(await problem(xml.replaceAll('IDPSSO', 'SPSSO'))).to.equal('it has no identity provider');
    expect(await problem(`<x>${xml}${xml}</x>`)).to.equal('it has several identity providers');
    expect(await problem(xml.replace('<KeyDescriptor>', '<KeyDescriptor use="encryption">'))).to.contain(
      'no certificate',
    );
    expect(await problem(xml.replace('https://id.example/sso', 'http://id.example/sso'))).to.contain('not an https://');
    expect(await problem(xml.replace('https://id.example/sso', 'javascript:alert(1)'))).to.contain('not an https://');
    expect(await problem(await valid('', 'validUntil="soon"'))).to.contain('validUntil');
    expect(await problem(xml.replace(/<X509Certificate>.{20}/, '<X509Certificate>'))).to.contain('cannot be read');
    const [key = ''] = /<KeyDescriptor>[\s\S]*<\/KeyDescriptor>/.exec(xml) ?? [];
    const certificates = await certificatesOf(11);
    const all = certificates.map((text) => key.replace(/<X509Certificate>[^<]*/, `<X509Certificate>${text}`));
    expect(await problem(xml.replace(key, all.join('')))).to.contain('more than 10 certificates');
    expect(await problem(`<x>${'<a/>'.repeat(70_000)}</x>`)).to.equal('the document has too many elements');
  });

  it('are XML in base64, or XML, in the setting', async () => {
    const { metadataText } = await import('../../pkg/identity/saml/metadata-text.js');
    expect([metadataText(base64('<x/>')), metadataText(' <x/>')]).to.deep.equal(['<x/>', '<x/>']);
  });
});
