import { z } from 'zod';
import { answer, anyObject } from '../../../../registry/legacy/answers.js';

export const PREFERENCES = answer('Preferences', 'Preferences that are set. Others have their defaults.', () => ({
  homeDashboardUID: z.string().optional(),
  homeDashboardId: z.int().optional(),
  theme: z.string().optional(),
  timezone: z.string().optional(),
  weekStart: z.string().optional(),
  language: z.string().optional(),
  regionalFormat: z.string().optional(),
  queryHistory: anyObject().optional(),
  navbar: anyObject().optional(),
  cookiePreferences: anyObject().optional(),
}));
