import { z } from 'zod';
import { valuesSchema } from '../../../pkg/identity/signon/values.js';
import { recordOf } from '../../../pkg/kube/meta/bounded.js';

/** Shown instead of a secret. A write with this value keeps the stored secret. */
export const MASKED = '*********';

const LONGEST = 10_000;

/**
 * A text, a number or a boolean. A schema of Kubernetes cannot name several types (structural schemas), so it says
 * nothing of the type.
 */
const Scalar = z.unknown().refine((value): value is string | number | boolean => isScalar(value), {
  message: `must be a text of at most ${LONGEST} characters, a number or a boolean`,
});

const Custom = recordOf(Scalar, 100);

function isScalar(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= LONGEST : typeof value === 'number' || typeof value === 'boolean';
}

export const SSOSettingSpec = z
  .strictObject({
    settings: valuesSchema()
      .meta({ id: 'SSOSettings' })
      .describe(
        'Settings of the provider. Keys that are left out come from the arguments, the environment, the settings file and the defaults of each server.',
      ),
    custom: Custom.optional().describe(
      'Settings of clients that this server does not know. They are kept for these clients, and have no effect.',
    ),
  })
  .meta({ id: 'SSOSettingSpec', description: 'How people sign in through a provider.' });
export type SSOSettingSpec = z.infer<typeof SSOSettingSpec>;
