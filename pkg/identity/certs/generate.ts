import { createPrivateKey, KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its private key in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface Validity {
  readonly from: Date;
  readonly to: Date;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/** Loaded on demand, because loading takes a quarter of a second and certificates are rarely made. */
const loadX509 = async () => (await import('./x509.js')).x509;

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;

/** A random number of 127 bits: positive and unique, as RFC 5280 requires. */
const newSerial = (): string => {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
};

const exportKey = (key: webcrypto.CryptoKey): string =>
  KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();

const importKey = (pem: string): Promise<webcrypto.CryptoKey> => {
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
};

/** Makes a certificate authority. Its name has a random part, so that two authorities cannot be confused. */
export async function generateCa(validity: Validity): Promise<KeyPair> {
  const x509 = await loadX509();
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: [{ CN: [`apiserver-ca-${randomBytes(4).toString('hex')}`] }],
    notBefore: validity.from,
    notAfter: validity.to,
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: `${certificate.toString('pem')}\n`, key: exportKey(keys.privateKey) };
}

export interface Leaf {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** The OU; empty for none. */
  readonly generation?: string;
  /** The host names and IP addresses of a server; absent for a client. */
  readonly names?: readonly string[];
  readonly validity: Validity;
}

/**
 * Makes a certificate signed by `ca`: for a server if it has names, otherwise for a client. It ends no later than the
 * CA.
 */
export async function generateLeaf(ca: KeyPair, leaf: Leaf): Promise<KeyPair> {
  const x509 = await loadX509();
  const keys = await newKeys();
  const issuer = new x509.X509Certificate(ca.certificate);
  const names = leaf.names ?? [];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: [
      ...(leaf.organizations ?? []).map((name) => ({ O: [name] })),
      ...(leaf.generation ? [{ OU: [leaf.generation] }] : []),
      { CN: [leaf.commonName] },
    ],
    issuer: issuer.subjectName,
    notBefore: leaf.validity.from,
    notAfter: new Date(Math.min(leaf.validity.to.getTime(), issuer.notAfter.getTime())),
    signingKey: await importKey(ca.key),
    publicKey: keys.publicKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([names.length > 0 ? SERVER_AUTH : CLIENT_AUTH]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names.map(generalName))] : []),
    ],
  });
  return { certificate: `${certificate.toString('pem')}\n`, key: exportKey(keys.privateKey) };
}

const generalName = (name: string): { type: 'ip' | 'dns'; value: string } => ({
  type: isIP(name) === 0 ? 'dns' : 'ip',
  value: name,
});

/** Whether the certificate is valid now and has more than a third of its lifetime left. */
export function isFresh(certificate: X509Certificate, now: Date): boolean {
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  return now.getTime() >= from && to - now.getTime() > (to - from) / 3;
}

/** Whether this CA signed the certificate, and the key belongs to the certificate. */
export function belongsTo(pair: KeyPair, ca: X509Certificate): boolean {
  const certificate = new X509Certificate(pair.certificate);
  const isSigned = certificate.checkIssued(ca) && certificate.verify(ca.publicKey);
  return isSigned && certificate.checkPrivateKey(createPrivateKey(pair.key));
}
