import { z } from 'zod';
import { answer, anyObject, listOf } from '../../../../registry/legacy/answers.js';

export const PROVIDER = answer('SsoSetting', 'The settings of a sign-on provider.', () => ({
  id: z.string(),
  provider: z.string(),
  settings: anyObject().describe('By name. Secrets are masked.'),
  source: z.string().describe('`database` if they are stored, and `system` if they are those of the server.'),
}));
export const PROVIDERS = listOf(PROVIDER);
export const CONNECTION = answer('ConnectionTest', 'Whether the addresses of a provider answer.', () => ({
  checks: z.array(
    z.object({
      name: z.string().describe('The name of the setting.'),
      host: z.string(),
      ok: z.boolean(),
      message: z.string(),
    }),
  ),
}));
