import { X509Certificate } from 'node:crypto';

/** Which client certificates are accepted. It is another object whenever the answer may change. */
export interface Trust {
  readonly authorities: readonly X509Certificate[];
  /** The OU of the certificates that are accepted. If it is empty, they have none. */
  readonly generation: string;
}

export function trustOf(certificates: readonly string[], generation: string): Trust {
  return { authorities: certificates.map((pem) => new X509Certificate(pem)), generation };
}

const known = new WeakMap<Trust, WeakMap<X509Certificate, boolean>>();

/**
 * Whether a trusted authority signed the certificate, and it was not revoked since. It may have expired. Remembered,
 * because every request asks.
 */
export function trusts(trust: Trust, certificate: X509Certificate): boolean {
  const answers = known.get(trust) ?? new WeakMap<X509Certificate, boolean>();
  known.set(trust, answers);
  const answer = answers.get(certificate) ?? isTrusted(trust, certificate);
  answers.set(certificate, answer);
  return answer;
}

function isTrusted({ authorities, generation }: Trust, certificate: X509Certificate): boolean {
  if (generationOf(certificate) !== generation) return false;
  return authorities.some((ca) => certificate.checkIssued(ca) && certificate.verify(ca.publicKey));
}

/** The OU of the subject; empty if there is none. */
export function generationOf({ subject }: X509Certificate): string {
  return /^OU=(.*)$/m.exec(subject)?.[1] ?? '';
}
