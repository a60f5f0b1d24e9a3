import { ACCESS_JOBS } from './access.js';
import { FOLDER_JOBS } from './folders.js';
import type { Job } from './job.js';
import { LOOK_JOBS } from './look.js';
import { OBJECT_JOBS } from './objects.js';
import { PEOPLE_JOBS } from './people.js';
import { SESSION_JOBS } from './sessions.js';
import { TEXT_JOBS } from './texts.js';

/** Every job of the console. */
export const JOBS: readonly Job[] = [
  ...SESSION_JOBS,
  ...FOLDER_JOBS,
  ...ACCESS_JOBS,
  ...TEXT_JOBS,
  ...PEOPLE_JOBS,
  ...OBJECT_JOBS,
  ...LOOK_JOBS,
];
