import { z } from 'zod';
import type { AppliedSpec } from '../../../registry/applyset/record.js';

/** Only the registry writes these objects, together with the write that they are about. No client sends one. */
export const AppliedMembersSpec = z.custom<AppliedSpec>().meta({ id: 'AppliedMembersSpec' });
