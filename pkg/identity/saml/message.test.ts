import { expect } from 'chai';
import { ASSERTION, PROTOCOL, readMessage } from './message.js';

const ENC = 'http://www.w3.org/2001/04/xmlenc#';
const ENC11 = 'http://www.w3.org/2009/xmlenc11#';
const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';

/** A response as Keycloak encrypts it, with the algorithms of its client. */
const encrypted = (transport: string, digest: string, content: string): string =>
  `<p:Response xmlns:p="${PROTOCOL}"><EncryptedAssertion xmlns="${ASSERTION}"><x:EncryptedData xmlns:x="${ENC}"><x:EncryptionMethod Algorithm="${content}"/><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><x:EncryptedKey><x:EncryptionMethod Algorithm="${transport}"><DigestMethod Algorithm="${digest}"/></x:EncryptionMethod></x:EncryptedKey></KeyInfo></x:EncryptedData></EncryptedAssertion></p:Response>`;

async function refusalOf(transport: string, digest: string, content: string): Promise<string> {
  return readMessage(encrypted(transport, digest, content), 'Response').then(
    () => '',
    (error: unknown) => (error as Error).message,
  );
}

describe('the algorithms of an encrypted assertion', () => {
  const [transport, content] = [`${ENC}rsa-oaep-mgf1p`, `${ENC11}aes256-gcm`];

  it('are taken if the library decrypts them', async () => {
    expect(await refusalOf(transport, SHA1, content)).to.equal('');
  });

  // Promise: security saml
  it('are refused otherwise, and the operator reads what to choose at the provider', async () => {
    for (const [element, key, digest, text] of [
      ['EncryptionMethod', `${ENC11}rsa-oaep`, SHA1, content],
      ['EncryptionMethod', `${ENC}rsa-1_5`, SHA1, content],
      ['EncryptionMethod', transport, SHA1, `${ENC}tripledes-cbc`],
      ['DigestMethod', transport, `${ENC}sha256`, content],
      ['DigestMethod', transport, `${ENC}sha512`, content],
    ] as const)
      expect(await refusalOf(key, digest, text), `${key} ${digest} ${text}`).to.equal(
        `the ${element} is weak or not supported: let the provider encrypt keys by RSA-OAEP-MGF1P with the digest SHA-1, and assertions by AES`,
      );
  });
});
