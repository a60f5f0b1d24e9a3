import { z } from 'zod';
import { ReviewedUser } from '../authorization/review-schema.js';

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
