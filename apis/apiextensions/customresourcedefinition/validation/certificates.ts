import { X509Certificate } from 'node:crypto';
import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import { asJson, invalid } from './field-error.js';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** Checks that there is a certificate in `bundle`, which is base64 of PEM. */
export function bundleCauses(bundle: string | null | undefined, path: string): readonly StatusCause[] {
  if (!bundle) return [];
  const blocks = blocksOf(Buffer.from(bundle, 'base64').toString('latin1'));
  const problem = blocks.length === 0 ? 'unable to parse bytes as PEM block' : certificateProblem(blocks);
  if (problem === undefined) return [];
  const canonical = Buffer.from(bundle, 'base64').toString('base64');
  return [invalid(path, asJson(canonical), `unable to load root certificates: ${problem}`)];
}

function blocksOf(pem: string): readonly string[] {
  const blocks: string[] = [];
  for (let start = pem.indexOf(BEGIN); start >= 0; start = pem.indexOf(BEGIN, start + BEGIN.length)) {
    const end = pem.indexOf(END, start);
    if (end < 0) break;
    blocks.push(pem.slice(start, end + END.length));
  }
  return blocks;
}

/** `undefined` if one of the blocks is a certificate. */
function certificateProblem(blocks: readonly string[]): string | undefined {
  const isCertificate = (block: string): boolean => {
    try {
      return new X509Certificate(block).subject !== null;
    } catch {
      return false;
    }
  };
  return blocks.some(isCertificate) ? undefined : 'failed to parse certificate: x509: malformed certificate';
}
