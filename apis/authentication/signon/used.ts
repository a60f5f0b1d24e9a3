import { BY_END, type UsedSignOnSpec } from '../../internal/usedsignon/schema.js';
import { type IdentityServices, ignoreMissing } from '../services.js';

const SWEEP_AT_ONCE = 500;

/** Forgets the states of sign-ins that would have ended by now, a limited number per call. */
export function usedSignOns(services: IdentityServices): { sweep(): Promise<void> } {
  const used = services.objects<UsedSignOnSpec>('usedsignons');
  return {
    sweep: async () => {
      const now = services.now();
      const over: string[] = [];
      for (const { metadata, spec } of used.range({ index: BY_END, prefix: [] })) {
        if (over.length === SWEEP_AT_ONCE || Date.parse(spec?.ends ?? '') > now) break;
        over.push(metadata.name);
      }
      for (const name of over) await used.delete(name).catch(ignoreMissing);
    },
  };
}
