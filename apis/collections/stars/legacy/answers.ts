import { z } from 'zod';
import { lazy } from '../../../../pkg/system/object/lazy.js';

/** The uids of the dashboards. */
export const STARS = lazy(() => z.array(z.string()));
