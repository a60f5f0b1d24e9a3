import { z } from 'zod';

export const NamespaceSpec = z
  .strictObject({ finalizers: z.array(z.string()).optional().describe('What keeps it from going.') })
  .meta({ id: 'NamespaceSpec' });
export type NamespaceSpec = z.infer<typeof NamespaceSpec>;

export const NamespaceStatus = z
  .strictObject({ phase: z.enum(['Active', 'Terminating']).describe('Terminating: it is being emptied.') })
  .meta({ id: 'NamespaceStatus' });
export type NamespaceStatus = z.infer<typeof NamespaceStatus>;
