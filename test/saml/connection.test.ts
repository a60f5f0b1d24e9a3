import { expect } from 'chai';
import { checkSamlConnection } from '../../pkg/identity/saml/connection.js';
import { SamlSettings } from '../../pkg/identity/saml/settings.js';
import { providerGuard } from '../../pkg/identity/signon/reach.js';
import type { SignOnKey } from '../../pkg/identity/signon/values.js';
import { base64, pairNamed } from './certificates.js';
import { type IdentityProvider, openIdentityProvider } from './identity-provider.js';

describe('the test of a connection by SAML', () => {
  let idp: IdentityProvider;
  before(async () => {
    idp = await openIdentityProvider({ pair: await pairNamed('idp'), wantsSignedRequests: true });
  });
  after(() => idp.close());

  const tested = async (settings: object, networks = ['127.0.0.0/8'], now = Date.now()): Promise<readonly string[]> => {
    const reach = { guard: providerGuard(networks), ofOperator: new Set<SignOnKey>() };
    const source = { settings: SamlSettings.parse(settings), reach };
    const checks = await checkSamlConnection(source, new AbortController().signal, now);
    return checks.map(({ name, ok, message }) => `${name} ${ok} ${message}`);
  };
  const signing = async () => {
    const { certificate, key } = await pairNamed('server');
    return { certificate: base64(certificate), privateKey: key, signatureAlgorithm: 'rsa-sha256' };
  };

  it('reads the metadata of an address or a text, and the certificate of this server', async () => {
    const [metadata, certificate] = await tested({ idpMetadataUrl: `${idp.url}/metadata`, ...(await signing()) });
    expect(metadata).to.equal(`idpMetadataUrl true They name ${idp.entityId}.`);
    expect(certificate).to.match(/^certificate true It is valid until .* GMT\.$/);
    expect((await tested({ idpMetadata: base64(idp.metadata), ...(await signing()) }))[0]).to.contain(
      'idpMetadata true',
    );
  });

  it('tells what is wrong with them', async () => {
    const url = `${idp.url}/metadata`;
    const { signatureAlgorithm, ...credentials } = await signing();
    expect(await tested({ idpMetadataUrl: url })).to.deep.equal([
      'idpMetadataUrl false The provider wants signed requests, and signatureAlgorithm is not set.',
    ]);
    expect(await tested({ idpMetadataUrl: 'http://127.0.0.1:1/' })).to.deep.equal([
      'idpMetadataUrl false The host refuses the connection: nothing listens at this port.',
    ]);
    expect((await tested({ idpMetadataUrl: `${idp.url}/other` }))[0]).to.contain('the document is no XML');
    const late = Date.now() + 10 * 86_400_000;
    expect(await tested({ idpMetadataUrl: url, signatureAlgorithm, ...credentials }, undefined, late)).to.deep.equal([
      'idpMetadataUrl false All certificates of the provider have expired.',
      'certificate false It has expired.',
    ]);
    const { key } = await pairNamed('another');
    expect(await tested({ idpMetadata: idp.metadata, signatureAlgorithm, ...credentials, privateKey: key })).to.include(
      'certificate false private_key is not the one of certificate.',
    );
    expect((await tested({ idpMetadata: idp.metadata, signatureAlgorithm, certificate: 'x' }))[1]).to.contain(
      'is no certificate',
    );
  });

  // Promise: security addresses
  it('asks no internal address that is not listed, and does not tell it', async () => {
    const [message] = await tested({ idpMetadataUrl: `${idp.url}/metadata` }, []);
    expect(message).to.contain('auth.provider_networks').and.not.contain('127.0.0.1');
  });
});
