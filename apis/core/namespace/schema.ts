import { z } from 'zod';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';

/** The finalizer of every namespace in Kubernetes: the contents are deleted first. */
export const KUBERNETES = 'kubernetes';

export const NamespaceSpec = z
  .strictObject({
    finalizers: arrayOf(z.string(), 100)
      .optional()
      .describe(`What delays its deletion: always \`${KUBERNETES}\`, its contents.`),
  })
  .meta({ id: 'NamespaceSpec', description: 'What a namespace is.' });
export type NamespaceSpec = z.infer<typeof NamespaceSpec>;

export const NamespaceStatus = z
  .strictObject({ phase: z.enum(['Active', 'Terminating']).describe('Terminating: it is being emptied.') })
  .meta({ id: 'NamespaceStatus', description: 'Whether a namespace is going.' });
export type NamespaceStatus = z.infer<typeof NamespaceStatus>;
