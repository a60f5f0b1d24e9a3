import { CALLERS } from '../../apis/testing/callers.js';

/** All kinds of callers, from nobody to the operator of the server. */
export const KINDS_OF_CALLERS = [...CALLERS, 'operator'] as const;
export type KindOfCaller = (typeof KINDS_OF_CALLERS)[number];
