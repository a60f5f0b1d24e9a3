import { z } from 'zod';

const ReviewedUser = z
  .strictObject({
    username: z.string().describe('Name that is unique among all users.'),
    uid: z.string().optional().describe('UID that stays when the name is given to somebody else.'),
    groups: z.array(z.string()).describe('Groups that the user is in.'),
    extra: z.record(z.string(), z.array(z.string())).optional().describe('What else is known of the user, by key.'),
  })
  .meta({ id: 'UserInfo', description: 'Who somebody is.' });

export const SelfReviewStatus = z
  .strictObject({ userInfo: ReviewedUser.describe('Who the server takes the caller for.') })
  .meta({ id: 'SelfSubjectReviewStatus', description: 'Who the caller is.' });

export const TokenReviewSpec = z
  .object({
    token: z.string().max(8_192).default('').describe('The token that is asked about.'),
    audiences: z.array(z.string()).nullish().describe('Not supported: tokens are for this server alone.'),
  })
  .meta({ id: 'TokenReviewSpec', description: 'Which token is asked about.' });

export const TokenReviewStatus = z
  .strictObject({
    authenticated: z.boolean().describe('Whether the token is good.'),
    user: ReviewedUser.optional().describe('Whose token it is.'),
    error: z.string().optional().describe('Why it is not good, for people.'),
  })
  .meta({ id: 'TokenReviewStatus', description: 'Whose token it is.' });
