import { z } from 'zod';
import { recordOf } from '../../../pkg/meta/bounded.js';
import { valuesSchema } from '../../../pkg/signon/values.js';

/** Shown instead of a secret. A write with this value keeps the stored secret. */
export const MASKED = '*********';

const Custom = recordOf(z.union([z.string().max(10_000), z.number(), z.boolean()]), 100);

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
