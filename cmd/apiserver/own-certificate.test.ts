import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { generateCa, generateLeaf, type KeyPair } from '../../pkg/identity/certs/generate.js';
import { readOwnCertificate } from './own-certificate.js';

const NOW = new Date('2026-01-31T00:00:00Z');
const DAY = 86_400_000;
const inDays = (days: number): Date => new Date(NOW.getTime() + days * DAY);

describe('the configured certificate of the server', () => {
  let folder = '';
  let ca: KeyPair;
  let leaf: KeyPair;
  let [certFile, keyFile] = ['', ''];

  const leafUntil = (to: Date) =>
    generateLeaf(ca, { commonName: 'dash.example', names: ['dash.example'], validity: { from: inDays(-400), to } });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'apiserver-certificate-'));
    [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
    ca = await generateCa({ from: inDays(-400), to: inDays(400) });
    leaf = await leafUntil(inDays(15));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function read(certificate: string, key: string) {
    await Promise.all([writeFile(certFile, certificate), writeFile(keyFile, key)]);
    return readOwnCertificate(certFile, keyFile, NOW);
  }

  const problemOf = (certificate: string, key: string): Promise<string> =>
    read(certificate, key).then(
      () => 'none',
      (error: Error) => error.message,
    );

  it('is taken with its chain', async () => {
    const chain = leaf.certificate + ca.certificate;
    expect(await read(chain, leaf.key)).to.deep.equal({
      pair: { certificate: chain, key: leaf.key },
      warning: undefined,
    });
  });

  it('is refused with a key of another certificate, with the names of both files', async () => {
    const wanted = `server.key_file: the key in ${keyFile} does not belong to the first certificate in ${certFile} (server.cert_file)`;
    expect(await problemOf(leaf.certificate, ca.key)).to.contain(wanted);
    expect(await problemOf(ca.certificate + leaf.certificate, leaf.key)).to.contain(wanted);
  });

  it('is refused if the files are no PEM, with the setting and the file', async () => {
    expect(await problemOf('no PEM', leaf.key)).to.contain(`server.cert_file: ${certFile} has no certificate in PEM: `);
    expect(await problemOf(leaf.key, leaf.key)).to.contain('server.cert_file: ');
    expect(await problemOf(leaf.certificate, 'no PEM')).to.contain(
      `server.key_file: ${keyFile} has no private key in PEM: `,
    );
  });

  it('is refused if a file cannot be read', async () => {
    const missing = join(folder, 'missing');
    const error = await readOwnCertificate(missing, keyFile, NOW).catch((reason: unknown) => reason);
    expect(String(error)).to.contain(`server.cert_file: cannot read ${missing}: ENOENT`);
  });

  it('is taken with a warning if it has expired or expires within 14 days', async () => {
    const warningUntil = async (to: Date) => {
      const { certificate, key } = await leafUntil(to);
      return (await read(certificate, key)).warning;
    };
    expect(await warningUntil(inDays(14))).to.contain(
      `server.cert_file: the certificate in ${certFile} expires at 2026-02-14T00:00:00.000Z. Replace it`,
    );
    expect(await warningUntil(inDays(-1))).to.contain('has expired at 2026-01-30T00:00:00.000Z, so clients refuse it');
    expect(await warningUntil(inDays(14.01))).to.equal(undefined);
  });
});
