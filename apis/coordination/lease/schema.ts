import { z } from 'zod';
import { microTime } from '../../../pkg/kube/meta/times.js';

export const LeaseSpec = z
  .strictObject({
    holderIdentity: z.string().max(1024).optional().describe('Who holds the lease. Empty: nobody does.'),
    leaseDurationSeconds: z
      .int()
      .min(1)
      .max(2 ** 31 - 1)
      .optional()
      .describe('How many seconds after renewTime others may take the lease.'),
    acquireTime: microTime('When its holder got the lease.').optional(),
    renewTime: microTime('When its holder last renewed the lease.').optional(),
    leaseTransitions: z
      .int()
      .min(0)
      .max(2 ** 31 - 1)
      .optional()
      .describe('How often the lease got another holder.'),
    strategy: z.string().max(253).optional().describe('How a coordinated election chooses the holder.'),
    preferredHolder: z
      .string()
      .max(1024)
      .optional()
      .describe('Who should hold the lease next, if there is a strategy.'),
  })
  .meta({ id: 'LeaseSpec', description: 'Who holds a lease, and until when.' });
export type LeaseSpec = z.infer<typeof LeaseSpec>;
