import { z } from 'zod';
import type { RetainedSpec } from '../../../registry/write/retained.js';

/** Only the registry writes these objects, together with the write that they are about. No client sends one. */
export const RetainedVersionSpec = z.custom<RetainedSpec>().meta({ id: 'RetainedVersionSpec' });
