import { namespace } from '../../lib/session.js';
import type { Where } from '../folders/actions/consequences.js';

/** Changes of people and roles may be about any place of the organization that is shown. */
export const here = (): Where => ({ namespace: namespace.value, titles: new Map() });
