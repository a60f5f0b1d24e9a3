import { randomBytes, X509Certificate } from 'node:crypto';
import { belongsTo, generateCa, type KeyPair, type Validity } from './generate.js';

/** The certificate authority of the servers, and which client certificates are accepted. */
export interface Authority {
  /** Signs the client certificates. */
  readonly ca: KeyPair;
  /**
   * The earlier authority, while a rotation is not finished. It is still trusted, and signs the certificates of the
   * servers.
   */
  readonly previous?: KeyPair;
  /**
   * Client certificates must name it as OU. It is empty until the administrator's certificate is rotated for the first
   * time.
   */
  readonly generation: string;
}

const DAY = 86_400_000;
const CA_DAYS = 3_650;
/** A new certificate is backdated, so that it is valid on machines whose clocks are a little behind. */
export const BACKDATED = 5 * 60_000;

export const validFor = (days: number, now: Date): Validity => ({
  from: new Date(now.getTime() - BACKDATED),
  to: new Date(now.getTime() + days * DAY),
});

export const newCa = (now: Date): Promise<KeyPair> => generateCa(validFor(CA_DAYS, now));

/** An authority is used until the day before it ends, because a new one invalidates every kubeconfig. */
export function isUsableCa(pair: KeyPair, now: Date): boolean {
  const certificate = new X509Certificate(pair.certificate);
  return belongsTo(pair, certificate) && Date.parse(certificate.validTo) - now.getTime() > DAY;
}

/** Adds a new authority. Throws an error for the operator if a rotation is not finished. */
export async function startRotation({ ca, previous, generation }: Authority, now: Date): Promise<Authority> {
  if (previous !== undefined) {
    throw new Error('A rotation of the certificate authority is not finished. Finish it with --finish.');
  }
  return { ca: await newCa(now), previous: ca, generation };
}

/** Removes the earlier authority. Throws an error for the operator if there is none. */
export function finishRotation({ ca, previous, generation }: Authority): Authority {
  if (previous === undefined) throw new Error('There is no rotation of the certificate authority to finish.');
  return { ca, generation };
}

/** Revokes all client certificates. */
export function nextGeneration(authority: Authority): Authority {
  return { ...authority, generation: randomBytes(12).toString('hex') };
}
