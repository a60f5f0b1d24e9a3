import { z } from 'zod';
import { valuesSchema } from '../../../pkg/signon/values.js';

/** Shown instead of a secret. A write with this value keeps the stored secret. */
export const MASKED = '*********';

export const SSOSettingSpec = z
  .strictObject({
    settings: valuesSchema()
      .meta({ id: 'SSOSettings' })
      .describe(
        'Settings of the provider. Keys that are left out come from the arguments, the environment, the settings file and the defaults of each server.',
      ),
  })
  .meta({ id: 'SSOSettingSpec', description: 'How people sign in through a provider.' });
export type SSOSettingSpec = z.infer<typeof SSOSettingSpec>;
