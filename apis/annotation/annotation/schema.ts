import { z } from 'zod';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { line } from '../../../registry/kinds/fields.js';

/** The last millisecond that a Date can hold. */
const END_OF_TIME = 8_640_000_000_000_000;
const LONGEST_TEXT = 65_535;
/** The most characters of the data as JSON. */
const LONGEST_DATA = 65_535;
/** Bytes of the JSON of all tags of an annotation together. */
export const LONGEST_TAGS = 500;
/** More one-letter tags do not fit into LONGEST_TAGS. */
const MOST_TAGS = 125;

const Milliseconds = z.int().min(0).max(END_OF_TIME);
const Id = z.int().min(1);
const DashboardUID = z
  .string()
  .max(40)
  .refine((value) => !/[/%\p{Cc}]/u.test(value), 'must not hold "/", "%" or control characters');

export const AnnotationSpec = z
  .strictObject({
    text: z.string().min(1, 'must not be empty').max(LONGEST_TEXT).describe('What happened.'),
    time: Milliseconds.describe('When it happened, or when the region begins: milliseconds since the epoch.'),
    timeEnd: Milliseconds.optional().describe('When the region ends: milliseconds since the epoch.'),
    dashboardUID: DashboardUID.optional().describe(
      'The dashboard that it belongs to. Without it, or if it is empty, it belongs to the organization.',
    ),
    panelID: Id.optional().describe('The panel of the dashboard.'),
    tags: arrayOf(line(LONGEST_TAGS).min(1, 'must not be empty'), MOST_TAGS)
      .optional()
      .describe(`Tags. Together they have at most ${LONGEST_TAGS} bytes of JSON.`),
    data: z
      .looseObject({})
      .refine(
        (data) => JSON.stringify(data).length <= LONGEST_DATA,
        `must have at most ${LONGEST_DATA} characters of JSON`,
      )
      .optional()
      .describe('Anything else.'),
    alertID: Id.optional().describe('The integer id of the alert rule that made it.'),
    newState: line(64).optional().describe('The state of the alert afterwards.'),
    prevState: line(64).optional().describe('The state of the alert before.'),
  })
  .meta({ id: 'AnnotationSpec', description: 'What happened, when, and where.' });
export type AnnotationSpec = z.infer<typeof AnnotationSpec>;

/**
 * The annotation with the `metadata.uid` of the dashboard, without the domain. So a later dashboard with the same name
 * is not mistaken for it. Empty: there was no such dashboard when the annotation was made.
 */
export const DASHBOARD = 'dashboard';

/** The scopes of annotations by what they belong to. */
export const ORGANIZATION_SCOPE = 'annotations:type:organization';
export const DASHBOARD_SCOPE = 'annotations:type:dashboard';

/** The spec; absent for an object that does not exist. */
export function specOf({ spec }: KubeObject): AnnotationSpec | undefined {
  return spec as AnnotationSpec | undefined;
}
