import { z } from 'zod';
import { line, localReference } from '../../../registry/kinds/fields.js';

export const DeactivationSpec = z
  .strictObject({
    userRef: localReference('DeactivationUserRef', 'user'),
    /** The sign-on provider that no longer has the account. */
    provider: line(40).min(1, 'must not be empty'),
  })
  .meta({ id: 'DeactivationSpec' });
export type DeactivationSpec = z.infer<typeof DeactivationSpec>;
