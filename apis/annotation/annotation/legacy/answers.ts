import { z } from 'zod';
import { answer, anyObject, doneWith, listOf, resultOf } from '../../../../registry/legacy/answers.js';

export const ANNOTATION = answer('Annotation', 'An annotation.', () => ({
  id: z.int(),
  alertId: z.int(),
  login: z.string(),
  userName: z.string(),
  userId: z.int().optional(),
  userUID: z.string().optional(),
  email: z.string().optional(),
  avatarUrl: z.string().optional(),
  created: z.int().describe('Milliseconds since 1970, as all times of annotations.'),
  updated: z.int(),
  time: z.int(),
  timeEnd: z.int(),
  text: z.string(),
  tags: z.array(z.string()).optional(),
  dashboardUID: z.string().optional(),
  dashboardId: z.int().optional(),
  panelId: z.int().optional(),
  data: anyObject().optional(),
  newState: z.string().optional(),
  prevState: z.string().optional(),
}));
export const ANNOTATIONS = listOf(ANNOTATION);
export const ANNOTATION_CREATED = doneWith(() => ({ id: z.int() }));
export const ANNOTATION_TAGS = resultOf(
  answer('AnnotationTags', 'How often each tag is used.', () => ({
    tags: z.array(z.object({ tag: z.string(), count: z.int() })),
  })),
);
