import { z } from 'zod';

export const CredentialSpec = z
  .strictObject({ hash: z.string().min(1).max(500).describe('As hashPassword made it.') })
  .meta({ id: 'CredentialSpec' });
export type CredentialSpec = z.infer<typeof CredentialSpec>;
