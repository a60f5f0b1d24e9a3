import { z } from 'zod';
import { answer, anyObject, listOf } from '../../../../registry/legacy/answers.js';
import { LDAP_USER } from './ldap-user.js';

export const PROVIDER = answer('SsoSetting', 'The settings of a sign-on provider.', () => ({
  id: z.string(),
  provider: z.string(),
  settings: anyObject().describe('By name. Secrets are masked.'),
  source: z.string().describe('`database` if they are stored, and `system` if they are those of the server.'),
  problems: z
    .array(z.string())
    .optional()
    .describe('Why nobody can sign in by a provider that is enabled. Absent if nothing is known to be in the way.'),
  lastSync: z
    .object({
      at: z.string().describe('When it ended.'),
      people: z.int().describe('People whom the directory named.'),
      disabled: z.int(),
      enabled: z.int(),
      kept: z.int().describe('Who has left, but is not disabled.'),
      failed: z.int().optional().describe('Who stays as before because of an error.'),
      problems: z.array(z.string()).describe('Why it is not complete.'),
    })
    .optional()
    .describe('The last synchronization by the schedule of `syncCron`. Absent if there was none.'),
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
  person: z
    .object({
      ok: z.boolean().describe('A sign-in with the right password would succeed.'),
      message: z.string(),
      user: LDAP_USER().optional(),
    })
    .optional()
    .describe('What a directory says about the login of the body.'),
}));
