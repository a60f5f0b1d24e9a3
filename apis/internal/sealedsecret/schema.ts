import { z } from 'zod';
import { recordOf } from '../../../pkg/kube/meta/bounded.js';

/** The most characters of an encrypted text: one of 100,000 characters of up to 4 bytes. */
const LONGEST = 600_000;

export const SealedSecretSpec = z
  .strictObject({ values: recordOf(z.string().min(1).max(LONGEST), 100).describe('Encrypted under the data key.') })
  .meta({ id: 'SealedSecretSpec' });
export type SealedSecretSpec = z.infer<typeof SealedSecretSpec>;
