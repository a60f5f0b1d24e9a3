import { z } from 'zod';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';

/** The most tags of a dashboard, and the most characters of one. */
const MOST_TAGS = 500;
const LONGEST_TAG = 200;

const tag = z
  .string()
  .trim()
  .max(LONGEST_TAG)
  .refine((value) => !/\p{Cc}/u.test(value), 'must not hold control characters');

/** The dashboard as user interfaces save it. Members that the server does not use are kept as they are. */
export const DashboardSpec = z
  .looseObject({
    title: z.string().trim().min(1, 'Dashboard title cannot be empty').max(5000).describe('Title shown to people.'),
    tags: arrayOf(tag, MOST_TAGS).optional().meta({ description: 'Words to find the dashboard by, each once.' }),
  })
  .meta({ id: 'DashboardSpec', description: 'The dashboard: title, tags, panels, variables and everything else.' });
export type DashboardSpec = z.infer<typeof DashboardSpec>;

/** What searches show of a dashboard. */
export interface DashboardSummary {
  readonly title: string;
  readonly tags: readonly string[];
}

/** Dashboards by title and folder: `[namespace, folded title, folder or '']`. */
export const BY_TITLE = 'byTitle';
/** Dashboards by tag: `[namespace, tag]`. */
export const BY_TAG = 'byTag';
/** Dashboards by the library elements in them: `[namespace, name of the element]`. */
export const BY_LIBRARY_ELEMENT = 'byLibraryElement';

/** The annotation, without the domain, in which the author of a change says what it is for. */
export const MESSAGE = 'message';

export const TITLE_TAKEN = 'A dashboard with the same name in the folder already exists';
