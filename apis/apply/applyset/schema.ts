import { z } from 'zod';
import { line } from '../../../registry/kinds/fields.js';

export const ApplySetSpec = z
  .strictObject({
    description: line(1000).optional().describe('What the set is for, in words for people.'),
  })
  .meta({ id: 'ApplySetSpec' });

export type ApplySetSpec = z.infer<typeof ApplySetSpec>;
