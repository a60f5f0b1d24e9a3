import type { KeyMaterial, SigningKeySpec } from '../../apis/internal/signingkey/schema.js';
import type { Authority } from '../../pkg/identity/certs/authority.js';
import type { KeyPair } from '../../pkg/identity/certs/generate.js';
import { type Trust, trustOf } from '../../pkg/identity/certs/trust.js';
import type { Sealer } from '../../pkg/identity/crypto/seal.js';
import { opened, SECRET_UNFINISHED, sealed } from './sealed-keys.js';

export function authorityOf(spec: SigningKeySpec, sealer: Sealer): Authority {
  const { previous, generation = '' } = spec;
  return { ca: opened(spec, sealer), ...(previous && { previous: opened(previous, sealer) }), generation };
}

/** Whether the stored authority is still this one. */
export function isOf({ publicKey, previous, generation = '' }: SigningKeySpec, read: Authority): boolean {
  const isSame = publicKey === read.ca.certificate && previous?.publicKey === read.previous?.certificate;
  return isSame && generation === read.generation;
}

/** Keys that are stored already keep their ciphertexts. */
export function specWith(old: SigningKeySpec | undefined, next: Authority, sealer: Sealer): SigningKeySpec {
  const stored = old === undefined ? [] : [materialOf(old), ...(old.previous ? [old.previous] : [])];
  const material = (pair: KeyPair): KeyMaterial => {
    const kept = stored.find(({ publicKey }) => publicKey === pair.certificate);
    if (kept === undefined && old?.privateKeyBefore !== undefined) throw new Error(SECRET_UNFINISHED);
    return kept ?? sealed(pair, sealer);
  };
  return {
    algorithm: 'ECDSA-P256',
    ...material(next.ca),
    ...(next.previous && { previous: material(next.previous) }),
    ...(next.generation && { generation: next.generation }),
  };
}

/** The current key without the rest. */
function materialOf({ privateKey, privateKeyBefore, publicKey }: SigningKeySpec): KeyMaterial {
  return { privateKey, ...(privateKeyBefore && { privateKeyBefore }), publicKey };
}

/** The spec with all of its keys encrypted in another way. */
export function resealed(spec: SigningKeySpec, how: (material: KeyMaterial) => KeyMaterial): SigningKeySpec {
  const { privateKeyBefore, ...rest } = spec;
  return { ...rest, ...how(materialOf(spec)), ...(spec.previous && { previous: how(spec.previous) }) };
}

export function trustedBy(spec: SigningKeySpec | undefined): Trust | undefined {
  if (spec === undefined) return undefined;
  const { publicKey, previous, generation = '' } = spec;
  return trustOf([publicKey, ...(previous ? [previous.publicKey] : [])], generation);
}
